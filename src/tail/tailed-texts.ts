/** The ready-made JSON of the people of a head and of its tail, by ordinal. */
import { copySlackBytes, copySourceOf } from '../memory/copy-text.ts'
import { PagedTexts, type TextPage } from '../memory/paged-texts.ts'
import type { TailPerson } from './blocks.ts'
import type { TailReader } from './tail-reader.ts'

/** A text with room behind it, so that pieces of it are copied in blocks; and its length, bytes. */
interface PersonPage extends TextPage {
  readonly length: number
}

export class TailedTexts extends PagedTexts {
  readonly #kind: 'identity' | 'profile'
  readonly #head: PagedTexts
  readonly #tail: TailReader
  /** Pages of people that requests hold. */
  readonly #pages = new WeakMap<TailPerson, PersonPage>()

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
    return this.#isOfHead(entry) ? this.#head.pageOf(entry) : this.#page(entry)
  }

  override startOf(entry: number): number {
    return this.#isOfHead(entry) ? this.#head.startOf(entry) : 0
  }

  override endOf(entry: number): number {
    return this.#isOfHead(entry) ? this.#head.endOf(entry) : this.#page(entry).length
  }

  override lengthOf(entry: number): number {
    return this.#isOfHead(entry) ? this.#head.lengthOf(entry) : this.#page(entry).length
  }

  override want(entries: ArrayLike<number>, count: number): void {
    this.#head.want(entries, count)
    this.#tail.wantPeople(entries, count)
  }

  override bytesAt(entry: number): Uint8Array {
    return this.#isOfHead(entry)
      ? this.#head.bytesAt(entry)
      : this.#page(entry).text.slice(0, this.#page(entry).length)
  }

  #isOfHead(entry: number): boolean {
    return entry < this.ends.length
  }

  #page(ordinal: number): PersonPage {
    const person = this.#tail.personAt(ordinal)
    const known = this.#pages.get(person)
    if (known !== undefined) return known
    const own = person[this.#kind]
    const { length } = own
    const text = new Uint8Array(length + copySlackBytes)
    text.set(own)
    const page = { text, source: copySourceOf(text), base: 0, length }
    this.#pages.set(person, page)
    return page
  }
}
