/**
 * Resolves a text without a match to its most likely topic. A key counts only if the text matches
 * it word by word, because a wrong topic answers with strangers.
 */
import {
  firstWith,
  type HashBuckets,
  hasHash,
  hashText,
  valuesOf,
} from '../../memory/hash-buckets.ts'
import { textAt } from '../../memory/text-table.ts'
import { tokenSlotBits, tokenSlots } from '../../snapshot/sections.ts'
import { bucketsOf } from '../../snapshot/text-tables.ts'
import { remembered } from '../bounded-cache.ts'
import type { Catalog } from '../catalog.ts'
import {
  type Compared,
  comparedWordOf,
  hasLetters,
  type Key,
  keyOf,
  mayBeLikely,
  wordLikeness,
} from './likeness.ts'
import type { QueryWord } from './query-word.ts'

/** Whether a word tells too much to be left out: that a person is meant, or a place, or who knows what. */
type IsTelling = (word: QueryWord) => boolean

/** Proposals that are compared: enough to hold the best, few enough for microseconds. */
const proposalsMax = 16

/** Keys that one term finds and that are looked at: more of them are left to be proposed. */
const lookedAtMax = 100

/** Keys that are kept read apart: some ten megabytes. */
const keysMax = 16_384

/** Words of the longest text that is compared. */
const wordsMax = 16

interface TopicKey extends Key {
  readonly topic: number
}

/** The likeness of a text and a topic key; compared from the first number to the last. */
interface Likeness {
  readonly topic: number
  /** The sum over the text's words of how well each is matched by a term of the key, 0 to 1. */
  readonly matched: number
  /** Terms of the key that nothing in the text matches. */
  readonly surplus: number
  readonly size: number
}

export class Resolver {
  readonly #catalog: Catalog
  readonly #slips: TokenIndex
  readonly #beginnings: TokenIndex
  readonly #keyOf = remembered(keysMax, (entry: number) => this.#readKey(entry))
  /** Scratch of a comparison: the terms of the key that were used, and the words that match none. */
  readonly #used: number[] = []
  readonly #unmatched: QueryWord[] = []

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#slips = new TokenIndex(bucketsOf(catalog.sections, 'topic-slip'))
    this.#beginnings = new TokenIndex(bucketsOf(catalog.sections, 'topic-beginning'))
  }

  resolve(words: readonly QueryWord[], isTelling: IsTelling = tellsNothing): number | undefined {
    if (words.length > wordsMax) return undefined
    const terms = words.flatMap((word) => word.terms)
    // Most texts have no beginning and no slip of any key.
    if (!this.#mayBeProposed(terms)) return undefined
    const compared = words.map(comparedWordOf)
    if (terms.length > 1 && !this.#mayBeLikely(compared, terms, isTelling)) return undefined
    const indexes = [this.#slips, this.#beginnings]
    let best: Likeness | undefined
    for (const entry of new Set(indexes.flatMap((each) => each.find(terms, proposalsMax)))) {
      const likeness = this.#likenessOf(compared, entry, isTelling)
      if (best === undefined || (likeness && isBetter(likeness, best))) best = likeness
    }
    return best?.topic
  }

  /**
   * Whether the text may be about any key: of several terms only those are proposed that each of them
   * finds alone, and to look at a few is quicker than to have them proposed in an order.
   */
  #mayBeLikely(
    words: readonly Compared[],
    terms: readonly string[],
    isTelling: IsTelling,
  ): boolean {
    const isLikely = (entry: number) =>
      hasLetters(words, this.#keyOf(entry)) &&
      this.#likenessOf(words, entry, isTelling) !== undefined
    return [this.#slips, this.#beginnings].some((index) =>
      terms.some((term) => index.hasKey(term, lookedAtMax, isLikely)),
    )
  }

  #mayBeProposed(terms: readonly string[]): boolean {
    return terms.some((term) => this.#slips.isToken(term) || this.#beginnings.isToken(term))
  }

  #readKey(entry: number): TopicKey {
    const terms = textAt(this.#catalog.tableOf('topic-key'), entry).split(' ')
    return { topic: this.#catalog.sections['topic-key.topics'][entry]!, ...keyOf(terms) }
  }

  #likenessOf(
    words: readonly Compared[],
    entry: number,
    isTelling: IsTelling,
  ): Likeness | undefined {
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
      if (isTelling(unmatched[at]!)) return undefined
    }
    return { topic, matched, surplus: terms.length - usedCount, size: this.#catalog.sizeOf(topic) }
  }
}

function tellsNothing(): boolean {
  return false
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

/** Keys by their tokens: spellings of a term that is half written or has a slip. */
export class TokenIndex {
  readonly #tokens: HashBuckets

  constructor(tokens: HashBuckets) {
    this.#tokens = tokens
  }

  /**
   * Those of the most terms first, of equals those in which they stand nearest to the beginning.
   */
  find(terms: readonly string[], most: number): readonly number[] {
    const lists = [...new Set(terms)].map((term) => valuesOf(this.#tokens, hashText(term)))
    return inOrder(
      lists.filter(({ length }) => length > 0),
      most,
    )
  }

  isToken(term: string): boolean {
    return hasHash(this.#tokens, hashText(term))
  }

  /** Whether any key that a term is a token of passes a test; true, too, where there are `most` or more. */
  hasKey(term: string, most: number, test: (key: number) => boolean): boolean {
    const hash = hashText(term)
    let count = 0
    const isMost = () => {
      count += 1
      return count === most
    }
    if (firstWith(this.#tokens, hash, isMost) >= 0) return true
    return firstWith(this.#tokens, hash, (place) => test(place >>> tokenSlotBits)) >= 0
  }
}

/** Keys by how many lists hold them: each place of `byCount` holds the keys met once more than the place before. */
function inOrder(lists: readonly (readonly number[])[], most: number): readonly number[] {
  const counts = new Map<number, number>()
  const byCount: number[][] = lists.map(() => [])
  const all = byCount.at(-1)
  const next = lists.map(() => 0)
  for (let slot = 0; slot < tokenSlots; slot += 1) {
    for (const [index, list] of lists.entries()) {
      for (; slotAt(list, next[index]!) === slot; next[index]! += 1) {
        const key = list[next[index]!]! >>> tokenSlotBits
        const count = counts.get(key) ?? 0
        counts.set(key, count + 1)
        byCount[count]!.push(key)
        if (all!.length === most) return all!
      }
    }
  }
  return [...new Set(byCount.toReversed().flat())].slice(0, most)
}

function slotAt(list: readonly number[], at: number): number {
  return at < list.length ? list[at]! & ((1 << tokenSlotBits) - 1) : -1
}
