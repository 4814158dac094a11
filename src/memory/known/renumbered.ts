/** Texts of an earlier sync under the numbers that they have in this one, each looked up once. */
import type { Interner } from '../interner.ts'
import type { Texts } from '../text-table.ts'

const unknown = 0xffff_ffff

export class Renumbered {
  readonly #texts: Texts
  readonly #interner: Interner
  /** By the number in the earlier sync. */
  readonly #numbers: Uint32Array

  /** @param interner of this sync. O(texts). */
  constructor(texts: Texts, interner: Interner) {
    this.#texts = texts
    this.#interner = interner
    this.#numbers = new Uint32Array(texts.ends.length).fill(unknown)
    // Nearly all of them come again.
    interner.reserve(texts)
  }

  /** The number of a text here, or -1 if it has none yet. */
  find(earlier: number): number {
    const known = this.#numbers[earlier]!
    if (known !== unknown) return known
    const found = this.#interner.findBytes(
      this.#texts.text,
      this.startOf(earlier),
      this.endOf(earlier),
    )
    if (found >= 0) this.#numbers[earlier] = found
    return found
  }

  /** The number of a text here, a new one if it has none yet. */
  intern(earlier: number): number {
    const known = this.#numbers[earlier]!
    if (known !== unknown) return known
    const number = this.#interner.internBytes(
      this.#texts.text,
      this.startOf(earlier),
      this.endOf(earlier),
    )
    this.#numbers[earlier] = number
    return number
  }

  /** Offset of a text. */
  startOf(earlier: number): number {
    return earlier === 0 ? 0 : this.#texts.ends[earlier - 1]!
  }

  /** Offset behind a text. */
  endOf(earlier: number): number {
    return this.#texts.ends[earlier]!
  }
}
