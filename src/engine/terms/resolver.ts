/**
 * Resolves a text without a match to its most likely topic. A key counts only if the text matches
 * it word by word, because a wrong topic answers with strangers.
 */
import { type Texts, textAt } from '../../memory/text-table.ts'
import { BoundedCache } from '../bounded-cache.ts'
import {
  type Compared,
  comparedWordOf,
  hasLetters,
  type KeyLetters,
  keyLettersOf,
  mayBeLikely,
  wordLikeness,
} from './likeness.ts'
import type { QueryWord } from './query-word.ts'
import { TokenIndex, type TopicTokens } from './topic-tokens.ts'

/** The labels and aliases of topics, as the analyzer spells them, each with its topic. */
interface TopicKeys extends Texts {
  readonly topics: Uint32Array
}

interface TopicFacts {
  /** The number of members of a topic: of equal proposals the larger topic wins. */
  readonly sizeOf: (topic: number) => number
  /** Whether a word tells too much to be left out: that a person is meant, or a place, or who knows what. */
  readonly isTelling: (word: QueryWord) => boolean
}

/** Proposals that are compared: enough to hold the best, few enough for microseconds. */
const proposalsMax = 16

/** Keys that one term finds and that are looked at: more of them are left to be proposed. */
const lookedAtMax = 100

/** Keys that are kept read apart: some ten megabytes. */
const keysMax = 16_384

/** Words of the longest text that is compared. */
const wordsMax = 16

interface IndexedKey extends KeyLetters {
  readonly terms: readonly string[]
  readonly topic: number
}

/** The likeness of a text and a topic key; compared from the first field to the last. */
interface Likeness {
  /** The sum over the text's words of how well each is matched by a term of the key, 0 to 1. */
  readonly matched: number
  /** Terms of the key that nothing in the text matches. */
  readonly surplus: number
  readonly size: number
}

export class Resolver {
  readonly #texts: TopicKeys
  /** Those that were compared: made when they first are. */
  readonly #keys = new BoundedCache<number, IndexedKey>(keysMax)
  readonly #slips: TokenIndex
  readonly #beginnings: TokenIndex
  readonly #makeKey = (entry: number) => this.#readKey(entry)
  /** Scratch of a comparison: the terms of the key that were used, and the words that match none. */
  readonly #used: number[] = []
  readonly #unmatched: QueryWord[] = []

  constructor(keys: TopicKeys, { slips, beginnings }: TopicTokens) {
    this.#texts = keys
    this.#slips = new TokenIndex(slips)
    this.#beginnings = new TokenIndex(beginnings)
  }

  resolve(words: readonly QueryWord[], facts: TopicFacts): number | undefined {
    if (words.length > wordsMax) return undefined
    const terms = words.flatMap((word) => word.terms)
    // Most texts have no beginning and no slip of any key.
    if (!this.#mayBeProposed(terms)) return undefined
    const compared = words.map(comparedWordOf)
    if (terms.length > 1 && !this.#mayBeLikely(compared, terms, facts)) return undefined
    let best: { likeness: Likeness; topic: number } | undefined
    for (const entry of this.#propose(terms)) {
      const likeness = this.#likenessOf(compared, entry, facts)
      if (likeness === undefined) continue
      const { topic } = this.#keyOf(entry)
      if (best === undefined || isBetter(likeness, best.likeness)) best = { likeness, topic }
    }
    return best?.topic
  }

  /**
   * Whether the text may be about any key: of several terms only those are proposed that each of them
   * finds alone, and to look at a few is quicker than to have them proposed in an order.
   */
  #mayBeLikely(words: readonly Compared[], terms: readonly string[], facts: TopicFacts): boolean {
    const isLikely = (entry: number) =>
      hasLetters(words, this.#keyOf(entry)) && this.#likenessOf(words, entry, facts) !== undefined
    return [this.#slips, this.#beginnings].some((index) =>
      terms.some((term) => index.hasKey(term, lookedAtMax, isLikely)),
    )
  }

  #mayBeProposed(terms: readonly string[]): boolean {
    for (let at = 0; at < terms.length; at += 1) {
      if (this.#slips.isToken(terms[at]!) || this.#beginnings.isToken(terms[at]!)) return true
    }
    return false
  }

  #propose(terms: readonly string[]): Iterable<number> {
    const indexes = [this.#slips, this.#beginnings]
    return new Set(indexes.flatMap((index) => index.find(terms, proposalsMax)))
  }

  #keyOf(entry: number): IndexedKey {
    return this.#keys.get(entry, this.#makeKey)
  }

  #readKey(entry: number): IndexedKey {
    const terms = textAt(this.#texts, entry).split(' ')
    return { terms, topic: this.#texts.topics[entry]!, ...keyLettersOf(terms) }
  }

  #likenessOf(words: readonly Compared[], entry: number, facts: TopicFacts): Likeness | undefined {
    const { terms, topic } = this.#keyOf(entry)
    const used = this.#used
    const unmatched = this.#unmatched
    let usedCount = 0
    let unmatchedCount = 0
    let matched = 0
    for (const compared of words) {
      let best = 0
      let at = -1
      for (let index = 0; index < terms.length; index += 1) {
        const alike = isAmong(used, usedCount, index) ? 0 : wordLikeness(compared, terms[index]!)
        if (alike > best) {
          best = alike
          at = index
        }
      }
      if (at >= 0) used[usedCount++] = at
      else unmatched[unmatchedCount++] = compared.word
      matched += best
      // Most keys share no more than one word, and are left here.
      if (!mayBeLikely(unmatchedCount, words.length, terms.length)) return undefined
    }
    for (let at = 0; at < unmatchedCount; at += 1) {
      if (facts.isTelling(unmatched[at]!)) return undefined
    }
    return { matched, surplus: terms.length - usedCount, size: facts.sizeOf(topic) }
  }
}

function isAmong(numbers: readonly number[], count: number, number: number): boolean {
  for (let at = 0; at < count; at += 1) if (numbers[at] === number) return true
  return false
}

function isBetter(a: Likeness, b: Likeness): boolean {
  if (a.matched !== b.matched) return a.matched > b.matched
  if (a.surplus !== b.surplus) return a.surplus < b.surplus
  return a.size > b.size
}
