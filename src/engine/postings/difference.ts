/** Those who are among some and not among others. */
import { type DocSet, keepHeld } from './doc-set.ts'

/** Those of `some` who are not held by `others`. */
export class Except implements DocSet {
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

  mayHold(ordinal: number): boolean {
    return this.#some.mayHold(ordinal)
  }

  holds(ordinal: number): boolean {
    return this.#some.holds(ordinal) && !this.#areOthers(ordinal)
  }

  keep(ordinals: Uint32Array, count: number): number {
    return keepHeld(this, ordinals, count)
  }

  within(start: number, end: number): DocSet {
    return new Except(this.#some.within(start, end), this.#others)
  }

  walk(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    this.#some.walk(others, (ordinal) => this.#areOthers(ordinal) || take(ordinal))
  }

  #areOthers(ordinal: number): boolean {
    return this.#others.mayHold(ordinal) && this.#others.holds(ordinal)
  }
}
