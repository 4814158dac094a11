/**
 * Texts in pages: the entries of a page follow each other in the page's own text, so that all of them
 * together may be longer than a typed array can be. Every start is counted from that of its page, and the starts of a page
 * are one more than its entries.
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
  readonly #starts: Uint32Array
  readonly #pages: readonly TextPage[]
  readonly #parts: PartSource | undefined
  readonly #shift: number

  /** @param parts the source of entries that are not in memory. @param perPage a power of two; else one page. */
  constructor(
    pages: readonly Uint8Array[],
    starts: Uint32Array,
    parts?: PartSource,
    perPage = 2 ** 31,
  ) {
    this.#starts = starts
    this.#pages = pages.map((text) => ({ text, source: copySourceOf(text), base: 0 }))
    this.#parts = parts
    this.#shift = Math.log2(perPage)
  }

  /** The page that an entry stands in, or a part of it with all of the entry. */
  pageOf(entry: number): TextPage {
    const page = entry >>> this.#shift
    const parts = this.#parts
    return parts === undefined ? this.#pages[page]! : parts.partAt(page, this.#startInPage(entry))
  }

  /** The offset of an entry in the text of `pageOf`. */
  startOf(entry: number): number {
    const start = this.#startInPage(entry)
    return this.#parts === undefined ? start : start - this.pageOf(entry).base
  }

  endOf(entry: number): number {
    const end = this.#endInPage(entry)
    return this.#parts === undefined ? end : end - this.pageOf(entry).base
  }

  lengthOf(entry: number): number {
    return this.#endInPage(entry) - this.#startInPage(entry)
  }

  get isInMemory(): boolean {
    return this.#parts === undefined
  }

  #startInPage(entry: number): number {
    return this.#starts[entry + (entry >>> this.#shift)]!
  }

  #endInPage(entry: number): number {
    return this.#starts[entry + (entry >>> this.#shift) + 1]!
  }

  bytesAt(entry: number): Uint8Array {
    assert(this.lengthOf(entry) >= 0, `there is no text ${entry}`)
    return this.pageOf(entry).text.slice(this.startOf(entry), this.endOf(entry))
  }

  textAt(entry: number): string {
    // Decodes a copy, because a decoder refuses shared memory.
    return decoder.decode(this.bytesAt(entry))
  }
}
