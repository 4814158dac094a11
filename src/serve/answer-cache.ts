/**
 * Answers to searches, by the query string that asked, kept while their snapshot is served: a query
 * that was asked before needs no parsing and no finding. Bounded in bytes; the oldest makes room.
 */

/** What an entry costs beside its texts: the headers of key and array, and the map's slot. */
const overheadBytes = 250

export class AnswerCache {
  readonly #bytesMax: number
  readonly #onFind: ((isHit: boolean) => void) | undefined
  readonly #entries = new Map<string, Uint8Array>()
  #bytes = 0

  /** @param onFind told of every `find`. */
  constructor(bytesMax: number, onFind?: (isHit: boolean) => void) {
    this.#bytesMax = bytesMax
    this.#onFind = onFind
  }

  /** Bytes held, headers included. */
  get bytes(): number {
    return this.#bytes
  }

  /** The items of an answer as JSON, or undefined. */
  get(query: string): Uint8Array | undefined {
    return this.#entries.get(query)
  }

  /** Counts an answer of `get` that is about to be written. */
  countHit(): void {
    this.#onFind?.(true)
  }

  /** As `get`, for an answer that is about to be written: it counts as a hit or a miss. */
  find(query: string): Uint8Array | undefined {
    const items = this.#entries.get(query)
    this.#onFind?.(items !== undefined)
    return items
  }

  /** Keeps the items of an answer; one that alone is too large is not kept. */
  set(query: string, items: Uint8Array): void {
    const cost = costOf(query, items)
    if (cost > this.#bytesMax || this.#entries.has(query)) return
    this.#entries.set(query, items)
    this.#bytes += cost
    // A Map keeps insertion order. What was asked for lately is not moved to the end: that would
    // cost every hit more than finding an answer again costs the few that were pushed out.
    for (const [oldQuery, oldItems] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break
      this.#entries.delete(oldQuery)
      this.#bytes -= costOf(oldQuery, oldItems)
    }
  }
}

function costOf(query: string, items: Uint8Array): number {
  return overheadBytes + query.length * 2 + items.length
}
