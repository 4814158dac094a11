/** The ready-made JSON of the people of a head and of its tail, by ordinal. */
import { copySourceOf } from '../memory/copy-text.ts'
import { PagedTexts, type TextPage } from '../memory/paged-texts.ts'
import type { TailReader } from './tail-reader.ts'

export class TailedTexts extends PagedTexts {
  readonly #kind: 'identity' | 'profile'
  readonly #head: PagedTexts
  readonly #tail: TailReader

  constructor(kind: 'identity' | 'profile', head: PagedTexts, tail: TailReader) {
    super([], head.ends, 1)
    this.#kind = kind
    this.#head = head
    this.#tail = tail
  }

  override get isInMemory(): boolean {
    return false
  }

  override pageOf(entry: number): TextPage {
    if (this.#isOfHead(entry)) return this.#head.pageOf(entry)
    const text = this.#textAt(entry)
    return { text, source: copySourceOf(text), base: 0 }
  }

  override startOf(entry: number): number {
    return this.#isOfHead(entry) ? this.#head.startOf(entry) : 0
  }

  override endOf(entry: number): number {
    return this.#isOfHead(entry) ? this.#head.endOf(entry) : this.#textAt(entry).length
  }

  override lengthOf(entry: number): number {
    return this.#isOfHead(entry) ? this.#head.lengthOf(entry) : this.#textAt(entry).length
  }

  override want(entries: ArrayLike<number>, count: number): void {
    this.#head.want(entries, count)
    if (this.#kind === 'identity') this.#tail.wantSummaries(entries, count)
    else this.#tail.wantPeople(entries, count)
  }

  override bytesAt(entry: number): Uint8Array {
    return this.#isOfHead(entry) ? this.#head.bytesAt(entry) : this.#textAt(entry).slice()
  }

  #isOfHead(entry: number): boolean {
    return entry < this.ends.length
  }

  #textAt(ordinal: number): Uint8Array {
    return this.#kind === 'identity'
      ? this.#tail.summaryAt(ordinal).identity
      : this.#tail.personAt(ordinal).profile
  }
}
