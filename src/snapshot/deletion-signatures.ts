/**
 * Pieces of terms, by which a misspelled word finds the terms that are near. A short term has one piece for
 * each letter: the rest without that letter, which one edit leaves unchanged. A longer term is cut into twice
 * as many parts as there may be edits, so that half of the parts stay unchanged. Its pieces are the selections
 * of half of the parts. A piece is identified by the length of its term, the numbers of its parts, and their
 * letters. The terms of all pieces that share a bucket form a row. Each has as many bits of the hash of its
 * piece as there is room for, and the set of its letters, which excludes most terms that are not near. A term
 * found this way is a candidate, to be compared letter by letter. A term in Hangul has pieces of its syllables
 * and of its jamo.
 */
import { uint32Column } from '../memory/columns.ts'
import { inBuckets } from '../memory/hash-buckets.ts'
import { readLetters } from '../memory/letters.ts'
import { countOf, hashByte, mixHash, noBytesHash, type Texts } from '../memory/text-table.ts'
import { hasSyllable, jamoOf } from '../text/hangul.ts'

export const pieceLettersMax = 64

/** Letters of the shortest term that has pieces, and of the longest that is not cut: parts would say too little. */
export const shortTerm = { lettersMin: 3, lettersMax: 5 } as const

/** Division of a longer term into parts and pieces, for one number of edits. */
interface Cut {
  readonly parts: number
  /** The parts that each piece holds; no other piece of any cut has the same number. */
  readonly pieces: readonly { readonly number: number; readonly held: readonly number[] }[]
}

/** For one edit, and for two. */
export const cuts: readonly [Cut, Cut] = [
  cutInto(2, 0, [[0], [1]]),
  cutInto(4, 2, [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ]),
]

function cutInto(parts: number, first: number, held: number[][]): Cut {
  const pieces = held.map((each, index) => ({ number: first + index, held: each }))
  return { parts, pieces }
}

export function partStart(letters: number, parts: number, part: number): number {
  return Math.floor((letters * part) / parts)
}

/** Begins the hash of a piece by its number, of a term of so many letters: FNV-1a over code points. */
export function hashPiece(termLetters: number, number: number): number {
  return hashByte(noBytesHash, termLetters * 16 + number)
}

export function hashLetters(
  hash: number,
  letters: Uint32Array,
  start: number,
  end: number,
): number {
  for (let index = start; index < end; index += 1) hash = hashByte(hash, letters[index]!)
  return hash
}

/** Set of the first `count` letters, as a bit mask: each letter sets the bit of its lowest five bits. */
export function letterBits(letters: Uint32Array, count = letters.length): number {
  let bits = 0
  for (let index = 0; index < count; index += 1) bits |= 1 << letters[index]!
  return bits
}

/** Whether words with such letters may be so many edits apart: each brings one letter, or takes one. */
export function mayBeNear(bits: number, others: number, edits: number): boolean {
  let added = others & ~bits
  let missing = bits & ~others
  for (let edit = 0; edit < edits; edit += 1) {
    // Takes the lowest bit away.
    added &= added - 1
    missing &= missing - 1
  }
  return (added | missing) === 0
}

/** The hash of what is left of a short term, the first so many letters, without the one at a place. */
export function hashWithout(letters: Uint32Array, without: number, count = letters.length): number {
  const hash = hashLetters(hashPiece(count, without), letters, 0, without)
  return mixHash(hashLetters(hash, letters, without + 1, count))
}

/** The same hash, if only the rest is known. */
export function hashRest(rest: Uint32Array, without: number): number {
  return mixHash(hashLetters(hashPiece(rest.length + 1, without), rest, 0, rest.length))
}

/** Terms by the bucket of their pieces: bucket b is `terms[starts[b]]` to `terms[starts[b + 1]]`. */
export interface DeletionSignatures {
  /** One more than the buckets, whose number is a power of two. */
  readonly starts: Uint32Array
  /** The number of a term in its lowest bits, and above them those of the hash. */
  readonly terms: Uint32Array
  /** The `letterBits` of each of them, or of its jamo. */
  readonly letters: Uint32Array
}

export function termMask(terms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, terms))) - 1
}

/** The pieces of all terms; in a bucket they stand in the order of the terms. O(letters). */
export function piecesOf(terms: Texts): DeletionSignatures {
  const [hashes, termOf, lettersOf] = [uint32Column(), uint32Column(), uint32Column()]
  forEachPiece(terms, (hash, term, bits) => {
    hashes.push(hash)
    termOf.push(term)
    lettersOf.push(bits)
  })
  const pieces = new Uint32Array(hashes.length).map((_, piece) => piece)
  const table = inBuckets(hashes.view(), pieces)
  const mask = termMask(countOf(terms))
  return {
    starts: table.starts,
    terms: table.values.map((piece, at) => (table.hashes[at]! & ~mask) | termOf.at(piece)),
    letters: table.values.map((piece) => lettersOf.at(piece)),
  }
}

type SeePiece = (hash: number, term: number, bits: number) => void

function forEachPiece({ text, starts }: Texts, see: SeePiece): void {
  const room = new Uint32Array(pieceLettersMax)
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const count = readLetters(text, starts[term]!, starts[term + 1]!, room)
    forEachOf(room, count, term, see)
    const jamo = hasSyllable(room, count) ? jamoOf(room.subarray(0, count)) : undefined
    if (jamo !== undefined) forEachOf(jamo, jamo.length, term, see)
  }
}

/** Shows the pieces of a term with `count` letters; a negative count means too many letters. */
function forEachOf(letters: Uint32Array, count: number, term: number, see: SeePiece): void {
  if (count < shortTerm.lettersMin || count > pieceLettersMax) return
  const bits = letterBits(letters, count)
  if (count <= shortTerm.lettersMax) {
    for (let without = 0; without < count; without += 1) {
      see(hashWithout(letters, without, count), term, bits)
    }
    return
  }
  const spans = spansOf[count]!
  for (let at = 0; at < spans.length; at += 5) {
    const hash = hashLetters(spans[at]!, letters, spans[at + 1]!, spans[at + 2]!)
    see(mixHash(hashLetters(hash, letters, spans[at + 3]!, spans[at + 4]!)), term, bits)
  }
}

/** By the letters of a term, five numbers a piece: its hash so far, start and end of two runs. */
const spansOf: readonly Int32Array[] = Array.from({ length: pieceLettersMax + 1 }, (_, count) => {
  const spans = cuts.flatMap(({ parts, pieces }) =>
    pieces.map(({ number, held }) => {
      const runs = held.flatMap((part) => [
        partStart(count, parts, part),
        partStart(count, parts, part + 1),
      ])
      return [hashPiece(count, number), ...runs, ...(runs.length === 4 ? [] : [0, 0])]
    }),
  )
  return Int32Array.from(spans.flat())
})
