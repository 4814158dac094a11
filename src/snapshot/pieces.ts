/**
 * Pieces of terms, by which a misspelled word finds the terms that are near: of a term in two halves
 * one edit leaves a half as it was, of one in thirds two edits leave a third. A piece is known by the
 * length of its term, which part it is, and its letters; the terms of all pieces that share a bucket
 * stand in a row, each with as many bits of the hash of its piece as there is room for. What is found
 * this way is a candidate, to be compared letter by letter.
 */
import { readLetters } from '../memory/letters.ts'
import type { Texts } from '../memory/text-table.ts'

/** Letters of the longest term that has pieces. */
export const pieceLettersMax = 64

/** Into how many parts a term is cut, and how long it must be: shorter parts would say too little. */
export const cuts = [
  { parts: 2, lettersMin: 3 },
  { parts: 3, lettersMin: 6 },
] as const

/** How many letters stand before a part of a term of so many letters. */
export function partStart(letters: number, parts: number, part: number): number {
  return Math.floor((letters * part) / parts)
}

/**
 * The hash of a piece: `letters[start, end)`, part `part` of `parts` of a term of so many letters.
 * FNV-1a over code points with murmur3's finaliser.
 */
export function hashPiece(
  letters: Uint32Array,
  start: number,
  end: number,
  termLetters: number,
  parts: number,
  part: number,
): number {
  let hash = Math.imul(0x811c9dc5 ^ (termLetters * 16 + parts * 4 + part), 0x01000193)
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ letters[index]!, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
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
  const letters = new Uint32Array(pieceLettersMax)
  for (let term = 0, start = 0; term < ends.length; term += 1) {
    const count = readLetters(text, start, ends[term]!, letters)
    start = ends[term]!
    for (const { parts, lettersMin } of cuts) {
      if (count < lettersMin) continue
      for (let part = 0; part < parts; part += 1) {
        const from = partStart(count, parts, part)
        const to = partStart(count, parts, part + 1)
        see(hashPiece(letters, from, to, count, parts, part), term)
      }
    }
  }
}
