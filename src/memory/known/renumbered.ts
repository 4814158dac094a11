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
  }

  /** The number of a text here, or -1 if it has none yet. */
  find(earlier: number): number {
    const known = this.#numbers[earlier]!
    if (known !== unknown) return known
    const [start, end] = this.placeOf(earlier)
    const found = this.#interner.findBytes(this.#texts.text, start, end)
    if (found >= 0) this.#numbers[earlier] = found
    return found
  }

  /** The number of a text here, a new one if it has none yet. */
  intern(earlier: number): number {
    const known = this.#numbers[earlier]!
    if (known !== unknown) return known
    const [start, end] = this.placeOf(earlier)
    const number = this.#interner.internBytes(this.#texts.text, start, end)
    this.#numbers[earlier] = number
    return number
  }

  /** Start and end of a text. */
  placeOf(earlier: number): readonly [number, number] {
    const { ends } = this.#texts
    return [earlier === 0 ? 0 : ends[earlier - 1]!, ends[earlier]!]
  }
}
