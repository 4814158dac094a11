/**
 * What was answered in the last minutes, by the names of the questions: a place that is gone back to is shown at once, and for
 * nothing. It is in memory only, and belongs to one key.
 */

/** How long an answer is shown again, ms. */
const keptMsMax = 10 * 60_000

/** The pages that answer a question; `undefined` is no error. */
export interface Seen<T> {
  pages: readonly T[]
  error: unknown
}

interface Kept {
  readonly seen: Seen<unknown>
  readonly atMs: number
}

export class SeenAnswers {
  readonly #kept = new Map<string, Kept>()
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** What is known of a question; without a page if it was not asked lately. */
  of<T>(name: string): Seen<T> {
    const nowMs = this.#clock()
    for (const [each, { atMs }] of this.#kept) {
      if (nowMs - atMs > keptMsMax) this.#kept.delete(each)
    }
    const kept = this.#kept.get(name) ?? { seen: { pages: [], error: undefined }, atMs: nowMs }
    this.#kept.set(name, kept)
    return kept.seen as Seen<T>
  }
}
