/**
 * Texts in flat memory: entry i is the bytes between two starts in one UTF-8 text, and a hash table
 * with open addressing finds i by its bytes. The build fills slots, the catalog probes them. A slot
 * is one number: in its lowest bits entry + 1, in all others as many of the hash, so that a probe reads
 * a text only where these agree. 0 is an empty slot, and three of seven are empty, so that every probe
 * ends.
 */

import { writeLetters } from './letters.ts'

/** Texts without a table: entry i is `text` from `starts[i]` to `starts[i + 1]`. */
export interface Texts {
  readonly text: Uint8Array
  readonly starts: Uint32Array
}

export interface TextTable extends Texts {
  /** As many slots as `slotCount` says. */
  readonly slots: Uint32Array
}

export function encodeTexts(list: readonly string[]): Texts {
  const parts = list.map((text) => encoder.encode(text))
  const starts = new Uint32Array(parts.length + 1)
  parts.forEach((part, entry) => {
    starts[entry + 1] = starts[entry]! + part.length
  })
  return { text: Buffer.concat(parts), starts }
}

export function countOf({ starts }: Pick<Texts, 'starts'>): number {
  return starts.length - 1
}

export function allTexts(texts: Texts): string[] {
  return Array.from({ length: countOf(texts) }, (_, entry) => textAt(texts, entry))
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** FNV-1a with a final mix (Fowler, Noll, Vo; murmur3's finaliser), 32 bits of `bytes[start, end)`. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = noBytesHash
  for (let index = start; index < end; index += 1) hash = hashByte(hash, bytes[index]!)
  return mixHash(hash)
}

/** FNV-1a of no bytes: where `hashByte` begins. */
export const noBytesHash = 0x811c9dc5

/** Goes on with a hash by one byte, or by one unit or letter of a text. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

/** Ends a hash that `hashByte` has made, with murmur3's finaliser: 32 bits. */
export function mixHash(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export function slotCount(entries: number): number {
  return Math.max(2, Math.ceil(entries * 1.75))
}

/** Number of bits of a slot that hold an entry + 1, in a table for this number of entries, below 2³⁰. */
export function entryBits(entries: number): number {
  return 32 - Math.clz32(entries)
}

/** The slot at which a probe begins, from the upper bits of the hash, which a slot does not hold. */
export function firstSlot(hash: number, slots: number): number {
  return Math.floor(hash * (slots / 2 ** 32))
}

/** The slots for texts whose entries are all different, with room for `entriesMax` entries. */
export function fillSlots({ text, starts }: Texts, entriesMax = starts.length - 1) {
  const slots = new Uint32Array(slotCount(entriesMax))
  for (let entry = 0; entry + 1 < starts.length; entry += 1) {
    placeSlot(slots, entry, hashBytes(text, starts[entry]!, starts[entry + 1]!), entriesMax)
  }
  return slots
}

export function placeSlot(
  slots: Uint32Array,
  entry: number,
  hash: number,
  entriesMax: number,
): void {
  let slot = firstSlot(hash, slots.length)
  while (slots[slot] !== 0) slot = slot + 1 === slots.length ? 0 : slot + 1
  slots[slot] = (hash << entryBits(entriesMax)) | (entry + 1)
}

/** The entry whose text is `bytes[start, end)`, or -1. Constant time. */
export function findBytes(table: TextTable, bytes: Uint8Array, start: number, end: number): number {
  return findHashed(table, bytes, start, end, hashBytes(bytes, start, end))
}

export function findHashed(
  table: TextTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const { text, starts, slots } = table
  const bits = entryBits(starts.length - 1)
  for (let slot = probe(slots, firstSlot(hash, slots.length), hash, bits); ; ) {
    const entry = entryIn(slots[slot]!, bits)
    if (entry < 0) return -1
    const from = starts[entry]!
    const isAsLong = starts[entry + 1]! - from === end - start
    if (isAsLong && equal(text, from, bytes, start, end)) return entry
    slot = probe(slots, slot + 1, hash, bits)
  }
}

/** Continues a hash with an ASCII text from a start up to an end, as `hashByte` does with its bytes; -1 if it is not ASCII. */
export function hashAscii(hash: number, text: string, end = text.length, start = 0): number {
  let longer = hash
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return -1
    longer = hashByte(longer, unit)
  }
  return longer >>> 0
}

/** Whether a table has a slot that agrees with a hash: if not, it holds no text of the hash. */
export function hasSlotOf({ starts, slots }: TextTable, hash: number): boolean {
  const bits = entryBits(starts.length - 1)
  return slots[probe(slots, firstSlot(hash, slots.length), hash, bits)] !== 0
}

export function entryIn(slot: number, bits: number): number {
  return (slot & ((1 << bits) - 1)) - 1
}

/** The first slot from one on that is empty or agrees with a hash. */
export function probe(slots: Uint32Array, from: number, hash: number, bits: number): number {
  for (let at = from; ; at += 1) {
    if (at >= slots.length) at = 0
    const slot = slots[at]!
    if (slot === 0 || (slot ^ (hash << bits)) >>> bits === 0) return at
  }
}

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

export function dataViewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Writes a short text if it is ASCII: calling an encoder would cost more than a look-up. */
export function writeShortAscii(text: string, target: Uint8Array, at: number): boolean {
  if (text.length > 64) return false
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) return false
    target[at + index] = unit
  }
  return true
}

export class Scratch {
  bytes = new Uint8Array(1024)

  /** Writes the UTF-8 of a text from offset 0 and returns its end; `bytes` is replaced when it was too small. */
  write(text: string): number {
    return this.append(text, 0)
  }

  writeLetters(letters: Uint32Array): number {
    const most = letters.length * 4
    if (most > this.bytes.length) this.bytes = new Uint8Array(most * 2)
    return writeLetters(letters, this.bytes)
  }

  /** Writes a text behind what was written up to an offset, and returns its end. */
  append(text: string, at: number): number {
    const most = at + text.length * 3
    if (most > this.bytes.length) {
      const { bytes } = this
      this.bytes = new Uint8Array(most * 2)
      this.bytes.set(bytes.subarray(0, at))
    }
    if (writeShortAscii(text, this.bytes, at)) return at + text.length
    return at + encoder.encodeInto(text, this.bytes.subarray(at)).written
  }
}

export function findText(table: TextTable, text: string, scratch: Scratch): number {
  const length = scratch.write(text)
  return findBytes(table, scratch.bytes, 0, length)
}

export function textAt({ text, starts }: Texts, entry: number): string {
  // A copy, because a decoder refuses shared memory.
  return decoder.decode(text.slice(starts[entry], starts[entry + 1]))
}
