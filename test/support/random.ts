/** Reproducible randomness: the same seed draws the same values on any machine. */

/** A generator of 32-bit numbers: sfc32, by Chris Doty-Humphrey (PractRand), warmed up by 12 draws. */
export class Random {
  #a = 0
  #b: number
  #c: number
  #counter = 1

  /** `stream` separates generators of one seed, so that one can draw more without shifting another. */
  constructor(seed: number, stream: number) {
    this.#b = seed | 0
    this.#c = stream | 0
    for (let draw = 0; draw < 12; draw++) this.next()
  }

  /** A whole number from 0 to 2³² − 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum >>> 0
  }

  fraction(): number {
    return this.next() / 0x1_0000_0000
  }

  /** A whole number from 0 to `count` − 1. */
  below(count: number): number {
    return Math.floor(this.fraction() * count)
  }

  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** A number of the standard normal distribution (Box and Muller 1958). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()))
    return radius * Math.cos(2 * Math.PI * this.fraction())
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** The numbers from 0 to `count` − 1 in random order (Fisher and Yates). */
  permutation(count: number): Uint32Array {
    const numbers = Uint32Array.from({ length: count }, (_, index) => index)
    for (let last = count - 1; last > 0; last--) {
      const other = this.below(last + 1)
      const number = numbers[last]!
      numbers[last] = numbers[other]!
      numbers[other] = number
    }
    return numbers
  }
}

/** Draws indices by weight in constant time: the alias method (Walker 1977, built as Vose 1991). */
export class Sampler {
  /** Of each cell, the share that is its own; the rest belongs to its alias. */
  readonly #own: Float64Array
  readonly #alias: Uint32Array

  constructor(weights: readonly number[] | Float64Array) {
    this.#own = Float64Array.from(weights)
    const mean = this.#own.reduce((sum, weight) => sum + weight, 0) / weights.length
    for (let index = 0; index < weights.length; index++) this.#own[index]! /= mean
    this.#alias = new Uint32Array(weights.length)
    this.#fill()
  }

  #fill(): void {
    const small: number[] = []
    const large: number[] = []
    for (const [index, share] of this.#own.entries()) (share < 1 ? small : large).push(index)
    while (small.length > 0 && large.length > 0) {
      const poor = small.pop()!
      const rich = large.pop()!
      this.#alias[poor] = rich
      this.#own[rich]! -= 1 - this.#own[poor]!
      ;(this.#own[rich]! < 1 ? small : large).push(rich)
    }
    // What is left differs from 1 by rounding only.
    for (const index of [...small, ...large]) this.#own[index] = 1
  }

  draw(random: Random): number {
    const cell = random.below(this.#own.length)
    return random.fraction() < this.#own[cell]! ? cell : this.#alias[cell]!
  }
}

/** A sampler of ranks from 0 where rank r is drawn in proportion to (r + 1) to the −`exponent`. */
export function zipf(count: number, exponent: number): Sampler {
  return new Sampler(Float64Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent))
}

/** 32 bits that follow from two numbers and look random (the finalizer of MurmurHash3). */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e37_79b1) ^ b
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
