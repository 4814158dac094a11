/**
 * Texts in pages: so many entries of one page follow each other in one text of its own, so that all
 * of them together may be longer than a typed array can be. Every end is counted from where its page
 * begins.
 */
import { assert } from './assert.ts'
import { type CopySource, copySourceOf } from './copy-text.ts'

/** The text of one page, to be read and to be copied. */
export interface TextPage {
  readonly text: Uint8Array
  readonly source: CopySource
}

const decoder = new TextDecoder()

export class PagedTexts {
  /** Where each entry ends in its page. */
  readonly ends: Uint32Array
  readonly #pages: readonly TextPage[]
  readonly #shift: number
  readonly #mask: number

  /** @param perPage entries in each page but the last: a power of two. */
  constructor(pages: readonly Uint8Array[], ends: Uint32Array, perPage: number) {
    this.ends = ends
    this.#pages = pages.map((text) => ({ text, source: copySourceOf(text) }))
    this.#shift = Math.log2(perPage)
    this.#mask = perPage - 1
  }

  /** The page that an entry stands in. */
  pageOf(entry: number): TextPage {
    return this.#pages[entry >>> this.#shift]!
  }

  /** Where an entry begins in its page. */
  startOf(entry: number): number {
    return (entry & this.#mask) === 0 ? 0 : this.ends[entry - 1]!
  }

  /** A copy of the bytes of an entry. */
  bytesAt(entry: number): Uint8Array {
    assert(entry >= 0 && entry < this.ends.length, `there is no text ${entry}`)
    assert(this.startOf(entry) <= this.ends[entry]!, `text ${entry} ends before it starts`)
    return this.pageOf(entry).text.slice(this.startOf(entry), this.ends[entry])
  }

  /** The text of an entry. */
  textAt(entry: number): string {
    // Of a copy, because a decoder refuses shared memory.
    return decoder.decode(this.bytesAt(entry))
  }
}
