/** Finds keys of topics by their tokens: spellings of a term that is half written or has a slip. */
import {
  firstWith,
  type HashBuckets,
  hasHash,
  hashText,
  valuesOf,
} from '../../memory/hash-buckets.ts'
import { tokenSlotBits, tokenSlots } from '../../snapshot/sections.ts'

/** The tokens of all keys: as a value the key times 16, and the slot of the term that the token is of. */
export interface TopicTokens {
  /** The terms up to each of their letters. */
  readonly beginnings: HashBuckets
  /** The terms, and those without a letter or with two neighbours exchanged. */
  readonly slips: HashBuckets
}

export class TokenIndex {
  readonly #tokens: HashBuckets

  constructor(tokens: HashBuckets) {
    this.#tokens = tokens
  }

  /**
   * Those of the most terms first, of equals those in which they stand nearest to the beginning.
   */
  find(terms: readonly string[], most: number): readonly number[] {
    const lists = [...new Set(terms)].map((term) => this.#placesOf(term))
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

  /** The places of a token, by slot and key; the first where they are too many. */
  #placesOf(token: string, most?: number): readonly number[] {
    return valuesOf(this.#tokens, hashText(token), most)
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
