/**
 * Many texts found at once. A look-up follows three places in memory, one to the next, and waits for
 * each; here each is read for all texts before the next, so that their waits are one.
 */
import {
  dataViewOf,
  entryBits,
  entryIn,
  findHashed,
  firstSlot,
  probe,
  type TextTable,
} from './text-table.ts'

/** Texts with their hashes: text i is `bytes` from `starts[i]` to `starts[i + 1]`. */
export interface HashedTexts {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  /** Hash of each text, by `hashBytes`. */
  readonly hashes: Uint32Array
  readonly count: number
}

export class BatchLookup {
  readonly #found: Int32Array
  readonly #starts: Uint32Array
  /** A sum of all that was read ahead: reading for nothing would be left out by the compiler. */
  #read = 0

  constructor(textsMax: number) {
    this.#found = new Int32Array(textsMax)
    this.#starts = new Uint32Array(textsMax)
  }

  /** The entry of each text, or -1; good until the next call. */
  find(table: TextTable, texts: HashedTexts): Int32Array {
    const { hashes, count } = texts
    const [found, starts] = [this.#found, this.#starts]
    const { text, starts: textStarts, slots } = table
    const bits = entryBits(textStarts.length - 1)
    const slotCount = slots.length
    let read = 0
    for (let index = 0; index < count; index += 1) {
      const first = firstSlot(hashes[index]!, slotCount)
      starts[index] = first
      read ^= slots[first]!
    }
    for (let index = 0; index < count; index += 1) {
      found[index] = entryIn(slots[probe(slots, starts[index]!, hashes[index]!, bits)]!, bits)
    }
    for (let index = 0; index < count; index += 1) read ^= textStarts[Math.max(0, found[index]!)]!
    for (let index = 0; index < count; index += 1) {
      const entry = Math.max(0, found[index]!)
      const start = textStarts[entry]!
      starts[index] = start
      // A text of one line of the cache or of two.
      read ^= text[start]! ^ text[textStarts[entry + 1]! - 1]!
    }
    this.#read ^= read
    this.#confirm(table, texts)
    return found
  }

  /** Reads a value at each of some places, so that later reads find them in the cache. */
  fetch(memory: Uint32Array, places: Uint32Array, count: number): void {
    let read = 0
    for (let index = 0; index < count; index += 1) read ^= memory[places[index]!]!
    this.#read ^= read
  }

  fetchShort(memory: Uint16Array, places: Uint32Array, count: number): void {
    let read = 0
    for (let index = 0; index < count; index += 1) read ^= memory[places[index]!]!
    this.#read ^= read
  }

  /** Looks at the texts whose hashes agree with an entry: nearly all are those of that entry. */
  #confirm(table: TextTable, { bytes, starts: wantedStarts, hashes, count }: HashedTexts): void {
    const [found, starts] = [this.#found, this.#starts]
    const [text, wanted] = [dataViewOf(table.text), dataViewOf(bytes)]
    for (let index = 0; index < count; index += 1) {
      const entry = found[index]!
      if (entry < 0) continue
      const [start, end] = [wantedStarts[index]!, wantedStarts[index + 1]!]
      const from = starts[index]!
      const isSame =
        table.starts[entry + 1]! - from === end - start &&
        equalWords(text, from, wanted, start, end)
      if (!isSame) found[index] = findHashed(table, bytes, start, end, hashes[index]!)
    }
  }
}

function equalWords(a: DataView, from: number, b: DataView, start: number, end: number): boolean {
  const shift = from - start
  let at = start
  for (; at + 4 <= end; at += 4) {
    if (a.getInt32(at + shift, true) !== b.getInt32(at, true)) return false
  }
  for (; at < end; at += 1) {
    if (a.getUint8(at + shift) !== b.getUint8(at)) return false
  }
  return true
}
