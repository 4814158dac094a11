/**
 * The memory of walks in an order of topics: the best so far, and what a walk needs besides. One after the other is
 * filled in anew; each walk copies what it found.
 */
import type { FirstList } from '../first-list.ts'
import { SmallestK } from './smallest-k.ts'

/** A mark in the order: behind somebody who is a member, with the value that it had. */
export interface OrderMark {
  readonly value: number
  readonly ordinal: number
}

/** The people with the largest values behind a mark: the more the better, of equals the top authority. */
class Best {
  /** Entries behind `count` are of an earlier walk. */
  readonly #ordinals: number[] = []
  readonly #values: number[] = []
  #count = 0
  #most = 0
  #afterValue = 0
  #afterOrdinal = 0

  /** Begins another walk, also where the one before was left by an error. */
  begin(most: number, after: OrderMark): void {
    this.#count = 0
    this.#most = most
    this.#afterValue = after.value
    this.#afterOrdinal = after.ordinal
  }

  get count(): number {
    return this.#count
  }

  /** Whether as many as are wanted have values above another. */
  isAbove(value: number): boolean {
    return this.#count === this.#most && this.#values[this.#count - 1]! > value
  }

  /** Puts somebody behind all others. Precondition: fewer than are wanted are there. */
  append(ordinal: number): void {
    this.#ordinals[this.#count] = ordinal
    this.#values[this.#count] = 0
    this.#count += 1
  }

  /** Takes somebody who is among the best so far, once. */
  take(ordinal: number, value: number): void {
    if (!isFirst(this.#afterValue, this.#afterOrdinal, value, ordinal)) return
    const ordinals = this.#ordinals
    const values = this.#values
    let at = this.#count
    while (at > 0 && isFirst(value, ordinal, values[at - 1]!, ordinals[at - 1]!)) at -= 1
    if (at === this.#most || (at > 0 && ordinals[at - 1] === ordinal)) return
    if (this.#count < this.#most) this.#count += 1
    for (let to = this.#count - 1; to > at; to -= 1) {
      ordinals[to] = ordinals[to - 1]!
      values[to] = values[to - 1]!
    }
    ordinals[at] = ordinal
    values[at] = value
  }

  /** A copy of them, the best first. @param copies where the first one of a text is. */
  copy(copies: FirstList<number> | undefined): readonly number[] {
    return copies?.of(this.#ordinals, this.#count) ?? this.#ordinals.slice(0, this.#count)
  }
}

/** Whether somebody with a value stands before another. */
export function isFirst(
  value: number,
  ordinal: number,
  other: number,
  otherOrdinal: number,
): boolean {
  return value > other || (value === other && ordinal < otherOrdinal)
}

/** Room for walks one after the other. */
export class OrderRoom {
  readonly best = new Best()
  readonly least: SmallestK
  readonly copies: FirstList<number> | undefined
  #chunk = new Uint32Array(0)

  /**
   * @param least for people by authority.
   * @param copies where the people of walks are; without it, they are in arrays of their own.
   */
  constructor(least = new SmallestK(0), copies?: FirstList<number>) {
    this.least = least
    this.copies = copies
  }

  /** Memory for so many ordinals or more. */
  chunk(length: number): Uint32Array {
    if (this.#chunk.length < length) this.#chunk = new Uint32Array(length)
    return this.#chunk
  }
}
