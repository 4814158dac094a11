/**
 * Columns of numbers for readers that look up few of them: in memory, or in a file of which parts are read. A part of a
 * file holds whole numbers.
 */
import type { PartSource } from './paged-texts.ts'

/** A column of numbers. */
export interface LookupColumn {
  /** The number at an index of the column. Throws where the part of a file with it cannot be read. */
  numberAt(index: number): number
}

/** A column in memory. */
export class MemoryColumn implements LookupColumn {
  readonly #numbers: Uint32Array | Uint8Array

  constructor(numbers: Uint32Array | Uint8Array) {
    this.#numbers = numbers
  }

  numberAt(index: number): number {
    return this.#numbers[index]!
  }
}

/** A column in a file: little-endian numbers of 1 or 4 bytes. */
export class StoredColumn implements LookupColumn {
  readonly #parts: PartSource
  readonly #bytes: 1 | 4

  /** @param parts of the column, which is their only page. */
  constructor(parts: PartSource, bytes: 1 | 4) {
    this.#parts = parts
    this.#bytes = bytes
  }

  numberAt(index: number): number {
    const start = index * this.#bytes
    const { text, base } = this.#parts.partAt(0, start)
    const at = start - base
    if (this.#bytes === 1) return text[at]!
    return (text[at]! | (text[at + 1]! << 8) | (text[at + 2]! << 16) | (text[at + 3]! << 24)) >>> 0
  }
}
