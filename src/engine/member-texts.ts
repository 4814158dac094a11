/** A member of items that many people share, ready to be copied: that of a country, or that of a topic. */
import { type CopySource, copySourceOf } from '../memory/copy-text.ts'
import type { Texts } from '../memory/text-table.ts'

export class MemberTexts {
  readonly source: CopySource
  readonly #starts: Uint32Array
  readonly #before: number
  readonly #behind: number

  constructor({ text, starts }: Texts, before: string, behind = '') {
    this.source = copySourceOf(text)
    this.#starts = starts
    this.#before = before.length
    this.#behind = behind.length
  }

  startOf(number: number): number {
    return this.#starts[number]!
  }

  endOf(number: number): number {
    return this.#starts[number + 1]!
  }

  valueStart(number: number): number {
    return this.startOf(number) + this.#before
  }

  valueEnd(number: number): number {
    return this.endOf(number) - this.#behind
  }
}
