/**
 * Texts in flat memory: entry i is the bytes between two ends of one UTF-8 text, and a hash table
 * with open addressing finds i by its bytes. The build fills slots, the catalog probes them. A slot
 * is a pair (entry + 1, hash), so that a probe reads a text only when the hashes agree; an entry of
 * 0 is an empty slot, and at least half the slots are empty, so that every probe ends.
 */

/** Texts without a table: entry i is `text` from `ends[i - 1]` (0 for the first) to `ends[i]`. */
export interface Texts {
  readonly text: Uint8Array
  readonly ends: Uint32Array
}

/** Texts that can be found by their bytes. */
export interface TextTable extends Texts {
  /** Pairs (entry + 1, hash); the number of pairs is a power of two. */
  readonly slots: Uint32Array
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** FNV-1a with a final mix (Fowler, Noll, Vo; murmur3's finaliser), 32 bits of `bytes[start, end)`. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** How many slots a table of so many entries has: a power of two, at least twice the entries. */
export function slotCount(entries: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, entries * 2)))
}

/** The slots for texts whose entries are all different. */
export function fillSlots({ text, ends }: Texts): Uint32Array {
  const slots = new Uint32Array(slotCount(ends.length) * 2)
  for (let entry = 0, start = 0; entry < ends.length; entry += 1) {
    const end = ends[entry]!
    placeSlot(slots, entry + 1, hashBytes(text, start, end))
    start = end
  }
  return slots
}

/** Puts an entry + 1 and its hash into the first slot that is free for it. */
export function placeSlot(slots: Uint32Array, value: number, hash: number): void {
  const mask = slots.length / 2 - 1
  let slot = hash & mask
  while (slots[slot * 2] !== 0) slot = (slot + 1) & mask
  slots[slot * 2] = value
  slots[slot * 2 + 1] = hash
}

/** The entry whose text is `bytes[start, end)`, or -1. Constant time. */
export function findBytes(table: TextTable, bytes: Uint8Array, start: number, end: number): number {
  return findHashed(table, bytes, start, end, hashBytes(bytes, start, end))
}

/** The same where the hash of the bytes is known. */
export function findHashed(
  table: TextTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const { text, ends, slots } = table
  const mask = slots.length / 2 - 1
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot * 2]! - 1
    if (entry < 0) return -1
    if (slots[slot * 2 + 1] !== hash) continue
    const from = entry === 0 ? 0 : ends[entry - 1]!
    if (ends[entry]! - from === end - start && equal(text, from, bytes, start, end)) return entry
  }
}

/** Whether the bytes of `a` at `from` are those of `b` from `start` to `end`. */
export function equal(
  a: Uint8Array,
  from: number,
  b: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (from === start && a === b) return true
  for (let index = start; index < end; index += 1) {
    if (a[from + index - start] !== b[index]) return false
  }
  return true
}

/** The same bytes, to be read and written in larger pieces wherever these begin. */
export function dataViewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/**
 * Writes a short text if it is ASCII, else returns false: calling out to an encoder would cost more
 * than the look-up of a whole text.
 */
export function writeShortAscii(text: string, target: Uint8Array, at: number): boolean {
  if (text.length > 64) return false
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) return false
    target[at + index] = unit
  }
  return true
}

/** A place to put a text before it is looked up; `write` returns how many bytes it took. */
export class Scratch {
  bytes = new Uint8Array(1024)

  /** Writes the UTF-8 of a text from offset 0; `bytes` is replaced when it was too small. */
  write(text: string): number {
    const { length } = text
    if (length * 3 > this.bytes.length) this.bytes = new Uint8Array(length * 6)
    if (writeShortAscii(text, this.bytes, 0)) return length
    return encoder.encodeInto(text, this.bytes).written
  }
}

/** The entry of a text, or -1. */
export function findText(table: TextTable, text: string, scratch: Scratch): number {
  const length = scratch.write(text)
  return findBytes(table, scratch.bytes, 0, length)
}

/** The text of an entry. */
export function textAt({ text, ends }: Texts, entry: number): string {
  const start = entry === 0 ? 0 : ends[entry - 1]!
  // A copy, because a decoder refuses shared memory.
  return decoder.decode(text.slice(start, ends[entry]))
}
