/**
 * Answers to searches, by the query string that asked, kept while their snapshot is served: a query
 * that was asked before needs no parsing and no finding. Bounded in bytes; the oldest makes room.
 */
import type { Way } from '../catalog/search/found.ts'
import type { TextPiece } from '../memory/copy-text.ts'

/** What an answer says beside its items. */
export interface Written {
  /** How they were found; '' where nothing was searched. */
  readonly way: Way | ''
  /** JSON of the members behind the items, each behind a comma; '' where there are none. */
  readonly members: string
}

/** The items of an answer as JSON, and what memory they take for themselves. */
export interface KeptItems extends Written, TextPiece {
  /** 0 for a piece of a section, which is there anyway: so every topic has room. */
  readonly ownBytes: number
}

/** What an entry costs beside its texts: objects, their headers, and the map's slot. */
const overheadBytes = 400

export class AnswerCache {
  readonly #bytesMax: number
  readonly #onFind: ((isHit: boolean) => void) | undefined
  readonly #entries = new Map<string, KeptItems>()
  /**
   * Goes on where it stopped. A new one would have to pass all that was deleted since the map was
   * last made anew: 24 µs instead of 1 for an answer that is kept, with 40,000 in the cache (measured).
   */
  #oldest = this.#entries.entries()
  #bytes = 0

  /** @param onFind called with whether an answer was kept, for each that is written. */
  constructor(bytesMax: number, onFind?: (isHit: boolean) => void) {
    this.#bytesMax = bytesMax
    this.#onFind = onFind
  }

  /** The items of an answer as JSON, or undefined. */
  get(query: string): KeptItems | undefined {
    return this.#entries.get(query)
  }

  /** Counts an answer of `get` that is about to be written. */
  countHit(): void {
    this.#onFind?.(true)
  }

  /** Counts an answer that `get` did not have and that is not to be kept. */
  countMiss(): void {
    this.#onFind?.(false)
  }

  /**
   * Keeps the items of an answer that `get` did not have, and counts the miss; one that alone is too
   * large is not kept.
   */
  keepMissed(query: string, items: KeptItems): void {
    this.countMiss()
    const cost = costOf(query, items)
    if (cost > this.#bytesMax) return
    const { size } = this.#entries
    this.#entries.set(query, items)
    if (this.#entries.size === size) return
    this.#bytes += cost
    while (this.#bytes > this.#bytesMax) this.#dropOldest()
  }

  /**
   * A Map keeps insertion order. What was asked for lately is not moved to the end: that would cost
   * every hit more than finding an answer again costs the few that were pushed out.
   */
  #dropOldest(): void {
    const { value } = this.#oldest.next()
    if (value === undefined) {
      this.#oldest = this.#entries.entries()
      return
    }
    const [query, items] = value
    this.#entries.delete(query)
    this.#bytes -= costOf(query, items)
  }
}

function costOf(query: string, { ownBytes, members }: KeptItems): number {
  return overheadBytes + (query.length + members.length) * 2 + ownBytes
}
