/**
 * Digests of 128 bits as columns of numbers, and the row that each is of. A row may have further numbers behind its
 * digest.
 */
import type { NumberColumn } from '../columns.ts'

/** Numbers of a digest. */
export const digestNumbers = 4

/** Adds a digest of 16 characters of 8 bits each; zeros, which find nothing, for an empty one. */
export function pushDigest(digest: string, column: NumberColumn<Uint32Array>): void {
  for (let number = 0; number < digestNumbers; number += 1) column.push(numberIn(digest, number))
}

function numberIn(digest: string, number: number): number {
  const byte = (index: number) => digest.charCodeAt(number * 4 + index)
  // Of a missing character that is no number, and makes 0.
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0
}

export class DigestTable {
  readonly #rows: Uint32Array
  readonly #rowNumbers: number
  /** A row + 1, or 0; at least half of them are empty. */
  readonly #slots: Uint32Array

  /**
   * @param rows each begins with its digest; one of zeros is never found. O(rows).
   * @param rowNumbers numbers of a row.
   */
  constructor(rows: Uint32Array, rowNumbers = digestNumbers) {
    this.#rows = rows
    this.#rowNumbers = rowNumbers
    const count = rows.length / rowNumbers
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(count * 2 + 2)))
    for (let row = 0; row < count; row += 1) {
      const at = row * rowNumbers
      const digest = rows.subarray(at, at + digestNumbers)
      if (digest.some((number) => number !== 0)) this.#place(row, digest[0]!)
    }
  }

  /** The row of a digest, or -1. Constant time. */
  find(digest: string): number {
    const mask = this.#slots.length - 1
    let slot = numberIn(digest, 0) & mask
    while (this.#slots[slot] !== 0 && !this.#isOf(this.#slots[slot]! - 1, digest)) {
      slot = (slot + 1) & mask
    }
    return this.#slots[slot]! - 1
  }

  #place(row: number, number: number): void {
    const mask = this.#slots.length - 1
    let slot = number & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = row + 1
  }

  #isOf(row: number, digest: string): boolean {
    for (let number = 0; number < digestNumbers; number += 1) {
      if (this.#rows[row * this.#rowNumbers + number] !== numberIn(digest, number)) return false
    }
    return true
  }
}
