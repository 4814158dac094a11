/**
 * Corrections: replaces a word without a match by the nearest known word, so that a person matches the
 * whole text. Known words stay as they are.
 */
import { editsOf, lettersSaidBy } from '../../text/edits.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'
import { isAnybodyIn } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import { QueryWord } from '../terms/query-word.ts'
import type { Correction, Found, Tier } from './found.ts'
import type { People } from './people.ts'
import { isUnderstood, type PhraseReader } from './phrases.ts'
import { joinedOf, type Words } from './words.ts'

/** The reading of a corrected text: a topic, or people. */
interface Corrected {
  readonly corrected: readonly Correction[]
  /** The topic that the whole text means then, if it is one. */
  readonly topic?: number
  readonly found?: Found
}

/** Words that may be corrected in one text: of one with more nothing certain is left. */
const unknownMax = 2

/** Other words that are tried for each of two, and for one where every meaning is tried. */
const fewTried = 12

/**
 * Letters of the shortest word that is corrected by what the text is taken for. A short word is near
 * to a great many (of random ones of four letters a quarter, measured with 40,000 terms): alone it
 * means a topic or nothing, and a shorter one must stand in a name that has the other words.
 */
const lettersMin = {
  alone: { topic: 4, name: 5, words: 5 },
  amongOthers: { topic: 4, name: 2, words: 4 },
} as const

/** A text with other words in place of some. */
type Replaced = readonly QueryWord[]

/** One trial: the words that no person has, and the terms near to each of them. */
interface Trial {
  readonly words: readonly QueryWord[]
  readonly unknown: readonly QueryWord[]
  readonly near: readonly Iterable<number>[]
  readonly lettersMin: (typeof lettersMin)[keyof typeof lettersMin]
}

export class Corrector {
  readonly #postings: Postings
  readonly #dictionary: FuzzyTermIndex
  readonly #words: Words
  readonly #phrases: PhraseReader
  readonly #people: People
  /** Words of the terms that were tried for the last text: three ways try the same ones. */
  readonly #tried = new Map<number, QueryWord>()

  constructor(
    postings: Postings,
    dictionary: FuzzyTermIndex,
    words: Words,
    phrases: PhraseReader,
    people: People,
  ) {
    this.#postings = postings
    this.#dictionary = dictionary
    this.#words = words
    this.#phrases = phrases
    this.#people = people
  }

  /** The nearest text that finds anybody, or undefined. */
  correct(words: readonly QueryWord[], limit: number): Corrected | undefined {
    this.#tried.clear()
    return this.#asWritten(words, limit) ?? this.#joined(words, limit)
  }

  /** A name in a script without spaces that is written with some, and with one slip. */
  #joined(words: readonly QueryWord[], limit: number): Corrected | undefined {
    const others = words.filter(({ isStop }) => isStop)
    for (const name of joinedOf(words)) {
      const near = [this.#near(name, 1)]
      const text = [...others, name]
      const trial = { words: text, unknown: [name], near, lettersMin: lettersMin.alone }
      const found = this.#name(trial, limit)
      if (found !== undefined) return found
    }
    return undefined
  }

  #asWritten(words: readonly QueryWord[], limit: number): Corrected | undefined {
    const unknown = this.#unknownOf(words)
    const content = words.filter(({ isStop }) => !isStop)
    if (this.#isMeant(content, unknown)) return undefined
    if (unknown.length > 0) {
      return this.#firstOf(words, unknown, content.length, (trial) => {
        return this.#topic(trial) ?? this.#name(trial, limit) ?? this.#anything(trial, limit)
      })
    }
    // Of a name with a slip somebody may have written the word, though nobody is called so.
    const nameless = content.filter((word) => this.#words.named(word).size === 0)
    if (nameless.length > 1 || content.length === 1) return undefined
    return this.#firstOf(words, nameless, content.length, (trial) => this.#name(trial, limit))
  }

  /** The result with the fewest edits. */
  #firstOf(
    words: readonly QueryWord[],
    unknown: readonly QueryWord[],
    contentWords: number,
    find: (trial: Trial) => Corrected | undefined,
  ): Corrected | undefined {
    if (unknown.length === 0 || unknown.length > unknownMax) return undefined
    // If no term is near to one of two words, the other need not be looked for.
    if (unknown.length > 1 && this.#isNothingNear(unknown)) return undefined
    const letters = lettersMin[contentWords === 1 ? 'alone' : 'amongOthers']
    const once = unknown.map((word) => this.#near(word, 1))
    const found = find({ words, unknown, near: once, lettersMin: letters })
    if (found !== undefined) return found
    const twice = unknown.map((word) => this.#near(word, 2))
    if (twice.every((each) => each.length === 0)) return undefined
    // One of two words may have suffered less than the other.
    const near = unknown.length === 1 ? twice : twice.map((each, at) => [...once[at]!, ...each])
    return find({ words, unknown, near, lettersMin: letters })
  }

  /** Whether no term is near to one of some words; of the shortest there are the fewest. */
  #isNothingNear(words: readonly QueryWord[]): boolean {
    return words
      .toSorted((a, b) => a.text.length - b.text.length)
      .some((word) => this.#near(word, 1).length === 0 && this.#near(word, 2).length === 0)
  }

  /** Whether no term there is comes near to a word, begins with it or is it. */
  isLikeNone(word: QueryWord): boolean {
    if (word.terms.length > 1 || !this.#isUnknown(word)) return false
    if (this.#words.beginning('word', word).size > 0) return false
    return this.#isNothingNear([word])
  }

  /** The words that nobody has and that mean nothing; of exact ones none can be replaced. */
  #unknownOf(words: readonly QueryWord[]): readonly QueryWord[] {
    return this.#phrases
      .partsOf(words)
      .filter((part) => !isUnderstood(part))
      .flatMap((part) => part.words)
      .filter((word) => !word.isStop && this.#isUnknown(word))
  }

  /** Whether all words are common English: what stands alone, and nobody has, was meant as it was typed. */
  #isMeant(content: readonly QueryWord[], unknown: readonly QueryWord[]): boolean {
    if (content.length !== 1 && content.length !== unknown.length) return false
    return content.length > 0 && content.every(({ text }) => isCommonWord(text))
  }

  /** A run of characters is known as a whole: each of them somebody has. */
  #isUnknown(word: QueryWord): boolean {
    if (word.terms.length > 1) return this.#postings.numberOf(word.text) < 0
    return this.#words.holding(word).size === 0
  }

  /** Terms near to a word that may have suffered so many edits, the commonest first. */
  #near({ text, isExact }: QueryWord, edits: 1 | 2): readonly number[] {
    const letters = [...text].length
    const isShort = letters < lettersMin.amongOthers.words
    const most = isShort && letters >= lettersMin.amongOthers.name ? 1 : editsOf(letters)
    if (isExact || most < edits) return []
    const near = this.#dictionary.near(text, edits)
    return edits === 1 ? near : near.filter((term) => beginAlike(text, this.#postings.textOf(term)))
  }

  /** The first of some terms as words, at most so many; none that only asks. */
  *#wordsOf(terms: Iterable<number>, most: number): Iterable<QueryWord> {
    let left = most
    for (const term of terms) {
      const word = this.#wordOf(term)
      if (word.isStop) continue
      if (left === 0) return
      left -= 1
      yield word
    }
  }

  #wordOf(term: number): QueryWord {
    const tried = this.#tried.get(term)
    if (tried !== undefined) return tried
    const text = this.#postings.textOf(term)
    const word = new QueryWord({ text, terms: [text] })
    this.#tried.set(term, word)
    return word
  }

  /** The text with each choice of at most `most` other words for those that are unknown. */
  *#replacements(
    { words, unknown, near }: Trial,
    letters: number,
    most: number,
  ): Iterable<Replaced> {
    if (unknown.some(({ text }) => lettersSaidBy(text) < letters)) return
    const [first, second] = unknown
    const [ones = [], twos = []] = near
    const others = [...this.#wordsOf(twos, most)]
    for (const one of this.#wordsOf(ones, most)) {
      const once = words.map((word) => (word === first ? one : word))
      if (second === undefined) yield once
      else for (const two of others) yield once.map((word) => (word === second ? two : word))
    }
  }

  /** The topic that the whole text is then. */
  #topic(trial: Trial): Corrected | undefined {
    for (const replaced of this.#replacements(trial, trial.lettersMin.topic, fewTried)) {
      const topic = this.#phrases.topicOf(replaced)
      if (topic >= 0) return { topic, corrected: differences(trial.words, replaced) }
    }
    return undefined
  }

  /** Those whose name it is then, with the words that only ask or without. */
  #name(trial: Trial, limit: number): Corrected | undefined {
    const { words, unknown } = trial
    const known = words.filter((word) => !unknown.includes(word))
    const texts = [known, known.filter(({ isStop }) => !isStop)]
      .map((text) => text.map((word) => this.#words.named(word)))
      .filter((holders) => holders.every(({ size }) => size > 0))
    if (texts.length === 0) return undefined
    for (const replaced of this.#names(trial, texts)) {
      const found = this.#people.find(replaced, limit)
      if (found !== undefined) return { found, corrected: differences(words, replaced) }
    }
    return undefined
  }

  /** Names with the known words: with all words near to one, or with some of those near to two. */
  *#names(trial: Trial, known: readonly Tier[]): Iterable<Replaced> {
    const { words, unknown, near, lettersMin: letters } = trial
    const isHeld = (others: Tier) => known.some((text) => isAnybodyIn([...text, ...others]))
    if (unknown.length === 1) {
      const names = near.map((terms) => this.#held(terms, isHeld))
      yield* this.#replacements({ ...trial, near: names }, letters.name, Number.POSITIVE_INFINITY)
      return
    }
    for (const replaced of this.#replacements(trial, letters.name, fewTried)) {
      const others = replaced.filter((word) => !words.includes(word))
      if (isHeld(others.map((word) => this.#words.named(word)))) yield replaced
    }
  }

  /** The terms of names that pass a test, one after the other as they are wanted. */
  *#held(terms: Iterable<number>, isHeld: (name: Tier) => boolean): Iterable<number> {
    for (const term of terms) {
      if (this.#postings.size('name', term) === 0) continue
      if (isHeld([this.#postings.list('name', term)])) yield term
    }
  }

  /** Whether a text says more than two guesses that only texts hold: a word is as it was, or each is a name or meant. */
  #isAnchored({ words, unknown }: Trial, replaced: Replaced): boolean {
    if (unknown.length < 2 || words.some((word) => !word.isStop && !unknown.includes(word)))
      return true
    return this.#phrases
      .partsOf(replaced)
      .every(
        (part) =>
          isUnderstood(part) ||
          part.words.every((word) => word.isStop || this.#words.named(word).size > 0),
      )
  }

  /** The people whom the corrected text finds. */
  #anything(trial: Trial, limit: number): Corrected | undefined {
    for (const replaced of this.#replacements(trial, trial.lettersMin.words, fewTried)) {
      if (!this.#isAnchored(trial, replaced)) continue
      const found = this.#people.find(replaced, limit)
      if (found !== undefined) return { found, corrected: differences(trial.words, replaced) }
    }
    return undefined
  }
}

/** Whether two words begin with the same letter: of two slips hardly one is in the first. */
function beginAlike(one: string, other: string): boolean {
  return one.codePointAt(0) === other.codePointAt(0)
}

function differences(words: readonly QueryWord[], replaced: Replaced): Correction[] {
  return words.flatMap((word, index) => {
    const other = replaced[index]!
    return other === word ? [] : [{ from: word.text, to: other.text }]
  })
}
