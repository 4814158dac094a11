/**
 * The way to wait for data that an answer needs and that is not in memory: texts in a file, or data of another server.
 * A reader throws it. A caller that can wait has the data brought and asks again. Brought data stays until its hold is
 * released, so that fewer things are missing each time.
 */
import type { Problem } from '../../problems.ts'

/** Keeps the data that was brought for one request in memory. */
export class Hold {
  readonly #kept = new Map<object, () => void>()
  #isOver = false

  /** Whether it was released: nothing needs to be brought for it any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Keeps a thing.
   * @param letGo called once, when the hold is released.
   * @returns false if the thing is kept already, or the hold is over; then `letGo` is not called.
   */
  keep(thing: object, letGo: () => void): boolean {
    if (this.#isOver || this.#kept.has(thing)) return false
    this.#kept.set(thing, letGo)
    return true
  }

  /** Lets everything go; a second time it does nothing. */
  release(): void {
    this.#isOver = true
    for (const letGo of this.#kept.values()) letGo()
    this.#kept.clear()
  }
}

/** Thrown by a reader of data that is not in memory. No `Error`, which would record the stack: an eighth of a look-up in a tail. */
export class NotAtHand {
  /** The problem that answers a client if the data cannot be brought in time. */
  readonly problem: Problem
  /** All that is missing. */
  readonly parts: readonly unknown[]
  readonly #bring: (hold: Hold) => Promise<void>

  constructor(problem: Problem, parts: readonly unknown[], bring: (hold: Hold) => Promise<void>) {
    this.problem = problem
    this.parts = parts
    this.#bring = bring
  }

  /**
   * Brings all of it into memory, where it stays until the hold is released.
   * @throws CannotBeBrought; anything else is a bug.
   */
  bring(hold: Hold): Promise<void> {
    return this.#bring(hold)
  }
}

/** Thrown if something cannot be brought at the moment. */
export class CannotBeBrought extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options)
    this.problem = problem
  }
}
