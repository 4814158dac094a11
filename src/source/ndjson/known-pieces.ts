/**
 * Pieces of lines of connections, and the connections of those that an earlier reading had. What a line says depends on
 * its bytes alone, so a piece of the same bytes gives the same rows, elsewhere in the file too.
 */
import { hash } from 'node:crypto'
import type { NumberColumn } from '../../memory/columns.ts'
import type { Interner } from '../../memory/interner.ts'
import { DigestTable, digestNumbers, pushDigest } from '../../memory/known/digests.ts'
import { Renumbered } from '../../memory/known/renumbered.ts'
import type { KnownBatch, KnownConnections } from '../source.ts'

/** Numbers of a piece behind its digest; rows of its batch from a start to an end. */
const fields = { first: 4, lines: 5, start: 6, end: 7, othersStart: 8, othersEnd: 9 } as const
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]
/** Numbers of a piece. */
const pieceNumbers = digestNumbers + fieldNames.length
/** Characters of a digest, of 8 bits each. */
const digestCharacters = 16

/** Rows of a batch from a start to an end, and the lines that they are from. */
export type Piece = Readonly<Record<keyof typeof fields, number>>

/** The digest of the lines of a piece: 128 bits of SHA-256 as 16 characters. */
export function pieceDigest(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary').slice(0, digestCharacters)
}

/** Adds a piece to those of a batch. */
export function pushPiece(digest: string, piece: Piece, column: NumberColumn<Uint32Array>): void {
  pushDigest(digest, column)
  for (let field = 0; field < fieldNames.length; field += 1) column.push(piece[fieldNames[field]!])
}

/** A piece of an earlier reading and its batch. */
export interface KnownPiece extends Piece {
  readonly batch: KnownBatch
}

export class KnownPieces {
  readonly #batches: readonly KnownBatch[]
  readonly #batchOf: Uint32Array
  readonly #pieces: Uint32Array
  readonly #table: DigestTable
  readonly #sdus: Renumbered

  /** @param interner of the SDUs of this reading. O(pieces). */
  constructor({ sdus, batches }: KnownConnections, interner: Interner) {
    this.#batches = batches
    this.#sdus = new Renumbered(sdus, interner)
    const count = batches.reduce((sum, { pieces }) => sum + pieces.length, 0)
    this.#pieces = new Uint32Array(count)
    this.#batchOf = new Uint32Array(count / pieceNumbers)
    let at = 0
    for (const [batch, { pieces }] of batches.entries()) {
      this.#pieces.set(pieces, at)
      this.#batchOf.fill(batch, at / pieceNumbers, (at + pieces.length) / pieceNumbers)
      at += pieces.length
    }
    this.#table = new DigestTable(this.#pieces, pieceNumbers)
  }

  /** The piece of a digest, if there was one. */
  find(digest: string): KnownPiece | undefined {
    const piece = this.#table.find(digest)
    if (piece < 0) return undefined
    const numbers = this.#pieces
    const row = piece * pieceNumbers
    return {
      batch: this.#batches[this.#batchOf[piece]!]!,
      first: numbers[row + fields.first]!,
      lines: numbers[row + fields.lines]!,
      start: numbers[row + fields.start]!,
      end: numbers[row + fields.end]!,
      othersStart: numbers[row + fields.othersStart]!,
      othersEnd: numbers[row + fields.othersEnd]!,
    }
  }

  /** The number of an SDU in this reading. */
  sduOf(earlier: number): number {
    return this.#sdus.intern(earlier)
  }
}
