/**
 * Corrections: replaces a word without a match by the nearest known word, so that a person matches the
 * whole text. Known words stay as they are.
 */
import { editsOf, lettersIn, lettersSaidBy } from '../../text/edits.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'
import type { Postings } from '../postings/postings.ts'
import type { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import type { QueryWord } from '../terms/query-word.ts'
import type { Correction, Found } from './found.ts'
import type { People } from './people.ts'
import { isUnderstood, type PhraseReader } from './phrases.ts'
import type { Words } from './words.ts'

interface Corrected {
  readonly corrected: readonly Correction[]
  readonly topic?: number
  readonly found?: Found
}

/** Words that may be corrected in one text: of one with more nothing certain is left. */
const unknownMax = 2

/** Other words that are tried for each of two, and for one where every meaning is tried. */
const fewTried = 12

/** A word of four letters is near to a quarter of random ones (measured with 40,000 terms). */
const lettersMin = { like: 2, corrected: 4, alone: 5 } as const

type Replaced = readonly QueryWord[]

/** One trial: the words that no person has, and the terms near to each of them, of each at least one. */
interface Trial {
  readonly words: readonly QueryWord[]
  readonly unknown: readonly QueryWord[]
  readonly near: readonly (readonly number[])[]
  readonly isAlone: boolean
}

const none: readonly never[] = []

export class Corrector {
  readonly #postings: Postings
  readonly #dictionary: FuzzyTermIndex
  readonly #words: Words
  readonly #phrases: PhraseReader
  readonly #people: People

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
    const unknown = this.#unknownOf(words)
    const content = words.some(isStopWord) ? words.filter((word) => !word.isStop) : words
    if (this.#isMeant(content, unknown)) return undefined
    if (unknown.length === 0 || unknown.length > unknownMax) return undefined
    // If no term is near to one of the words, the other need not be looked for.
    const isLonely = (word: QueryWord) =>
      !isSome(this.#near(word, 1)) && !isSome(this.#near(word, 2))
    if (unknown.some(isLonely)) return undefined
    const isAlone = content.length === 1
    const once = unknown.map((word) => this.#near(word, 1))
    if (once.every(isSome)) {
      const found = this.#tryAll({ words, unknown, near: once, isAlone }, limit)
      if (found !== undefined) return found
    }
    const twice = unknown.map((word) => this.#near(word, 2))
    if (!twice.some(isSome)) return undefined
    // One of two words may have suffered less than the other.
    const near = unknown.length === 1 ? twice : twice.map((each, at) => [...once[at]!, ...each])
    return this.#tryAll({ words, unknown, near, isAlone }, limit)
  }

  #tryAll(trial: Trial, limit: number): Corrected | undefined {
    return this.#topic(trial) ?? this.#anything(trial, limit)
  }

  /** The words that nobody has and that mean nothing; of exact ones none can be replaced. */
  #unknownOf(words: readonly QueryWord[]): readonly QueryWord[] {
    let unknown: QueryWord[] | undefined
    for (const part of this.#phrases.partsOf(words)) {
      if (isUnderstood(part)) continue
      for (const word of part.words) {
        if (word.isStop || !this.#isUnknown(word)) continue
        unknown ??= []
        unknown.push(word)
      }
    }
    return unknown ?? none
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

  #near({ text, isExact }: QueryWord, edits: 1 | 2): readonly number[] {
    const letters = lettersIn(text)
    const isShort = letters < lettersMin.corrected && letters >= lettersMin.like
    const most = isShort ? 1 : editsOf(letters)
    if (isExact || most < edits) return none
    const near = this.#dictionary.near(text, edits)
    if (edits === 1 || near.length === 0) return near
    // Of two slips hardly one is in the first letter.
    const first = text.codePointAt(0)!
    const beginsAlike = (term: number) => this.#postings.firstLetterOf(term) === first
    return near.every(beginsAlike) ? near : near.filter(beginsAlike)
  }

  #wordsOf(terms: readonly number[], most: number): readonly QueryWord[] {
    const words: QueryWord[] = []
    for (let at = 0; at < terms.length && words.length < most; at += 1) {
      const word = this.#words.wordOf(this.#postings.textOf(terms[at]!))
      if (!word.isStop) words.push(word)
    }
    return words
  }

  #firstReplaced<T>(
    { words, unknown, near }: Trial,
    letters: number,
    make: (replaced: Replaced) => T | undefined,
  ): T | undefined {
    if (unknown.some(({ text }) => lettersSaidBy(text) < letters)) return undefined
    const at = words.indexOf(unknown[0]!)
    const other = unknown.length === 1 ? -1 : words.indexOf(unknown[1]!)
    const ones = this.#wordsOf(near[0]!, fewTried)
    const others = other < 0 ? none : this.#wordsOf(near[1]!, fewTried)
    for (const one of ones) {
      const first = words.with(at, one)
      const texts = other < 0 ? [first] : others.map((each) => first.with(other, each))
      for (const text of texts) {
        const made = make(text)
        if (made !== undefined) return made
      }
    }
    return undefined
  }

  #topic(trial: Trial): Corrected | undefined {
    return this.#firstReplaced(trial, lettersMin.corrected, (replaced) => {
      const topic = this.#phrases.topicOf(replaced)
      return topic < 0 ? undefined : { topic, corrected: differences(trial.words, replaced) }
    })
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

  #anything(trial: Trial, limit: number): Corrected | undefined {
    const letters = trial.isAlone ? lettersMin.alone : lettersMin.corrected
    return this.#firstReplaced(trial, letters, (replaced) => {
      if (!this.#isAnchored(trial, replaced)) return undefined
      const found = this.#people.find(replaced, limit)
      return found && { found, corrected: differences(trial.words, replaced) }
    })
  }
}

function isStopWord({ isStop }: QueryWord): boolean {
  return isStop
}

function isSome({ length }: readonly number[]): boolean {
  return length > 0
}

function differences(words: readonly QueryWord[], replaced: Replaced): Correction[] {
  return words.flatMap((word, index) => {
    const other = replaced[index]!
    return other === word ? [] : [{ from: word.text, to: other.text }]
  })
}
