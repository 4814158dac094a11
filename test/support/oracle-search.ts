/**
 * Search as a model: the ways of DESIGN §3 over sets and loops. Shares with the product only what are
 * definitions: the analyzer, the forms of words, the stop words and what countries are called.
 */
import type { AuthorityRecord } from '../../src/source/schema.ts'
import { isUnspaced, termsOf, type Word, wordsOf } from '../../src/text/analyzer.ts'
import { type Country, countryTable } from '../../src/text/countries/country-names.made.ts'
import { jamoOf } from '../../src/text/hangul.ts'
import { numberless, phraseKey } from '../../src/text/number.ts'
import { abbreviations } from '../../src/text/related/abbreviations.ts'
import { isCommonWord } from '../../src/text/speech/plain-english.ts'
import { isStopWord } from '../../src/text/stop-words.ts'

interface Findable {
  readonly record: AuthorityRecord
  /** Keys of the topics. */
  readonly topics: ReadonlyMap<string, unknown>
}

/** Topics in the order of their numbers: the key of each, all its keys, and what members have of it. */
interface TopicModel<P> {
  readonly key: string
  readonly keys: readonly string[]
  /** Aliases that are the label of another topic, or of this one; `at` counts those of all topics as the source declares them. */
  readonly taken: readonly { readonly alias: string; readonly at: number }[]
  readonly isDeclared: boolean
  readonly shares: ReadonlyMap<P, number>
}

export type ExpectedFound<P> =
  | { readonly way: 'topic' | 'corrected'; readonly topic: string }
  | {
      readonly way: 'name' | 'words' | 'corrected'
      /** With a value above 0 by it, the others in this order; values that are near tie. */
      readonly people: readonly { readonly person: P; readonly value: number }[]
      /** The one topic that gives the ranks. */
      readonly rankedBy: string | undefined
    }
  | { readonly way: 'guess'; readonly rankedBy?: string | undefined }

interface QueryWord extends Word {
  readonly isExact: boolean
}

interface Part<P> {
  readonly words: readonly QueryWord[]
  readonly topic: TopicModel<P> | undefined
  readonly place: ReadonlySet<P> | undefined
}

type Holds<P> = (person: P) => boolean

const tried = 12

/** Members of a topic that yields only to a name made of words of names. */
const membersMin = 5

export class SearchModel<P extends Findable> {
  readonly #people: readonly P[]
  readonly #topics: readonly TopicModel<P>[]
  readonly #names: ReadonlyMap<P, ReadonlySet<string>>
  readonly #texts: ReadonlyMap<P, ReadonlySet<string>>
  readonly #countries = countryTable()
  readonly #vocabulary: readonly string[]

  /** @param people by descending authority. */
  constructor(people: readonly P[], topics: readonly TopicModel<P>[]) {
    this.#people = people
    this.#topics = topics
    this.#names = new Map(people.map((person) => [person, new Set(nameTerms(person.record))]))
    this.#texts = new Map(
      people.map((person) => [
        person,
        new Set([
          ...nameTerms(person.record),
          ...termsOf(person.record.bio),
          ...topics
            .filter(({ key }) => person.topics.has(key))
            .flatMap(({ keys }) => keys.flatMap((each) => each.split(' '))),
        ]),
      ]),
    )
    const places = people
      .flatMap(({ record }) => this.#calledOf(record.countryName))
      .flatMap(termsOf)
    const terms = new Set([...[...this.#texts.values()].flatMap((each) => [...each]), ...places])
    this.#vocabulary = [...terms].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  }

  /** What a text finds that is no handle, address or SDU. */
  search(query: string): ExpectedFound<P> {
    const words = queryWords(query)
    if (words.length === 0) return { way: 'words', people: [], rankedBy: undefined }
    const { topic, behind, other } = this.#namedBy(words)
    const named = behind === undefined ? undefined : this.#readBefore(words, behind)
    if (named !== undefined) return named
    if (other !== undefined) return { way: 'guess', rankedBy: other.key }
    if (topic !== undefined) return { way: 'topic', topic: topic.key }
    return this.#find(words) ?? this.#correct(words) ?? { way: 'guess' }
  }

  #find(words: readonly QueryWord[]): ExpectedFound<P> | undefined {
    const parts = this.#partsOf(words)
    const telling = parts.filter(
      (part) => part.topic || part.place || part.words.some((word) => !isGlue(word)),
    )
    const content = telling.flatMap((part) => part.words)
    const hasGlue = telling.length > 0 && telling.length < parts.length
    const means = telling.some(({ topic, place }) => topic !== undefined || place !== undefined)
    const begins = (last: Part<P> | undefined) =>
      last !== undefined &&
      !(last.topic || last.place || last.words.every(isGlue)) &&
      !this.#people.some((each) => this.#holdsPart(last, each)) &&
      // A common word that stands alone was meant as it was typed.
      (telling.length > 1 || !isCommonWord(last.words[0]!.text))
    return (
      this.#read(words, hasGlue && means ? undefined : parts, false) ??
      this.#readNames(words) ??
      (hasGlue ? this.#read(content, telling, false) : undefined) ??
      (begins(parts.at(-1)) ? this.#read(words, parts, true) : undefined) ??
      (begins(telling.at(-1)) && hasGlue ? this.#read(content, telling, true) : undefined)
    )
  }

  /** A name behind words that only ask, of which some may be its own. */
  #readNames(words: readonly QueryWord[]): ExpectedFound<P> | undefined {
    const glue = words.findIndex((word) => !isGlue(word))
    const before = glue < 0 ? words.length - 1 : glue
    const names = Array.from({ length: before }, (_, from) => words.slice(from + 1))
    return first(names, (name) => this.#read(name, undefined, false))
  }

  /** Names that hold the words, then people who hold the parts, if there are any. */
  #read(
    words: readonly QueryWord[],
    parts: readonly Part<P>[] | undefined,
    isBegun: boolean,
  ): ExpectedFound<P> | undefined {
    const byName = this.#named(words, isBegun)
    const topics = [...new Set((parts ?? []).flatMap(({ topic }) => topic ?? []))]
    const byWord = this.#everybody(
      (parts ?? []).map((part, index) =>
        isBegun && index === parts!.length - 1
          ? (each) => beginsIn(part.words[0]!, this.#texts.get(each)!)
          : (each) => this.#holdsPart(part, each),
      ),
    )
    if (byName.length + byWord.length === 0) return undefined
    const valueIn = (each: P) =>
      topics.reduce((sum, { shares }) => sum + (shares.get(each) ?? 0), 0)
    const ordered = byWord
      .filter((each) => !byName.includes(each))
      .map((person) => ({ person, value: valueIn(person) }))
      .sort((a, b) => b.value - a.value)
    return {
      way: byName.length > 0 ? 'name' : 'words',
      people: [
        ...byName.map((person) => ({ person, value: Number.POSITIVE_INFINITY })),
        ...ordered,
      ],
      rankedBy: byName.length === 0 && topics.length === 1 ? topics[0]!.key : undefined,
    }
  }

  /** In scripts without spaces people with the exact word come first, else those with one slip. */
  #named(words: readonly QueryWord[], isBegun: boolean): P[] {
    const named = this.#everybody(
      words.map((word, index) =>
        isBegun && index === words.length - 1
          ? (each) => beginsIn(word, this.#names.get(each)!)
          : (each) => holdsWhole(word, this.#names.get(each)!),
      ),
    )
    if (isBegun || words.every(({ terms }) => terms.length === 1)) return named
    const inAll = (holds: (word: QueryWord, each: P) => boolean) =>
      this.#everybody(words.map((word) => (each: P) => holds(word, each)))
    const held = (word: QueryWord, each: P) => holdsWhole(word, this.#names.get(each)!)
    const written = inAll(({ text }, each) => this.#names.get(each)!.has(text))
    const nearly = (word: QueryWord, each: P) =>
      held(word, each) &&
      (word.terms.length === 1 ||
        this.#near(word, 1).some(({ text }) => this.#names.get(each)!.has(text)))
    return [...new Set([...(written.length > 0 ? written : inAll(nearly)), ...named])]
  }

  /** Everybody of whom each of some things holds; nobody where there is none. */
  #everybody(holds: readonly Holds<P>[]): P[] {
    if (holds.length === 0) return []
    return this.#people.filter((person) => holds.every((each) => each(person)))
  }

  #holdsPart({ words, topic, place }: Part<P>, person: P): boolean {
    const texts = this.#texts.get(person)!
    return (
      (topic !== undefined && person.topics.has(topic.key)) ||
      place?.has(person) === true ||
      words.every((word) => holds(word, texts))
    )
  }

  #partsOf(words: readonly QueryWord[]): Part<P>[] {
    const parts: Part<P>[] = []
    for (let at = 0; at < words.length; at += parts.at(-1)!.words.length) {
      const phrases = Array.from({ length: 12 }, (_, count) => words.slice(at, at + 12 - count))
      const means = phrases
        .filter((phrase, index) => phrase.length === 12 - index)
        .filter((phrase) => !phrase.some(({ isExact }) => isExact))
        .filter((phrase) => phrase.length > 1 || !isGlue(phrase[0]!))
        .map((phrase) => this.#meaningOf(phrase))
        .find(({ topic, place }) => topic !== undefined || place !== undefined)
      parts.push(means ?? { words: [words[at]!], topic: undefined, place: undefined })
    }
    return parts
  }

  #meaningOf(words: readonly QueryWord[]): Part<P> {
    const called = this.#calledBy(keyOf(words))
    return {
      words,
      topic: this.#topicOf(words),
      place: called.length === 0 ? undefined : new Set(called),
    }
  }

  #calledBy(key: string): readonly P[] {
    return this.#people.filter(({ record }) =>
      this.#calledOf(record.countryName).flatMap(keysOfName).includes(key),
    )
  }

  #topicOf(words: readonly QueryWord[]): TopicModel<P> | undefined {
    return this.#namedBy(words).topic
  }

  /** People whose names have all words, and behind them the members of a topic. */
  #readBefore(words: readonly QueryWord[], topic: TopicModel<P>): ExpectedFound<P> | undefined {
    const found = this.#read(words, [{ words, topic, place: undefined }], false)
    return found?.way === 'name' ? found : undefined
  }

  /** The topic that a text means by its name, and the one whose members stand behind others of that name. */
  #namedBy(words: readonly QueryWord[]): {
    readonly topic?: TopicModel<P>
    readonly behind?: TopicModel<P>
    /** The topic that is not weak and that the text is another word for. */
    readonly other?: TopicModel<P>
  } {
    if (words.some(({ isExact }) => isExact)) return {}
    const claims = this.#topics
      .flatMap((topic) => topic.keys.map((key) => ({ topic, key })))
      .concat(this.#takenAliases())
      .filter(({ key }) => phraseKey(key.split(' ')) === keyOf(words))
    const [first] = claims.toSorted((a, b) => b.topic.shares.size - a.topic.shares.size)
    if (first === undefined) return {}
    const { key, topic } = first
    const size = topic.shares.size
    const text = words.flatMap(({ terms }) => terms).join(' ')
    const written = this.#topics.find(({ keys }) => keys.includes(text))
    const isWritten =
      written !== undefined &&
      written.shares.size >= Math.min(membersMin, size) &&
      !this.#isStronger(topic, written)
    const meant = { topic: isWritten ? written : topic }
    const strength = this.#strengthOf(topic)
    if (this.#isOfPerson(key, topic)) {
      return { behind: topic, ...(isCommonWord(key) && meant) }
    }
    const terms = key.split(' ')
    const isCountry = this.#countries.some(({ names }) =>
      names.some((name) => phraseKey(termsOf(name)) === keyOf(words)),
    )
    if (isCountry || terms.every(isStopWord)) return {}
    const called = this.#calledBy(keyOf(words)).length
    if ((size < membersMin || strength < 2) && called > size) return {}
    const other = this.#strongFor(words, topic)
    if (other === undefined) return meant
    return { behind: topic, other }
  }

  /** 2 of a topic that is declared or of several sources, 0 of one that few have, else 1. */
  #strengthOf({ shares, isDeclared }: TopicModel<P>): number {
    if (isDeclared) return 2
    if (shares.size < membersMin) return 0
    const sourcesOf = (people: Iterable<P>) =>
      new Set(Array.from(people, ({ record }) => record.source)).size
    return sourcesOf(shares.keys()) >= Math.min(2, sourcesOf(this.#people)) ? 2 : 1
  }

  #isStronger(topic: TopicModel<P>, other: TopicModel<P>): boolean {
    const [own, its] = [this.#strengthOf(topic), this.#strengthOf(other)]
    if (its === 0) return own > 0
    return its === 1 && own > 0 && topic.shares.size > other.shares.size
  }

  /** The topic that is stronger than another and for which the table of abbreviations has a text. */
  #strongFor(words: readonly QueryWord[], named: TopicModel<P>): TopicModel<P> | undefined {
    const isSmall = named.shares.size < membersMin
    return abbreviations()
      .filter((names) =>
        names.some(
          (name) =>
            phraseKey(termsOf(name)) === keyOf(words) &&
            (isSmall || named.keys.includes(termsOf(name).join(' '))),
        ),
      )
      .map((names) => this.#firstOf(names.map((name) => phraseKey(termsOf(name)))))
      .find((topic) => topic !== undefined && this.#isStronger(topic, named))
  }

  #firstOf(names: readonly string[]): TopicModel<P> | undefined {
    const strong = this.#topics.filter((topic) => this.#strengthOf(topic) > 0)
    return names
      .map((name) =>
        strong.find(({ keys }) => keys.some((key) => phraseKey(key.split(' ')) === name)),
      )
      .find((topic) => topic !== undefined)
  }

  /** Aliases of larger topics that are labels of small ones, in the order in which the source declares them. */
  #takenAliases() {
    const all = this.#topics.flatMap((topic) =>
      topic.taken.flatMap(({ alias: key, at }) => {
        const label = this.#topics.find((each) => each.key === key)!
        const [own, other] = [label.shares.size, topic.shares.size]
        const gives = own < membersMin || (this.#strengthOf(label) < 2 && !label.isDeclared)
        return gives && own < other ? [{ topic, key, at }] : []
      }),
    )
    return all.toSorted((a, b) => a.at - b.at)
  }

  #isOfPerson(key: string, topic: TopicModel<P>): boolean {
    const isRun = wordsOf(key).every(isUnspaced)
    const words = isRun ? [key.replaceAll(' ', '')] : key.split(' ')
    const isNamed = (all: readonly string[]) =>
      this.#people.filter((each) => all.every((word) => this.#names.get(each)!.has(word)))
    if (isNamed(words).length === 0) return false
    if (topic.shares.size < membersMin) return true
    const terms = key.split(' ')
    const isSurname = this.#strengthOf(topic) < 2 && isNamed([key]).length > topic.shares.size
    return (
      (terms.length > 1 || isSurname) &&
      terms.some((term) => {
        const named = isNamed([term]).length
        const held = this.#people.filter((each) => this.#texts.get(each)!.has(term)).length
        return named >= (isCommonWord(term) ? 2 : 1) && named * 2 >= held - topic.shares.size
      })
    )
  }

  #countryOf(written: string): Country | undefined {
    const key = phraseKey(termsOf(written))
    return this.#countries.find(({ names, codes }) =>
      [...names, ...codes].some((name) => key !== '' && phraseKey(termsOf(name)) === key),
    )
  }

  #calledOf(written: string): string[] {
    const country = this.#countryOf(written)
    const names = [...(country?.names ?? []), ...(country?.adjectives ?? [])]
    return phraseKey(termsOf(written)) === '' ? [] : [written, ...names]
  }

  /** The corrector's: a slip in a name is the matcher's. */
  #correct(words: readonly QueryWord[]): ExpectedFound<P> | undefined {
    const content = words.filter((word) => !isGlue(word))
    if (content.length === 1 && isCommonWord(content[0]!.text)) return undefined
    const unknown = this.#partsOf(words)
      .filter(({ topic, place }) => topic === undefined && place === undefined)
      .flatMap((part) => part.words)
      .filter((word) => !isGlue(word) && !this.#isKnown(word))
    if (unknown.length === 0 || unknown.length > 2) return undefined
    return this.#replace(words, unknown, content.length === 1)
  }

  #replace(
    words: readonly QueryWord[],
    unknown: readonly QueryWord[],
    isAlone: boolean,
  ): ExpectedFound<P> | undefined {
    const shortest = Math.min(...unknown.map(({ text }) => lettersSaid(text)))
    const once = unknown.map((word) => this.#near(word, 1))
    const twice = unknown.map((word) => this.#near(word, 2))
    const both = twice.map((each, index) => [...once[index]!, ...each])
    for (const near of [once, unknown.length === 1 ? twice : both]) {
      const texts = choices(words, unknown, near, tried)
      const topic = shortest >= 4 ? first(texts, (each) => this.#topicOf(each)) : undefined
      if (topic !== undefined) return { way: 'corrected', topic: topic.key }
      const others = shortest >= (isAlone ? 5 : 4) ? texts : []
      const found = first(others, (each) => this.#find(each))
      if (found !== undefined) return { ...found, way: 'corrected' } as ExpectedFound<P>
    }
    return undefined
  }

  #isKnown(word: QueryWord): boolean {
    if (word.terms.length > 1) return this.#vocabulary.includes(word.text)
    return this.#people.some((each) => holds(word, this.#texts.get(each)!))
  }

  /** The words of the vocabulary that are so many edits away, the commonest first. */
  #near({ text, isExact }: QueryWord, edits: number): QueryWord[] {
    const letters = [...text]
    const most = letters.length < 4 ? 0 : letters.length < 8 ? 1 : 2
    const isShort = [2, 3].includes(letters.length) && edits === 1
    if (isExact || (edits > most && !isShort)) return []
    const sizeOf = (term: string) =>
      this.#people.filter((each) => this.#texts.get(each)!.has(term)).length
    return this.#vocabulary
      .filter((term) => isNear(text, term, edits))
      .sort((a, b) => jamoBetween(text, a) - jamoBetween(text, b) || sizeOf(b) - sizeOf(a))
      .slice(0, 64)
      .map((term) => ({ text: term, terms: [term], isExact: false }))
      .filter((near) => !isGlue(near))
  }
}

/** Of two letters none is another one: too little would be left. */
function isNear(text: string, term: string, edits: number): boolean {
  const letters = [...term]
  const same = letters.filter((letter) => text.includes(letter)).length
  if (letters.length < edits * 3 && !(edits === 1 && letters.length === 2 && same === 2))
    return false
  if (distance([...text], letters) === edits) return true
  return edits === 1 && isHangul(text) && isHangul(term) && jamoBetween(text, term) === 1
}

function isHangul(text: string): boolean {
  return /[가-힣]/.test(text)
}

/** How many jamo are others, 4 where they are more; 1 where one of them is not of Hangul. */
function jamoBetween(text: string, term: string): number {
  if (!isHangul(text) || !isHangul(term)) return 1
  const [one, other] = [text, term].map((each) =>
    Array.from(jamoOf(Uint32Array.from([...each], (letter) => letter.codePointAt(0)!))!, String),
  )
  return Math.min(4, distance(one!, other!))
}

/** A syllable that is one character says as much as two letters. */
function lettersSaid(text: string): number {
  return [...text].reduce(
    (sum, letter) => sum + (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(letter) ? 2 : 1),
    0,
  )
}

/** In quotation marks words are exact. */
export function queryWords(query: string): QueryWord[] {
  const words = query
    .split(/["“”„«»]([^"“”„«»]*)["“”„«»]/u)
    .flatMap((part, index) => wordsOf(part).map((word) => ({ ...word, isExact: index % 2 === 1 })))
  return words.filter(({ text }, index) => text !== words[index - 1]?.text)
}

function isGlue({ text, isExact }: QueryWord): boolean {
  return !isExact && isStopWord(text)
}

function keyOf(words: readonly QueryWord[]): string {
  return phraseKey(words.flatMap(({ terms }) => terms))
}

function keysOfName(name: string): string[] {
  const terms = termsOf(name)
  const short = phraseKey(terms.filter((term) => !isStopWord(term)))
  return short === '' ? [phraseKey(terms)] : [phraseKey(terms), short]
}

/** Of other names a word without spaces is only found whole. */
export function nameTerms({ name, alsoKnownAs }: AuthorityRecord): string[] {
  return [
    ...wordsOf(name).flatMap(({ text, terms }) => [...terms, text]),
    ...alsoKnownAs.flatMap((other) => wordsOf(other).map(({ text }) => text)),
    ...[name, ...alsoKnownAs]
      .map(wordsOf)
      .filter((words) => words.length > 1 && words.every(isUnspaced))
      .map((words) => words.map(({ text }) => text).join('')),
  ]
}

/** Whether a word is held as it is written, or each of its terms. */
export function holdsWhole({ text, terms }: Word, held: ReadonlySet<string>): boolean {
  return held.has(text) || terms.every((term) => held.has(term))
}

/** In either number, unless it is exact. */
function holds(word: QueryWord, held: ReadonlySet<string>): boolean {
  if (word.isExact || word.terms.length > 1) return holdsWhole(word, held)
  return [...held].some((term) => numberless(term) === numberless(word.text))
}

function beginsIn({ text, terms, isExact }: QueryWord, held: ReadonlySet<string>): boolean {
  if (isExact || terms.length > 1 || text.length < 3) return false
  return [...held].some((term) => term.startsWith(text))
}

function choices(
  words: readonly QueryWord[],
  unknown: readonly QueryWord[],
  near: readonly (readonly QueryWord[])[],
  most: number,
): QueryWord[][] {
  let texts = [[...words]]
  unknown.forEach((word, index) => {
    texts = texts.flatMap((text) =>
      near[index]!.slice(0, most).map((other) =>
        text.map((each) => (each === word ? other : each)),
      ),
    )
  })
  return texts
}

function first<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** Letters missing, too many, other ones, and neighbours exchanged: by the definition, on all prefixes. */
export function distance(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchanged = isExchange ? table[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY
      table[i]![j] = Math.min(replaced, exchanged, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1)
    }
  }
  return table[a.length]![b.length]!
}
