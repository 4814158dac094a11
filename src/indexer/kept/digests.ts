/** Digests of 128 bits as columns of numbers, and the person that each is of. */
import type { NumberColumn } from '../../memory/columns.ts'

/** Numbers of a digest. */
export const digestNumbers = 4

/** Adds a digest of 16 characters of 8 bits each; zeros, which find nothing, for an empty one. */
export function pushDigest(digest: string, column: NumberColumn<Uint32Array>): void {
  for (let number = 0; number < digestNumbers; number += 1) column.push(numberIn(digest, number))
}

function numberIn(digest: string, number: number): number {
  const byte = (index: number) => digest.charCodeAt(number * 4 + index)
  // Of a missing character that is no number, and makes 0.
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0
}

export class DigestTable {
  readonly #digests: Uint32Array
  /** A person + 1, or 0; at least half of them are empty. */
  readonly #slots: Uint32Array

  /** @param digests four numbers a person. O(people). */
  constructor(digests: Uint32Array) {
    this.#digests = digests
    const people = digests.length / digestNumbers
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(people * 2 + 2)))
    for (let person = 0; person < people; person += 1) {
      const digest = digests.subarray(person * digestNumbers, (person + 1) * digestNumbers)
      if (digest.some((number) => number !== 0)) this.#place(person, digest[0]!)
    }
  }

  /** The person of a digest, or -1. Constant time. */
  find(digest: string): number {
    const mask = this.#slots.length - 1
    let slot = numberIn(digest, 0) & mask
    while (this.#slots[slot] !== 0 && !this.#isOf(this.#slots[slot]! - 1, digest)) {
      slot = (slot + 1) & mask
    }
    return this.#slots[slot]! - 1
  }

  #place(person: number, number: number): void {
    const mask = this.#slots.length - 1
    let slot = number & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = person + 1
  }

  #isOf(person: number, digest: string): boolean {
    for (let number = 0; number < digestNumbers; number += 1) {
      if (this.#digests[person * digestNumbers + number] !== numberIn(digest, number)) return false
    }
    return true
  }
}
