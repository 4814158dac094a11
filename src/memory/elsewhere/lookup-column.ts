/**
 * Columns of numbers for readers that look up few of them: in memory, or in a file of which parts are in memory. A part
 * of a file holds whole numbers.
 */
import type { PartSource } from '../paged-texts.ts'

/** A column of numbers. */
export interface LookupColumn {
  /** The number at an index of the column. It may throw if the part with it is not in memory. */
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
  /** The number of its page among those of `parts`. */
  readonly #page: number
  readonly #bytes: 1 | 4

  constructor(parts: PartSource, page: number, bytes: 1 | 4) {
    this.#parts = parts
    this.#page = page
    this.#bytes = bytes
  }

  numberAt(index: number): number {
    const [page, start] = this.placeOf(index)
    const { text, base } = this.#parts.partAt(page, start)
    const at = start - base
    if (this.#bytes === 1) return text[at]!
    return (text[at]! | (text[at + 1]! << 8) | (text[at + 2]! << 16) | (text[at + 3]! << 24)) >>> 0
  }

  /** The place of a number, as `PartSource.want` takes it. */
  placeOf(index: number): readonly [page: number, start: number] {
    return [this.#page, index * this.#bytes]
  }
}
