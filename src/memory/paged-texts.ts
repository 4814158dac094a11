/**
 * Texts in pages: the entries of a page follow each other in the page's own text, so that all of them
 * together may be longer than a typed array can be. Every end is counted from the start of its page.
 * The text of a page is in memory, or in a file of which a part is in memory.
 */
import { assert } from './assert.ts'
import { type CopySource, copySourceOf } from './copy-text.ts'

/** The text of one page or a part of it, to be read and to be copied. Valid until another part of the page is asked for. */
export interface TextPage {
  readonly text: Uint8Array
  readonly source: CopySource
  /** Offset of the text in its page: subtracted from offsets that are counted from the start of the page. */
  readonly base: number
}

export interface PartSource {
  /** The part of a page with the entry that begins at `start`. Throws where it cannot be read. */
  partAt(page: number, start: number): TextPage
}

const decoder = new TextDecoder()

export class PagedTexts {
  /** The end of each entry, counted from the start of its page. */
  readonly ends: Uint32Array
  readonly #pages: readonly TextPage[]
  readonly #parts: PartSource | undefined
  readonly #shift: number
  readonly #mask: number

  /** @param parts the source of entries that are not in memory. @param perPage a power of two; else one page. */
  constructor(
    pages: readonly Uint8Array[],
    ends: Uint32Array,
    parts?: PartSource,
    perPage = 2 ** 31,
  ) {
    this.ends = ends
    this.#pages = pages.map((text) => ({ text, source: copySourceOf(text), base: 0 }))
    this.#parts = parts
    this.#shift = Math.log2(perPage)
    this.#mask = perPage - 1
  }

  /** The page that an entry stands in, or a part of it with all of the entry. */
  pageOf(entry: number): TextPage {
    const parts = this.#parts
    return parts === undefined
      ? this.#pages[entry >>> this.#shift]!
      : parts.partAt(entry >>> this.#shift, this.#startInPage(entry))
  }

  /** The offset of an entry in the text of `pageOf`. */
  startOf(entry: number): number {
    const start = this.#startInPage(entry)
    return this.#parts === undefined ? start : start - this.pageOf(entry).base
  }

  endOf(entry: number): number {
    const end = this.ends[entry]!
    return this.#parts === undefined ? end : end - this.pageOf(entry).base
  }

  lengthOf(entry: number): number {
    return this.ends[entry]! - this.#startInPage(entry)
  }

  get isInMemory(): boolean {
    return this.#parts === undefined
  }

  #startInPage(entry: number): number {
    return (entry & this.#mask) === 0 ? 0 : this.ends[entry - 1]!
  }

  bytesAt(entry: number): Uint8Array {
    assert(entry >= 0 && entry < this.ends.length, `there is no text ${entry}`)
    assert(this.#startInPage(entry) <= this.ends[entry]!, `text ${entry} ends before it starts`)
    return this.pageOf(entry).text.slice(this.startOf(entry), this.endOf(entry))
  }

  textAt(entry: number): string {
    // Decodes a copy, because a decoder refuses shared memory.
    return decoder.decode(this.bytesAt(entry))
  }
}
