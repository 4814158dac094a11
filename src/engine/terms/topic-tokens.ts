/**
 * Tokens of the keys of topics: the spellings of a term that is half written or has a slip. The loading
 * thread derives them once, in memory that all threads share. They find the keys that a text may mean. A
 * token is stored as its hash; a key found through a hash collision is compared with the text like any
 * other.
 */

import { type NumberColumn, uint32Column } from '../../memory/columns.ts'
import { mixHash, noBytesHash, type Texts, textAt } from '../../memory/text-table.ts'
import type { Sections } from '../../snapshot/sections.ts'
import {
  firstWith,
  type HashBuckets,
  hasHash,
  hashOn,
  hashText,
  inBuckets,
  valuesOf,
} from './hash-buckets.ts'

/** The way tokens are made of a term. */
export type TokenKind = 'beginnings' | 'slips'

/** All tokens of all keys: as a value the key times 16, and the slot of the term that the token is of. */
export type TopicTokens = Readonly<Record<TokenKind, HashBuckets>>

/** Places of terms in a key; terms of longer keys share some. */
const slots = 9
const slotBits = 4

/** Shows the hashes of the tokens of a term. */
type ShowTokens = (term: string, show: (hash: number) => void) => void

const showTokens: Readonly<Record<TokenKind, ShowTokens>> = {
  /** The term up to each of its letters. */
  beginnings: (term, show) => {
    let hash = noBytesHash
    for (let at = 0; at < term.length; at += 1) {
      hash = hashOn(hash, term, at, at + 1)
      show(mixHash(hash))
    }
  },

  /** The term; and of three letters or more without each of them, or two neighbours exchanged, but for the first. */
  slips: (term, show) => {
    const { length } = term
    show(hashText(term))
    if (length < 3) return
    let before = hashOn(noBytesHash, term, 0, 1)
    for (let at = 1; at < length; at += 1) {
      show(mixHash(hashOn(before, term, at + 1, length)))
      if (at + 1 < length) {
        const exchanged = hashOn(hashOn(before, term, at + 1, at + 2), term, at, at + 1)
        show(mixHash(hashOn(exchanged, term, at + 2, length)))
      }
      before = hashOn(before, term, at, at + 1)
    }
  },
}

/** The slot of one of so many terms of a key. */
function slotOf(index: number, terms: number): number {
  if (index === 0 || terms <= slots) return index
  return Math.trunc(((slots - 1) / terms) * index + 1)
}

/**
 * The tokens of the keys of topics: 50 ms of processor time for 14,000 keys.
 * @param rest called between steps of tenths of a millisecond.
 */
export function topicTokensOf(sections: Sections, rest?: () => void): TopicTokens {
  const keys = { text: sections['topic-key.text'], ends: sections['topic-key.ends'] }
  return { beginnings: tokensOf('beginnings', keys, rest), slips: tokensOf('slips', keys, rest) }
}

/** The same, made when it is first read: a sync that probes its snapshot mostly needs none of it. */
export function tokensWhenRead(sections: Sections): TopicTokens {
  let made: TopicTokens | undefined
  const tokens = (kind: TokenKind) => {
    made ??= topicTokensOf(sections)
    return made[kind]
  }
  return {
    get beginnings() {
      return tokens('beginnings')
    },
    get slips() {
      return tokens('slips')
    },
  }
}

/**
 * The tokens of some keys, each once for a key, in each bucket by slot, of equals in their order.
 * O(letters), of slips O(letters of each term squared).
 */
export function tokensOf(kind: TokenKind, keys: Texts, rest: () => void = () => {}): HashBuckets {
  const hashes = Array.from({ length: slots }, uint32Column)
  const places = Array.from({ length: slots }, uint32Column)
  const made = new FewHashes()
  for (let key = 0; key < keys.ends.length; key += 1) {
    rest()
    const terms = textAt(keys, key).split(' ')
    made.clear()
    terms.forEach((term, index) => {
      // A term before it has left this token, and is found by it.
      if (made.has(hashText(term))) return
      const slot = slotOf(index, terms.length)
      showTokens[kind](term, (hash) => {
        if (made.has(hash)) return
        made.add(hash)
        hashes[slot]!.push(hash)
        places[slot]!.push(key * (1 << slotBits) + slot)
      })
    })
  }
  return inBuckets(joined(hashes), joined(places), rest)
}

/** Distinct hashes of one key: few enough that looking at each is three times as fast as a Set. */
class FewHashes {
  readonly #hashes: number[] = []
  #length = 0

  clear(): void {
    this.#length = 0
  }

  has(hash: number): boolean {
    for (let at = 0; at < this.#length; at += 1) if (this.#hashes[at] === hash) return true
    return false
  }

  add(hash: number): void {
    this.#hashes[this.#length] = hash
    this.#length += 1
  }
}

/** All elements of some columns, one column behind the other. */
function joined(columns: readonly NumberColumn<Uint32Array>[]): Uint32Array {
  const whole = new Uint32Array(columns.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const column of columns) {
    whole.set(column.view(), at)
    at += column.length
  }
  return whole
}

/** Finds keys by their tokens. */
export class TokenIndex {
  readonly #tokens: HashBuckets

  constructor(tokens: HashBuckets) {
    this.#tokens = tokens
  }

  /**
   * The keys that some terms are tokens of, `most` at most: those of the most terms first, of equals
   * those in which they stand nearest to the beginning, then the first.
   */
  find(terms: readonly string[], most: number): readonly number[] {
    const lists = [...new Set(terms)].map((term) => this.#placesOf(term))
    return inOrder(
      lists.filter(({ length }) => length > 0),
      most,
    )
  }

  /** Whether a term is a token of any key. */
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
    return firstWith(this.#tokens, hash, (place) => test(place >>> slotBits)) >= 0
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
  for (let slot = 0; slot < slots; slot += 1) {
    for (const [index, list] of lists.entries()) {
      for (; slotAt(list, next[index]!) === slot; next[index]! += 1) {
        const key = list[next[index]!]! >>> slotBits
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
  return at < list.length ? list[at]! & ((1 << slotBits) - 1) : -1
}
