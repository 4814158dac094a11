/**
 * Pieces of terms, by which a misspelled word finds the terms that are near. Of a short term what is
 * left without each of its letters: one edit leaves the rest as it was. Of a longer one its halves and
 * thirds: one edit leaves a half, two leave a third. A piece is known by the length of its term, which
 * one it is, and its letters; the terms of all pieces that share a bucket stand in a row, each with as
 * many bits of the hash of its piece as there is room for. What is found this way is a candidate, to
 * be compared letter by letter. Of a term in Hangul there are pieces of its syllables and of its jamo.
 */

import { readLetters } from '../memory/letters.ts'
import type { Texts } from '../memory/text-table.ts'
import { jamoOf } from '../text/hangul.ts'

/** Letters of the longest term that has pieces. */
export const pieceLettersMax = 64

/** Letters of the shortest term that has pieces, and of the longest of which single letters are left out. */
export const shortTerm = { lettersMin: 3, lettersMax: 5 } as const

/** Into how many parts a longer term is cut, for one edit and for two. */
export const cuts = [2, 3] as const

/** How many letters stand before a part of a term of so many letters. */
export function partStart(letters: number, parts: number, part: number): number {
  return Math.floor((letters * part) / parts)
}

/** The hash of a piece: `letters[start, end)`, part `part` of `parts` of a term of so many letters. */
export function hashPiece(
  letters: Uint32Array,
  start: number,
  end: number,
  termLetters: number,
  parts: number,
  part: number,
): number {
  const seed = seedOf(termLetters, parts * 4 + part)
  return finished(hashLetters(seed, letters, start, end))
}

/** The hash of what is left of a short term without the letter at a place. */
export function hashWithout(letters: Uint32Array, without: number): number {
  const seed = seedOf(letters.length, without)
  const before = hashLetters(seed, letters, 0, without)
  return finished(hashLetters(before, letters, without + 1, letters.length))
}

/** The same where only what is left is known. */
export function hashRest(rest: Uint32Array, without: number): number {
  return finished(hashLetters(seedOf(rest.length + 1, without), rest, 0, rest.length))
}

/** @param which below 16, another one for each piece that a term of so many letters has. */
function seedOf(termLetters: number, which: number): number {
  return Math.imul(0x811c9dc5 ^ (termLetters * 16 + which), 0x01000193)
}

/** FNV-1a over code points. */
function hashLetters(seed: number, letters: Uint32Array, start: number, end: number): number {
  let hash = seed
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ letters[index]!, 0x01000193)
  }
  return hash
}

/** The finaliser of murmur3. */
function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Terms by the bucket of their pieces: bucket b is `terms[starts[b]]` to `terms[starts[b + 1]]`. */
export interface Pieces {
  /** One more than the buckets, whose number is a power of two. */
  readonly starts: Uint32Array
  /** The number of a term in its lowest bits, and above them those of the hash. */
  readonly terms: Uint32Array
}

/** The bits that the numbers of so many terms take, all set. */
export function termMask(terms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, terms))) - 1
}

/** Pieces in a bucket, on average, at least. */
const piecesPerBucket = 2

/** The pieces of all terms; in a bucket they stand in the order of the terms. O(letters). */
export function piecesOf(terms: Texts): Pieces {
  let count = 0
  forEachPiece(terms, () => {
    count += 1
  })
  const buckets = 2 ** Math.floor(Math.log2(Math.max(1, count / piecesPerBucket)))
  const starts = new Uint32Array(buckets + 1)
  forEachPiece(terms, (hash) => {
    starts[(hash & (buckets - 1)) + 1]! += 1
  })
  for (let bucket = 1; bucket <= buckets; bucket += 1) starts[bucket]! += starts[bucket - 1]!
  const ends = starts.slice()
  const values = new Uint32Array(count)
  const mask = termMask(terms.ends.length)
  forEachPiece(terms, (hash, term) => {
    values[ends[hash & (buckets - 1)]!++] = (hash & ~mask) | term
  })
  return { starts, terms: values }
}

/** Shows the hash of every piece with its term, term by term. */
function forEachPiece({ text, ends }: Texts, see: (hash: number, term: number) => void): void {
  const room = new Uint32Array(pieceLettersMax)
  for (let term = 0, start = 0; term < ends.length; term += 1) {
    const letters = room.subarray(0, Math.max(0, readLetters(text, start, ends[term]!, room)))
    start = ends[term]!
    const seeOne = (hash: number) => see(hash, term)
    forEachOf(letters, seeOne)
    const jamo = jamoOf(letters)
    if (jamo !== undefined) forEachOf(jamo, seeOne)
  }
}

function forEachOf(letters: Uint32Array, see: (hash: number) => void): void {
  const count = letters.length
  if (count < shortTerm.lettersMin || count > pieceLettersMax) return
  if (count <= shortTerm.lettersMax) {
    for (let without = 0; without < count; without += 1) see(hashWithout(letters, without))
    return
  }
  for (const parts of cuts) {
    for (let part = 0; part < parts; part += 1) {
      const from = partStart(count, parts, part)
      see(hashPiece(letters, from, partStart(count, parts, part + 1), count, parts, part))
    }
  }
}
