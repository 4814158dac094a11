/** The members of one set that are not members of others. */
import { type DocSet, retainEach } from './doc-set.ts'

/** The members of `some` that `others` does not contain. */
export class Difference implements DocSet {
  readonly size: number
  readonly width: number
  readonly #some: DocSet
  readonly #others: DocSet

  constructor(some: DocSet, others: DocSet) {
    this.size = some.size
    this.width = some.width + others.width
    this.#some = some
    this.#others = others
  }

  mayContain(ordinal: number): boolean {
    return this.#some.mayContain(ordinal)
  }

  contains(ordinal: number): boolean {
    return this.#some.contains(ordinal) && !this.#areOthers(ordinal)
  }

  retain(ordinals: Uint32Array, count: number): number {
    return retainEach(this, ordinals, count)
  }

  slice(start: number, end: number): DocSet {
    return new Difference(this.#some.slice(start, end), this.#others)
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    this.#some.forEach(others, (ordinal) => this.#areOthers(ordinal) || take(ordinal))
  }

  #areOthers(ordinal: number): boolean {
    return this.#others.mayContain(ordinal) && this.#others.contains(ordinal)
  }
}
