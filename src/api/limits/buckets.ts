/**
 * Token buckets in memory that all threads share, one word each: the time at which the bucket would
 * be full again (the generic cell rate algorithm, ITU-T I.371). A bucket that was never touched is
 * full, so nothing has to be filled or swept, and a refusal writes nothing.
 */

/** How a bucket fills: one token after every interval, up to so many. */
export interface Filling {
  readonly intervalNs: number
  readonly tokensMax: number
}

/** The memory of so many buckets. */
export function createSharedBuckets(count: number): SharedArrayBuffer {
  return new SharedArrayBuffer(count * BigInt64Array.BYTES_PER_ELEMENT)
}

/** One thread's view of some buckets, all of which fill alike. */
export class Buckets {
  readonly #fullAt: BigInt64Array
  readonly #intervalNs: number
  readonly #depthNs: number
  readonly #clockNs: () => number

  /** @param clockNs whole nanoseconds, the same for all threads, and never going back. */
  constructor(
    shared: SharedArrayBuffer,
    { intervalNs, tokensMax }: Filling,
    clockNs: () => number,
  ) {
    this.#fullAt = new BigInt64Array(shared)
    this.#intervalNs = intervalNs
    this.#depthNs = intervalNs * tokensMax
    this.#clockNs = clockNs
  }

  /** How many buckets there are. */
  get count(): number {
    return this.#fullAt.length
  }

  /**
   * Takes tokens: answers after how many nanoseconds the bucket is full again; or takes none and
   * answers, negative, after how many there are so many. More than fit are never there.
   */
  take(slot: number, tokens = 1): number {
    const now = this.#clockNs()
    let fullAt = Atomics.load(this.#fullAt, slot)
    for (;;) {
      // What is full already is full from now on.
      const aheadNs = Math.max(0, Number(fullAt) - now) + tokens * this.#intervalNs
      if (aheadNs > this.#depthNs) return this.#depthNs - aheadNs
      const found = Atomics.compareExchange(this.#fullAt, slot, fullAt, BigInt(now + aheadNs))
      if (found === fullAt) return aheadNs
      fullAt = found
    }
  }

  /** The tokens that are left when `take` has answered so many nanoseconds. */
  tokensLeft(aheadNs: number): number {
    return Math.floor((this.#depthNs - aheadNs) / this.#intervalNs)
  }
}
