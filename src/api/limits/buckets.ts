/**
 * Token buckets in shared memory, one word each: the time at which the bucket would be full again (the generic cell rate
 * algorithm, ITU-T I.371). An untouched bucket is full, so nothing has to be filled or swept, and a refusal writes
 * nothing. A word is a double, exact up to 2⁵³ ns (104 days of a machine that is on).
 */
import {
  createSharedDoubles,
  SharedDoubles,
  type SharedDoublesMemory,
} from '../../memory/shared-doubles.ts'

/** The rate of a bucket: one token after every interval, up to the maximum. */
export interface BucketRate {
  readonly intervalNs: number
  readonly tokensMax: number
}

/** The memory of buckets: a plain value to hand to a worker thread. */
export interface SharedBuckets {
  readonly words: SharedDoublesMemory
  readonly first: number
  readonly count: number
}

export function createSharedBuckets<N extends string>(
  counts: Readonly<Record<N, number>>,
): Record<N, SharedBuckets> {
  const kinds = Object.entries<number>(counts)
  const words = createSharedDoubles(kinds.reduce((sum, [, count]) => sum + count, 0))
  let end = 0
  const shared = kinds.map(([name, count]): [string, SharedBuckets] => {
    end += count
    return [name, { words, first: end - count, count }]
  })
  return Object.fromEntries(shared) as Record<N, SharedBuckets>
}

/** One thread's view of some buckets, all of which fill alike. */
export class Buckets {
  readonly #fullAt: SharedDoubles
  readonly #intervalNs: number
  readonly #depthNs: number

  constructor({ words, first, count }: SharedBuckets, { intervalNs, tokensMax }: BucketRate) {
    this.#fullAt = new SharedDoubles(words, count, first)
    this.#intervalNs = intervalNs
    this.#depthNs = intervalNs * tokensMax
  }

  get count(): number {
    return this.#fullAt.values.length
  }

  /**
   * Takes tokens; returns the ns until the bucket is full again. If it has too few, takes none and returns the ns until
   * it has enough, negated.
   * @param nowNs whole nanoseconds, the same for all threads, and never going back.
   */
  take(slot: number, nowNs: number, tokens = 1): number {
    let fullAt: number
    let aheadNs: number
    do {
      fullAt = this.#fullAt.values[slot]!
      // A bucket that is full already is full from now on.
      aheadNs = Math.max(0, fullAt - nowNs) + tokens * this.#intervalNs
      if (aheadNs > this.#depthNs) return this.#depthNs - aheadNs
      // A round is only repeated when another thread's succeeded.
    } while (!this.#fullAt.replace(slot, fullAt, nowNs + aheadNs))
    return aheadNs
  }

  /** Number of tokens left after `take` returned `aheadNs`. */
  tokensLeft(aheadNs: number): number {
    return Math.floor((this.#depthNs - aheadNs) / this.#intervalNs)
  }
}
