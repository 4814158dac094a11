/** Those who are among some and not among others. */
import { type Holders, keepHeld } from './doc-set.ts'

/** Those of `some` who are not held by `others`. */
export class Except implements Holders {
  readonly size: number
  readonly width: number
  readonly #some: Holders
  readonly #others: Holders

  constructor(some: Holders, others: Holders) {
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

  within(start: number, end: number): Holders {
    return new Except(this.#some.within(start, end), this.#others)
  }

  walk(others: readonly Holders[], take: (ordinal: number) => boolean): void {
    this.#some.walk(others, (ordinal) => this.#areOthers(ordinal) || take(ordinal))
  }

  #areOthers(ordinal: number): boolean {
    return this.#others.mayHold(ordinal) && this.#others.holds(ordinal)
  }
}
