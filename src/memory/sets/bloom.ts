/**
 * A set of texts that may say yes to a text which it does not hold, and never no to one that it does: a Bloom filter
 * (Bloom, 1970) whose positions are made of two hashes (Kirsch and Mitzenmacher, 2006). 16 bits a text and six
 * positions say yes to one foreign text in a thousand.
 */

import { hashByte, mixHash } from '../text-table.ts'

/** Bits for each text. */
const bitsPerText = 16
/** Positions of each text. */
const positions = 6

const encoder = new TextEncoder()

/** An empty set with room for so many texts. */
export function newBloom(texts: number): Uint32Array {
  return new Uint32Array(Math.max(1, Math.ceil((texts * bitsPerText) / 32)))
}

/** Adds a text. */
export function addToBloom(words: Uint32Array, text: string): void {
  for (const bit of bitsOf(words, text)) words[bit >>> 5]! |= 1 << (bit & 31)
}

/** Whether the set may hold a text; false is certain. 0.3 µs. */
export function mayHold(words: Uint32Array, text: string): boolean {
  for (const bit of bitsOf(words, text))
    if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
  return true
}

/** The bits of a text. */
function* bitsOf(words: Uint32Array, text: string): Iterable<number> {
  const bits = words.length * 32
  const [first, second] = hashesOf(text)
  for (let index = 0; index < positions; index += 1) yield (first + index * second) % bits
}

/** Two hashes of 32 bits: FNV-1a from two bases, mixed; the second is odd. */
export function hashesOf(text: string): readonly [first: number, second: number] {
  let [first, second] = [0x811c9dc5, 0x050c5d1f]
  for (const byte of encoder.encode(text)) {
    first = hashByte(first, byte)
    second = hashByte(second, byte)
  }
  return [mixHash(first), (mixHash(second) | 1) >>> 0]
}
