/**
 * A whole name inside a text, whatever else is asked: `nancy pelosi phone number`, `ted cruz's staff`, `wie alt ist
 * angela merkel`. First and last name stand beside each other, or a surname has `'s`.
 *
 * Invariant: no word beside the name may be a part of it. Who has another name than the text says is not found.
 */
import { asideOf } from '../../../../text/speech/aside-words.ts'
import { isCommonWord } from '../../../../text/speech/plain-english.ts'
import { isInAll } from '../../../postings/doc-set.ts'
import { firstOf } from '../../../postings/smallest-k.ts'
import type { QueryWord } from '../../../terms/query-word.ts'
import { isSurname } from '../beside.ts'
import { foundPeople, type Text, type Tools, textsWithout, type WayOfSearch } from '../way.ts'

/** Words of the longest text that is read so, and of the longest name in it. */
const wordsMax = 12
const nameWordsMax = 4
/** People of one name that are found, and of a surname that are looked at. */
const peopleMax = 5
const surnamesMax = 16
/** Letters of the shortest surname that stands alone. */
const surnameMin = 4
/** People who have a word in their names, where it is a usual one: a single record makes no name of a word. */
const bearersMin = 3

/** A name in the text, and who is called so. */
interface Named {
  readonly words: readonly QueryWord[]
  readonly people: readonly number[]
}

/** See the file's comment. */
export const within: WayOfSearch = {
  name: 'within',
  find: (tools, text, limit) => {
    const words = text.lastReading
    if (words.length < 2 || words.length > wordsMax) return undefined
    if (words.some(({ isExact }) => isExact)) return undefined
    const named = namesIn(tools, text, words) ?? surnameIn(tools, text, words)
    if (named === undefined) return undefined
    const leftOut = textsWithout(words, named.words)
    return foundPeople('name', named.people, limit, { words: named.words, leftOut })
  },
}

/** All names in a text, the longest first where they overlap; undefined where there is none, or a word speaks against it. */
function namesIn(tools: Tools, { query }: Text, words: readonly QueryWord[]): Named | undefined {
  const used: QueryWord[] = []
  const people: number[] = []
  for (let at = 0; at < words.length; ) {
    const name = nameAt(tools, words, at)
    if (name !== undefined) {
      used.push(...name.words)
      people.push(...name.people)
    }
    at += name?.words.length ?? 1
  }
  if (people.length === 0) return undefined
  // Of several things each must be known.
  if (words.some(({ text }) => joining.has(text)) && words.some((word) => isUnknown(tools, word))) {
    return undefined
  }
  const owners = ownersIn(query)
  const isOfName = (word: QueryWord | undefined) =>
    word !== undefined && used.includes(word) && !owners.includes(word.text)
  let meant = people
  const isAround = (word: QueryWord, at: number) => {
    if (used.includes(word)) return true
    // A word of the person's own record is no part of another name: dave taylor ohio.
    const own = peopleHolding(tools, word, meant)
    if (own.length > 0) meant = own
    return (
      own.length > 0 ||
      mayStandBeside(tools, words, at, [words[at - 1], words[at + 1]].filter(isOfName))
    )
  }
  return words.every(isAround) ? { words: used, people: meant } : undefined
}

/** Those of some people whose records hold a word that says something. */
function peopleHolding({ words }: Tools, word: QueryWord, people: readonly number[]): number[] {
  if (word.isStop || asideOf(word.text) !== undefined) return []
  const held = [words.holding(word)]
  return people.filter((each) => isInAll(held, each))
}

/** Words between two things in the languages of most users. */
const joining: ReadonlySet<string> = new Set('and or vs versus und oder y o et ou e ed'.split(' '))

function isUnknown({ words }: Tools, word: QueryWord): boolean {
  return !word.isStop && asideOf(word.text) === undefined && words.holding(word).size === 0
}

function nameAt(tools: Tools, words: readonly QueryWord[], at: number): Named | undefined {
  for (let count = Math.min(nameWordsMax, words.length - at); count > 1; count -= 1) {
    const name = words.slice(at, at + count)
    if (name.some(({ isStop, terms }) => isStop || terms.length > 1)) continue
    if (!isTelling(tools, name)) continue
    const people = peopleCalled(tools, name)
    if (people.length > 0) return { words: name, people }
  }
  return undefined
}

/** Whether words are a name beside other words: `net worth` is none, even where somebody is called so. */
function isTelling({ words }: Tools, name: readonly QueryWord[]): boolean {
  const isUsual = ({ text }: QueryWord) => asideOf(text) !== undefined || isCommonWord(text)
  return !name.every(isUsual) || words.named(name[0]!).size >= bearersMin
}

/** Those of whose names some words are the first and the last. */
function peopleCalled(tools: Tools, name: readonly QueryWord[]): readonly number[] {
  const [first, last] = [name[0]!.text, name.at(-1)!]
  if (tools.words.named(last).size === 0) return []
  const holders = name.map((word) => tools.words.named(word))
  if (holders.every(({ size }) => size > 0)) {
    const all = firstOf(holders, peopleMax)
    const people = all.filter((each) => {
      const written = tools.nameWords(each)
      return written.indexOf(first) === 0 && isSurname(tools, each, last.text)
    })
    if (people.length > 0) return people
    // Another name of theirs has no order that is known: in another script it says enough.
    if (all.length > 0 && all.length < peopleMax && /[^\p{Script=Latin}]/u.test(first)) return all
  }
  return []
}

/**
 * Whether a word says nothing of who is meant: it only asks, or is a common word that is no name. A word
 * behind a name may be a surname of another person, and an unknown word beside a name a part of another name.
 */
function mayStandBeside(
  { words: held }: Tools,
  words: readonly QueryWord[],
  at: number,
  beside: readonly (QueryWord | undefined)[],
): boolean {
  const word = words[at]!
  const isName = held.named(word).size > 0
  if (word.isStop || /^\p{N}/u.test(word.text)) return true
  if (asideOf(word.text) !== undefined) {
    return held.named(word).size < bearersMin || !beside.includes(words[at - 1])
  }
  if (isName) return beside.length === 0 && endsPhrase(held, words, at)
  if (isCommonWord(word.text) || beside.length === 0) return true
  // A surname ends a name: what stands before a common word is none, nor is what only other records say.
  const next = words[at + 1]
  return held.holding(word).size > 0 || (next !== undefined && isPlain(held, next))
}

/** Whether a word is common English and nobody's name. */
function isPlain(held: Tools['words'], word: QueryWord): boolean {
  return isCommonWord(word.text) && held.named(word).size === 0
}

/** Whether a common word that is a name, too, stands behind another common word, which is none: town hall. */
function endsPhrase(held: Tools['words'], words: readonly QueryWord[], at: number): boolean {
  const before = words[at - 1]
  return before !== undefined && isCommonWord(words[at]!.text) && isPlain(held, before)
}

/** Things that bear names of people: Murphy's law belongs to no person called Murphy. */
const eponyms: ReadonlySet<string> = new Set(
  'law laws disease syndrome theorem lemma conjecture paradox razor constant number comet cat list ladder day cross island bay river brother brothers sister sisters'.split(
    ' ',
  ),
)

const possessive = /(\p{L}{4,})['’]s(?!\p{L})/gu

/** The words that have `'s`. */
function ownersIn(query: string): readonly string[] {
  if (!/['’]/.test(query)) return []
  return [...query.matchAll(possessive)].map(([, word = '']) => word.toLowerCase())
}

/**
 * The one person of a surname among common words: it has `'s`, or an `s` without its sign (kants kritik), or
 * stands in a question (was beethoven deaf?) or before what people make.
 */
function surnameIn(tools: Tools, { query }: Text, words: readonly QueryWord[]): Named | undefined {
  const [owner, another] = ownersIn(query)
  if (another !== undefined) return undefined
  const said = owner === undefined ? bareOwnerIn(tools, words) : { word: owner, surname: owner }
  if (said === undefined) return undefined
  const { surname } = said
  const at = words.findIndex(({ text }) => text === said.word)
  const word = words[at]
  if (word === undefined) return undefined
  if (surname.length < surnameMin || isCommonWord(surname)) return undefined
  if (!words.every((_, place) => place === at || mayStandBeside(tools, words, place, []))) {
    return undefined
  }
  const people = firstOf([tools.words.formNamed(surname)], surnamesMax).filter((each) =>
    isSurname(tools, each, surname),
  )
  const [only, other] = people
  if (only === undefined || other !== undefined) return undefined
  const isTheirs = (each: QueryWord) => isInAll([tools.words.holding(each)], only)
  return words.every((each) => !eponyms.has(each.text) || isTheirs(each))
    ? { words: [word], people: [only] }
    : undefined
}

/** Words that a question of one surname begins with. */
const questions: ReadonlySet<string> = new Set(
  'how what when where why is was are were did does do has had can will'.split(' '),
)

/** Works and memorials of people: picasso museum. */
const works: ReadonlySet<string> = new Set(
  'museum exhibition statue memorial tomb grave autobiography memoir memoirs diary diaries legacy theory theories painting paintings sculptures song songs lyrics poem poems novels symphony concerto sonata equation inventions discoveries'.split(
    ' ',
  ),
)

/** The first word that is a name with an `s` behind it, which nobody is called; or the name in a question. */
function bareOwnerIn({ words: held }: Tools, words: readonly QueryWord[]) {
  const isNamed = (text: string) => held.formNamed(text).size > 0
  for (const { text: word } of words) {
    if (!word.endsWith('s') || word.length <= surnameMin || isNamed(word)) continue
    const surname = word.slice(0, -1)
    if (isNamed(surname)) return { word, surname }
  }
  if (!questions.has(words[0]!.text) && !works.has(words.at(-1)!.text)) return undefined
  const name = words.find(
    ({ text, isStop }) =>
      !isStop && asideOf(text) === undefined && !isCommonWord(text) && isNamed(text),
  )
  return name && { word: name.text, surname: name.text }
}
