/**
 * Tokens of the keys of topics: what somebody has written of a term who is still writing it, or wrote
 * it with a slip. They are made once, when a snapshot is loaded, into memory that all threads share,
 * and find the keys that a text may mean. Of a token only its hash is kept: a key that is found by
 * another token of the same hash is compared with the text like all others.
 */
import { shared } from '../../memory/shared-column.ts'
import { type Texts, textAt } from '../../memory/text-table.ts'
import type { Sections } from '../../snapshot/sections.ts'

/** How tokens are made of a term. */
export type TokenKind = 'beginnings' | 'slips'

/** All tokens of all keys, as plain columns that can be handed to another thread. */
export type TopicTokens = Readonly<Record<TokenKind, TokenTable>>

/** The tokens of one kind. */
export interface TokenTable {
  /** Tokens by bucket: of bucket b from `starts[b]` to `starts[b + 1]`; the buckets are a power of two. */
  readonly starts: Uint32Array
  readonly hashes: Uint32Array
  /** The key times 16, and the slot of the term that the token is of; by slot and key. */
  readonly places: Uint32Array
}

/** Where in a key a term stands: those of longer keys share some. */
const slots = 9
const slotBits = 4

/** Tokens in a bucket, on average, at least. */
const tokensPerBucket = 2

/** Begins, goes on with and ends the hash of a token: FNV-1a over UTF-16 units, murmur3's finaliser. */
const begun = 0x811c9dc5

function hashOn(hash: number, term: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  return hash
}

function hashEnded(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function hashOf(token: string): number {
  return hashEnded(hashOn(begun, token, 0, token.length))
}

/** Shows the hashes of the tokens of a term. */
type ShowTokens = (term: string, show: (hash: number) => void) => void

const showTokens: Readonly<Record<TokenKind, ShowTokens>> = {
  /** The term up to each of its letters. */
  beginnings: (term, show) => {
    let hash = begun
    for (let at = 0; at < term.length; at += 1) {
      hash = hashOn(hash, term, at, at + 1)
      show(hashEnded(hash))
    }
  },

  /** The term; and of three letters or more without each of them, or two neighbours exchanged, but for the first. */
  slips: (term, show) => {
    const { length } = term
    show(hashOf(term))
    if (length < 3) return
    let before = hashOn(begun, term, 0, 1)
    for (let at = 1; at < length; at += 1) {
      show(hashEnded(hashOn(before, term, at + 1, length)))
      if (at + 1 < length) {
        const exchanged = hashOn(hashOn(before, term, at + 1, at + 2), term, at, at + 1)
        show(hashEnded(hashOn(exchanged, term, at + 2, length)))
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

/** The tokens of some keys, each once for a key. O(letters), of slips O(letters of each term squared). */
export function tokensOf(kind: TokenKind, keys: Texts, rest: () => void = () => {}): TokenTable {
  const hashes: number[] = []
  const places: number[] = []
  for (let key = 0; key < keys.ends.length; key += 1) {
    rest()
    const terms = textAt(keys, key).split(' ')
    const made = new Set<number>()
    terms.forEach((term, index) => {
      // What a term before it leaves is found by that one.
      if (made.has(hashOf(term))) return
      const place = key * (1 << slotBits) + slotOf(index, terms.length)
      showTokens[kind](term, (hash) => {
        if (made.has(hash)) return
        made.add(hash)
        hashes.push(hash)
        places.push(place)
      })
    })
  }
  return inBuckets(hashes, places, rest)
}

/** Puts tokens into their buckets, in each by slot, of equals in their order. */
function inBuckets(
  hashes: readonly number[],
  places: readonly number[],
  rest: () => void,
): TokenTable {
  const buckets = 2 ** Math.floor(Math.log2(Math.max(1, hashes.length / tokensPerBucket)))
  const starts = shared(buckets + 1)
  for (const hash of hashes) starts[(hash & (buckets - 1)) + 1]! += 1
  for (let bucket = 1; bucket <= buckets; bucket += 1) starts[bucket]! += starts[bucket - 1]!
  const ends = starts.slice()
  const tokens = { starts, hashes: shared(hashes.length), places: shared(hashes.length) }
  for (let slot = 0; slot < slots; slot += 1) {
    rest()
    for (let index = 0; index < places.length; index += 1) {
      if (slotAt(places, index) !== slot) continue
      const bucket = hashes[index]! & (buckets - 1)
      const place = ends[bucket]!
      ends[bucket] = place + 1
      tokens.hashes[place] = hashes[index]!
      tokens.places[place] = places[index]!
    }
  }
  return tokens
}

/** Finds keys by their tokens. */
export class TokenIndex {
  readonly #tokens: TokenTable

  constructor(tokens: TokenTable) {
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

  /** Of the keys that one term is a token of, `most` at most. */
  keysOf(term: string, most: number): readonly number[] {
    return this.#placesOf(term, most).map((place) => place >>> slotBits)
  }

  /** The places of a token, by slot and key; the first where they are too many. */
  #placesOf(token: string, most = Number.POSITIVE_INFINITY): readonly number[] {
    const { starts, hashes, places } = this.#tokens
    const hash = hashOf(token)
    const bucket = hash & (starts.length - 2)
    const end = starts[bucket + 1]!
    const found: number[] = []
    for (let at = starts[bucket]!; at < end && found.length < most; at += 1) {
      if (hashes[at] === hash) found.push(places[at]!)
    }
    return found
  }
}

/** Keys by how many lists hold them: in a place of `byCount` whoever was met once more than in that before. */
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
