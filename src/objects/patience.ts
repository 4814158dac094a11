/**
 * Waiting for object storage or a database: longer after every failure in a row, never in step with
 * other clients (full jitter on the upper half).
 */

const shortestMs = 500
const minuteMs = 60_000

export interface Waiting {
  readonly sleep: (milliseconds: number) => Promise<unknown>
  readonly random: () => number
}

export class BackOff {
  readonly #random: () => number
  readonly #longestMs: number
  #failures = 0

  constructor(random: () => number, longestMs = minuteMs) {
    this.#random = random
    this.#longestMs = longestMs
  }

  get failures(): number {
    return this.#failures
  }

  reset(): void {
    this.#failures = 0
  }

  /** The pause after one more failure: 0.25 to 0.5 s after the first. */
  nextMs(): number {
    const ceilingMs = Math.min(this.#longestMs, shortestMs * 2 ** this.#failures)
    this.#failures += 1
    return ceilingMs * (0.5 + this.#random() / 2)
  }
}

/** A limit of bytes a second. Unused bytes are saved for at most a second. */
export class Pace {
  readonly #bytesPerSecond: number
  readonly #clock: () => number
  readonly #sleep: Waiting['sleep']
  #freeAtMs = 0

  /** @param bytesPerSecond 0 is no limit. @param clock milliseconds. */
  constructor(bytesPerSecond: number, clock: () => number, sleep: Waiting['sleep']) {
    this.#bytesPerSecond = bytesPerSecond
    this.#clock = clock
    this.#sleep = sleep
  }

  async take(bytes: number): Promise<void> {
    if (this.#bytesPerSecond === 0) return
    const now = this.#clock()
    this.#freeAtMs = Math.max(this.#freeAtMs, now - 1_000) + (bytes / this.#bytesPerSecond) * 1_000
    if (this.#freeAtMs > now) await this.#sleep(this.#freeAtMs - now)
  }
}
