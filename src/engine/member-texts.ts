/** A member of items that many people share, ready to be copied: that of a country, or that of a topic. */
import { type CopySource, copySourceOf } from '../memory/copy-text.ts'

export class MemberTexts {
  readonly source: CopySource
  readonly #ends: Uint32Array
  readonly #before: number
  readonly #behind: number

  constructor(text: Uint8Array, ends: Uint32Array, before: string, behind = '') {
    this.source = copySourceOf(text)
    this.#ends = ends
    this.#before = before.length
    this.#behind = behind.length
  }

  startOf(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!
  }

  endOf(number: number): number {
    return this.#ends[number]!
  }

  valueStart(number: number): number {
    return this.startOf(number) + this.#before
  }

  valueEnd(number: number): number {
    return this.endOf(number) - this.#behind
  }
}
