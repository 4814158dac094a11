/** Where pieces of near terms are looked for: the same for all words of a length. */
import {
  cuts,
  hashPiece,
  partStart,
  pieceLettersMax,
  shortTerm,
} from '../../snapshot/deletion-signatures.ts'

/** Numbers of a look, in their order: the beginning of the hash, start and end of two runs of letters, letters of the term. */
export const lookLength = 6

export class PieceLooks {
  /** By edits less 1, and by letters of the word. */
  readonly #made: readonly (Int32Array | undefined)[][] = [[], []]

  of(letters: number, edits: number): Int32Array {
    const made = this.#made[edits - 1]!
    made[letters] ??= Int32Array.from(looksOf(letters, edits))
    return made[letters]
  }
}

function looksOf(letters: number, edits: number): number[] {
  const { parts, pieces } = cuts[edits - 1]!
  const looks: number[] = []
  const shortest = Math.max(shortTerm.lettersMax + 1, letters - edits)
  for (let count = shortest; count <= Math.min(pieceLettersMax, letters + edits); count += 1) {
    for (const { number, held } of pieces) {
      for (const runs of runsOf({ letters, count, parts, held, edits })) {
        const [start = 0, end = 0, secondStart = 0, secondEnd = 0] = runs
        looks.push(hashPiece(count, number), start, end, secondStart, secondEnd, count)
      }
    }
  }
  return looks
}

interface Piece {
  readonly letters: number
  readonly count: number
  readonly parts: number
  readonly held: readonly number[]
  readonly edits: number
}

/**
 * The starts and ends of the parts of a piece in the word, in each way that they may stand there: each part stands where
 * it does in the term, moved by the letters that are too many before it, as many as there may be edits.
 */
function runsOf(piece: Piece, index = 0, moved = 0, left = piece.edits): number[][] {
  const { letters, count, parts, held } = piece
  const part = held[index]
  if (part === undefined) return [[]]
  const surplus = letters - count
  const found: number[][] = []
  for (let by = -left; by <= left; by += 1) {
    const place = moved + by
    const rest = left - Math.abs(by)
    if (Math.abs(surplus - place) > rest) continue
    if (part === 0 && place !== 0) continue
    if (part === parts - 1 && place !== surplus) continue
    const start = partStart(count, parts, part) + place
    const end = partStart(count, parts, part + 1) + place
    if (start < 0 || end > letters) continue
    for (const others of runsOf(piece, index + 1, place, rest)) found.push([start, end, ...others])
  }
  return found
}
