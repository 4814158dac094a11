/**
 * Texts in pages: the entries of a page follow each other in the page's own text, so that all of them
 * together may be longer than a typed array can be. Every start is counted from that of its page, and the starts of a page
 * are one more than its entries.
 * The text of a page is in memory, or in a file of which a part is in memory.
 */
import { assert } from '../../memory/assert.ts'
import { copySourceOf } from '../../memory/copy-text.ts'
import type { SectionOf, Sections } from '../sections.ts'
import { StoredBlocks, type TextPage } from './stored-blocks.ts'
import type { StoredTexts } from './stored-texts.ts'

const decoder = new TextDecoder()

export class PagedTexts {
  readonly #starts: Uint32Array
  readonly #pages: readonly TextPage[]
  readonly #blocks: StoredBlocks | undefined
  readonly #shift: number

  /** @param blocks of entries that are not in memory. @param perPage a power of two; else one page. */
  constructor(
    pages: readonly Uint8Array[],
    starts: Uint32Array,
    blocks?: StoredBlocks,
    perPage = 2 ** 31,
  ) {
    this.#starts = starts
    this.#pages = pages.map((text) => ({ text, source: copySourceOf(text), base: 0 }))
    this.#blocks = blocks
    this.#shift = Math.log2(perPage)
  }

  /** The page that an entry stands in, or a part of it with all of the entry. */
  pageOf(entry: number): TextPage {
    const page = entry >>> this.#shift
    const blocks = this.#blocks
    return blocks === undefined ? this.#pages[page]! : blocks.partAt(page, this.#startInPage(entry))
  }

  /** The offset of an entry in the text of `pageOf`. */
  startOf(entry: number): number {
    const start = this.#startInPage(entry)
    return this.#blocks === undefined ? start : start - this.pageOf(entry).base
  }

  endOf(entry: number): number {
    const end = this.#endInPage(entry)
    return this.#blocks === undefined ? end : end - this.pageOf(entry).base
  }

  lengthOf(entry: number): number {
    return this.#endInPage(entry) - this.#startInPage(entry)
  }

  get isInMemory(): boolean {
    return this.#blocks === undefined
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

/** The entries of a section that may stay in the file. */
export function storedEntries(
  { sections, texts }: { readonly sections: Sections; readonly texts?: StoredTexts | undefined },
  name: 'topic.json' | 'peer.gaps',
  starts: SectionOf<'uint32'>,
): PagedTexts {
  const page = texts?.pages[name]
  const blocks = page && new StoredBlocks(texts!, [page])
  return new PagedTexts([sections[name]], sections[starts], blocks)
}
