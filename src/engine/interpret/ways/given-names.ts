/**
 * A surname with given names that are shortened: by their first letters, alone or in a row, or by a
 * nickname, in the text or in the record. Of those who have the surname the nearest are meant: who needs
 * fewer guesses.
 */
import { asideOf } from '../../../text/speech/aside-words.ts'
import {
  areShortForms,
  otherForms,
  publicNameOf,
  secondForms,
} from '../../../text/speech/nicknames.ts'
import { firstLetterOf, isInitialFirst } from '../../person-names.ts'
import { type DocSet, unionOf } from '../../postings/doc-set.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { leftOutOf } from './beside.ts'
import { foundPeople, type Text, type Tools, type WayOfSearch } from './way.ts'

/** People of a surname whose names are read: the top ones by authority. */
const surnamesMax = 64
/** People who may be called as a row of first letters is written, and people of a rare surname. */
const rareMax = 8
/** Words of the longest name that is read so. */
const wordsMax = 5
/** Letters of the shortest surname, and of the longest row of first letters. */
const letters = { surnameMin: 2, rowMax: 4 } as const

const infinite = Number.POSITIVE_INFINITY

/**
 * Costs of taking a given name for another: an initial says less than a nickname. `unsaid`: an initial of the
 * text that the name leaves out. `otherNickname`: two short forms of one name, Charlie and Chuck.
 */
const costs = { same: 0, nickname: 1, otherNickname: 1.5, initial: 2, unsaid: 2 } as const

/** See the file's comment. */
export const givenNames: WayOfSearch = {
  name: 'given-names',
  find: (tools, text, limit) => {
    const known = calledShort(tools, text, limit)
    if (known !== undefined) return known
    for (const words of text.core === text.words ? [text.words] : [text.words, text.core]) {
      if (words.length < 2 || words.length > wordsMax) continue
      if (words.some(({ isExact, terms }) => isExact || terms.length > 1)) continue
      const people = nearestGivenNames(tools, words.slice(0, -1), words.at(-1)!)
      const reversed = /,/.test(text.query)
        ? nearestGivenNames(tools, words.slice(1), words[0]!)
        : []
      const found = people.length > 0 ? people : reversed
      if (found.length === 0) continue
      const leftOut = words === text.words ? [] : leftOutOf(text)
      return foundPeople('name', found, limit, { words, leftOut })
    }
    return undefined
  },
}

/** The people whom the press calls by the one word of a text. */
function calledShort(tools: Tools, text: Text, limit: number): Found | undefined {
  const [only, another] = text.core
  if (only === undefined || another !== undefined || only.isExact) return undefined
  const name = publicNameOf(only.text)
  const holders = name?.map((word) => tools.words.formNamed(word)) ?? []
  if (holders.length === 0 || holders.some(({ size }) => size === 0)) return undefined
  const people = firstOf(holders, surnamesMax).filter((each) => {
    const words = tools.nameWords(each)
    return words[0] === name![0]
  })
  return people.length === 0
    ? undefined
    : foundPeople('name', people, limit, { words: text.core, leftOut: leftOutOf(text) })
}

/** Those who have a surname and whose given names are nearest to some: by nicknames and first letters. */
export function nearestGivenNames(
  tools: Tools,
  given: readonly QueryWord[],
  surname: QueryWord,
): readonly number[] {
  const { catalog, nameWords, words } = tools
  const named = words.named(surname)
  if (surname.text.length < letters.surnameMin || named.size === 0) return []
  const texts = given.map(({ text }) => text)
  const [first = '', ...rest] = texts
  // A row of first letters, unless it is a name.
  const isRow =
    first.length > 1 &&
    first.length <= letters.rowMax &&
    asideOf(first) === undefined &&
    isRare(tools, given[0]!)
  const readings = isRow ? [texts, [...first, ...rest]] : [texts]
  const forms = formsOf(texts)
  const isShort = readings.some((reading) => reading.some(({ length }) => length === 1))
  const people = isShort
    ? firstOf([named], surnamesMax)
    : firstOf([named, likelyNamed(tools, texts, forms)], surnamesMax)
  let least = infinite
  let nearest: number[] = []
  const isFirst = firstLettersOf(readings, forms)
  for (const ordinal of people) {
    if (!isFirst(firstLetterOf(catalog, ordinal)) && !isInitialFirst(catalog, ordinal)) continue
    const name = nameWords(ordinal)
    const at = name.lastIndexOf(surname.text)
    if (at < 1) continue
    let cost = infinite
    for (const reading of readings) cost = Math.min(cost, costOf(reading, name, at))
    if (cost > least || cost === infinite) continue
    if (cost < least) nearest = [ordinal]
    else nearest.push(ordinal)
    least = cost
  }
  return nearest
}

/**
 * Whether a name may be of a reading by its first letter: the first given name must be the same, a form of it, or
 * begin with it, unless the name writes only its first letter. It excludes most people of a surname before their
 * names are read.
 */
function firstLettersOf(readings: readonly (readonly string[])[], forms: readonly string[]) {
  const firsts = readings.map(([first = '']) => first)
  const letters = new Set([...firsts, ...forms].map((name) => name[0]))
  return (letter: string | undefined) => letter === undefined || letters.has(letter)
}

/** Whether hardly anybody is called so. */
function isRare({ words }: Tools, word: QueryWord): boolean {
  return words.named(word).size <= rareMax
}

/** All other forms of some given names. */
function formsOf(given: readonly string[]): readonly string[] {
  return given.flatMap((word) => [...otherForms(word), ...secondForms(word)])
}

/** Those whose names may be of some given names: by another form of one, or the first of several. */
function likelyNamed({ words }: Tools, given: readonly string[], forms: readonly string[]): DocSet {
  const likely = given.length === 1 ? forms : [given[0]!, ...forms]
  return unionOf(likely.map((form) => words.formNamed(form)))
}

/**
 * The cost of reading some given names as those of a name, its first `givenCount` words: the first is the first, or the second behind an
 * initial; the others follow in order. A name may be said twice, as in Zachary (Zach).
 */
function costOf(typed: readonly string[], name: readonly string[], givenCount: number): number {
  let cost = 0
  let at = 0
  for (let index = 0; index < typed.length; index += 1) {
    const word = typed[index]!
    const last = index > 0 ? givenCount - 1 : name[0]!.length === 1 ? 1 : 0
    let found = at
    const end = Math.min(givenCount, last + 1)
    while (found < end && costOfWord(word, name[found]!, index) === infinite) found += 1
    if (found < end) {
      cost += costOfWord(word, name[found]!, index)
      at = found + 1
    } else if (index === 0) return infinite
    else if (word.length === 1 && typed[0]!.length > 1 && at === givenCount) cost += costs.unsaid
    else if (otherForms(word).has(typed[index - 1]!)) cost += costs.nickname
    else return infinite
  }
  return cost
}

/** A name behind the first may be written as its first letter on either side; the first one only in the text. */
function costOfWord(word: string, given: string, index: number): number {
  if (word === given) return costs.same
  if (otherForms(word).has(given)) return costs.nickname
  if (areShortForms(word, given)) return costs.otherNickname
  if (word.length === 1 && given.startsWith(word)) return costs.initial
  return index > 0 && given.length === 1 && word.startsWith(given) ? costs.initial : infinite
}

/** Letters of the shortest given name that is guessed by, and of what the longer one of two has more. */
const guessed = { lettersMin: 3, leftOutMin: 3 } as const

/**
 * A given name and a rare surname, where nothing nearer is found: of the one person whose given name begins
 * with the other (Greg, of Gregorio), or whose name writes its first letter only, where no other name has it.
 */
export const guessedNames: WayOfSearch = {
  name: 'guessed-names',
  find: (tools, text, limit) => {
    const [given, surname, another] = text.core
    if (given === undefined || surname === undefined || another !== undefined) return undefined
    if (text.core.some(({ isExact, terms }) => isExact || terms.length > 1)) return undefined
    const named = tools.words.named(surname)
    if (given.text.length < guessed.lettersMin || named.size > rareMax) return undefined
    const isUnknown = tools.words.named(given).size === 0
    const people = firstOf([named], rareMax).flatMap((ordinal) => {
      const letter = firstLetterOf(tools.catalog, ordinal)
      if (!isUnknown && letter !== undefined && letter !== given.text[0]) return []
      const name = tools.nameWords(ordinal)
      const [first, ...others] = name.slice(0, Math.max(0, name.lastIndexOf(surname.text)))
      return first === undefined ? [] : [{ ordinal, first, initials: others.filter(isInitial) }]
    })
    const clipped = people.filter(({ first }) => isClipped(given.text, first))
    const initial = people.filter(({ initials }) => initials.includes(given.text[0]!))
    const [only, other] = clipped.length > 0 || !isUnknown ? clipped : initial
    if (only === undefined || other !== undefined) return undefined
    const to = clipped.length > 0 ? only.first : given.text[0]!
    const corrected = [{ from: given.text, to }]
    const leftOut = leftOutOf(text)
    return foundPeople('corrected', [only.ordinal], limit, { words: text.core, leftOut, corrected })
  },
}

function isInitial(name: string): boolean {
  return name.length === 1
}

/** Whether one name is the beginning of the other. Paul is none of Paula: too little is left out. */
function isClipped(one: string, other: string): boolean {
  const [short, name] = one.length < other.length ? [one, other] : [other, one]
  const { lettersMin, leftOutMin } = guessed
  if (short.length < lettersMin || name.length - short.length < leftOutMin) return false
  return name.startsWith(short)
}
