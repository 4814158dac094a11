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
  const [first, second] = hashesOf(text)
  const bits = words.length * 32
  for (let index = 0; index < positions; index += 1) {
    const bit = (first + index * second) % bits
    words[bit >>> 5]! |= 1 << (bit & 31)
  }
}

/** Whether the set may hold a text; false is certain. No garbage for a text of ASCII. */
export function mayHold(words: Uint32Array, text: string): boolean {
  const { length } = text
  let [first, second] = [firstBasis, secondBasis]
  for (let index = 0; index < length; index += 1) {
    const byte = text.charCodeAt(index)
    if (byte >= 0x80) return holdsAll(words, ...hashesOf(text))
    first = hashByte(first, byte)
    second = hashByte(second, byte)
  }
  return holdsAll(words, mixHash(first), (mixHash(second) | 1) >>> 0)
}

/** Position i is (first + i · second) mod bits, without a product beyond 32 bits: its remainder is a slow one of doubles. */
function holdsAll(words: Uint32Array, first: number, second: number): boolean {
  const bits = words.length * 32
  const step = second % bits
  let bit = first % bits
  for (let index = 0; index < positions; index += 1) {
    if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
    bit += step
    if (bit >= bits) bit -= bits
  }
  return true
}

const firstBasis = 0x811c9dc5
const secondBasis = 0x050c5d1f

/** Two hashes of 32 bits: FNV-1a of the UTF-8 from two bases, mixed; the second is odd. */
export function hashesOf(text: string): readonly [first: number, second: number] {
  let [first, second] = [firstBasis, secondBasis]
  for (const byte of encoder.encode(text)) {
    first = hashByte(first, byte)
    second = hashByte(second, byte)
  }
  return [mixHash(first), (mixHash(second) | 1) >>> 0]
}
