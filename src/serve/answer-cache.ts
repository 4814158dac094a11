/**
 * Answers to queries that took some finding, kept while their snapshot is served. Bounded in bytes;
 * the one that was asked for least recently makes room.
 */

/** What an entry costs beside its texts: the key's and the array's headers and the map's slot. */
const overheadBytes = 200

export class AnswerCache {
  readonly #bytesMax: number
  readonly #entries = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Bytes held, headers included. */
  get bytes(): number {
    return this.#bytes
  }

  /** The items of an answer as JSON, or undefined. */
  get(key: string): Uint8Array | undefined {
    const items = this.#entries.get(key)
    if (items === undefined) return undefined
    // A Map keeps insertion order, so the first entry is the one least recently asked for.
    this.#entries.delete(key)
    this.#entries.set(key, items)
    return items
  }

  /** Keeps the items of an answer; one that alone is too large is not kept. */
  set(key: string, items: Uint8Array): void {
    const cost = costOf(key, items)
    if (cost > this.#bytesMax || this.#entries.has(key)) return
    this.#entries.set(key, items)
    this.#bytes += cost
    for (const [oldKey, oldItems] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break
      this.#entries.delete(oldKey)
      this.#bytes -= costOf(oldKey, oldItems)
    }
  }
}

function costOf(key: string, items: Uint8Array): number {
  return overheadBytes + key.length * 2 + items.length
}
