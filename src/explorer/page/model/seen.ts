/**
 * The answers of the last minutes by the names of their questions: a place that is gone back to is shown at once, and for
 * nothing. They are in memory only, and belong to one key.
 */

/** How long an answer is shown again, ms, and how many are kept; the oldest go first. */
const keptMsMax = 10 * 60_000
const keptMax = 200

interface Kept {
  readonly value: unknown
  readonly atMs: number
}

export class SeenAnswers {
  readonly #kept = new Map<string, Kept>()
  readonly #clock: () => number

  /** @param clock milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  get<T>(name: string): T | undefined {
    const kept = this.#kept.get(name)
    if (kept === undefined || this.#clock() - kept.atMs > keptMsMax) return undefined
    return kept.value as T
  }

  keep(name: string, value: unknown): void {
    this.#kept.delete(name)
    this.#kept.set(name, { value, atMs: this.#clock() })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptMax) break
      this.#kept.delete(oldest)
    }
  }
}
