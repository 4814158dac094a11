/**
 * Many texts found at once. A look-up follows three places in memory, one to the next, and waits for
 * each; here each is read for all texts before the next, so that their waits are one.
 */
import type { PagedTexts } from './paged-texts.ts'
import {
  entryBits,
  entryIn,
  equal,
  findHashed,
  firstSlot,
  probe,
  type TextTable,
} from './text-table.ts'

/** Texts with their hashes: text i is `bytes` from `ends[i - 1]` (0 for the first) to `ends[i]`. */
export interface HashedTexts {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** Hash of each text, by `hashBytes`. */
  readonly hashes: Uint32Array
  readonly count: number
}

/** Finds up to `textsMax` texts at once. */
export class BatchLookup {
  readonly #found: Int32Array
  readonly #starts: Uint32Array
  readonly #fetched: Uint32Array

  constructor(textsMax: number) {
    this.#found = new Int32Array(textsMax)
    this.#starts = new Uint32Array(textsMax)
    this.#fetched = new Uint32Array(textsMax)
  }

  /** The entry of each text, or -1; good until the next call. */
  find(table: TextTable, texts: HashedTexts): Int32Array {
    const { hashes, count } = texts
    const [found, starts] = [this.#found, this.#starts]
    const { text, ends, slots } = table
    const bits = entryBits(ends.length)
    for (let index = 0; index < count; index += 1) {
      starts[index] = firstSlot(hashes[index]!, slots.length)
    }
    this.fetch(slots, starts, count)
    for (let index = 0; index < count; index += 1) {
      const entry = entryIn(slots[probe(slots, starts[index]!, hashes[index]!, bits)]!, bits)
      found[index] = entry
      starts[index] = Math.max(0, entry - 1)
    }
    this.fetch(ends, starts, count)
    for (let index = 0; index < count; index += 1) {
      const entry = found[index]!
      starts[index] = entry <= 0 ? 0 : ends[entry - 1]!
    }
    this.fetch(text, starts, count)
    for (let index = 0; index < count; index += 1) {
      if (found[index]! >= 0) found[index] = this.#confirmed(table, texts, index)
    }
    return found
  }

  /** Reads a value at each of some places, so that later reads find them in the cache. */
  fetch(
    memory: Uint8Array | Uint16Array | Uint32Array,
    places: ArrayLike<number>,
    count: number,
  ): void {
    const fetched = this.#fetched
    for (let index = 0; index < count; index += 1) fetched[index] = memory[places[index]!]!
  }

  /** The same of the first and the last byte of some texts that are not empty. */
  fetchTexts(texts: PagedTexts, entries: ArrayLike<number>, count: number): void {
    texts.want(entries, count)
    const fetched = this.#fetched
    for (let index = 0; index < count; index += 1) {
      const entry = entries[index]!
      const { text } = texts.pageOf(entry)
      fetched[index] = text[texts.startOf(entry)]! + text[texts.endOf(entry) - 1]!
    }
  }

  /** The entry of a text of which an entry that agrees with its hash was found: nearly always that one. */
  #confirmed(table: TextTable, texts: HashedTexts, index: number): number {
    const { bytes, ends, hashes } = texts
    const entry = this.#found[index]!
    const from = this.#starts[index]!
    const start = index === 0 ? 0 : ends[index - 1]!
    const end = ends[index]!
    const isSame =
      table.ends[entry]! - from === end - start && equal(table.text, from, bytes, start, end)
    return isSame ? entry : findHashed(table, bytes, start, end, hashes[index]!)
  }
}
