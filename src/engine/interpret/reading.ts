/**
 * A reading of a text: the parts that a person must match, words by name, or parts by anything; and whom it found.
 *
 * Invariant: the objects of the first reading of a text that finds anybody are filled in anew for the next text; a
 * text in which several readings find people has objects of its own for each of the others.
 */
import type { QueryPart, QueryWord } from '../terms/query-word.ts'
import type { Found, Matched, Tier, Way } from './found.ts'
import type { TopicOrder } from './ranking.ts'

const none: readonly never[] = []

/** A reading, to be filled in. */
export class Reading {
  /** All words of the text. */
  words: readonly QueryWord[] = none
  /** Those that a person must have by name. */
  names: readonly QueryWord[] = none
  parts: readonly QueryPart[] = none
  /** Whether only names count. */
  isOfNames = false
  /** Whether the last word may be the beginning of another. */
  isBegun = false
  /** The order of its topics, if one was ever needed, and the ranks in it. */
  order: TopicOrder | undefined = undefined
  readonly ranks: number[] = []
  readonly found: FoundByReading

  /** @param wordsOf the sets of those who match the parts of a reading. */
  constructor(wordsOf: (reading: Reading) => Tier) {
    this.found = new FoundByReading(new MatchedByReading(this, wordsOf))
  }
}

/** The people whom a reading found. */
class FoundByReading implements Found {
  way: Way = 'words'
  readonly topic = -1
  ordinals: ArrayLike<number> = none
  ranks: ArrayLike<number> = none
  parts: readonly QueryPart[] = none
  leftOut: readonly string[] = none
  readonly corrected = none
  readonly matched: MatchedByReading

  constructor(matched: MatchedByReading) {
    this.matched = matched
  }
}

/** Everybody whom a reading matches: those who match its parts are found when a page asks. */
class MatchedByReading implements Matched {
  names: readonly Tier[] = none
  equals = 0
  order: TopicOrder | undefined = undefined
  isRanked = false
  readonly #reading: Reading
  readonly #wordsOf: (reading: Reading) => Tier

  constructor(reading: Reading, wordsOf: (reading: Reading) => Tier) {
    this.#reading = reading
    this.#wordsOf = wordsOf
  }

  get words(): Tier {
    return this.#wordsOf(this.#reading)
  }
}
