/** The best of some numbers: people by their values in topics, terms and topics by how many have them; the first people. */
import type { PlaceRange } from '../../memory/text-order.ts'
import { type DocSet, forEachInAll, isEmptyIn, type WalkPlan, walkChunks } from './doc-set.ts'

export interface OrderMark {
  readonly value: number
  readonly ordinal: number
}

/** The people with the largest values behind a mark: the more the better, of equals the top authority. */
export class Best {
  readonly ordinals: number[] = []
  readonly #values: number[] = []
  readonly #most: number
  readonly #after: OrderMark

  constructor(most: number, after: OrderMark = top) {
    this.#most = most
    this.#after = after
  }

  /** Whether as many as are wanted have values above another. */
  isAbove(value: number): boolean {
    return this.ordinals.length === this.#most && this.#values[this.#most - 1]! > value
  }

  /** The ordinal from which on none of the last value is wanted. */
  get end(): number {
    const { ordinals } = this
    return ordinals.length < this.#most ? Number.POSITIVE_INFINITY : ordinals[this.#most - 1]!
  }

  /** Returns false once nobody of the same value and a larger ordinal is wanted. */
  take(ordinal: number, value = 0): boolean {
    const { ordinals } = this
    const values = this.#values
    const most = this.#most
    let at = ordinals.length
    // Most come too late.
    if (at === most && !isFirst(value, ordinal, values[at - 1]!, ordinals[at - 1]!)) return false
    if (!isFirst(this.#after.value, this.#after.ordinal, value, ordinal)) return true
    while (at > 0 && isFirst(value, ordinal, values[at - 1]!, ordinals[at - 1]!)) at -= 1
    if (at === 0 || ordinals[at - 1] !== ordinal) {
      // Shifted by hand: `splice` makes an array of nothing each time.
      for (let to = Math.min(ordinals.length, most - 1); to > at; to -= 1) {
        ordinals[to] = ordinals[to - 1]!
        values[to] = values[to - 1]!
      }
      ordinals[at] = ordinal
      values[at] = value
    }
    return ordinals.length < most || ordinals[most - 1] !== ordinal
  }
}

/** Above everybody. */
export const top: OrderMark = { value: Number.POSITIVE_INFINITY, ordinal: -1 }

export function isFirst(
  value: number,
  ordinal: number,
  other: number,
  otherOrdinal: number,
): boolean {
  return value > other || (value === other && ordinal < otherOrdinal)
}

/** Of equals the lowest number; none whose size is 0. O(range). */
export function largest(
  { start, end }: PlaceRange,
  sizeOf: (each: number) => number,
  most: number,
): number[] {
  const best = new Best(most)
  for (let each = start; each < end; each += 1) {
    const size = sizeOf(each)
    if (size > 0) best.take(each, size)
  }
  return best.ordinals
}

const noNumbers: readonly number[] = []

/** The first people of an intersection, by authority; nobody if a set is empty. */
export function firstOf(all: readonly DocSet[], limit: number): readonly number[] {
  if (all.length === 0 || isEmptyIn(all)) return noNumbers
  const least = new Best(limit)
  forEachInAll(all, (ordinal) => least.take(ordinal))
  return least.ordinals
}

export function isAnyIn(all: readonly DocSet[]): boolean {
  return firstOf(all, 1).length > 0
}

/** Like `firstOf`, for sets where thousands are visited before enough are found. */
export function firstOfMany(plan: WalkPlan, limit: number): readonly number[] {
  const least = new Best(limit)
  walkChunks(plan, (ordinals, count) => {
    for (let index = 0; index < count; index += 1) least.take(ordinals[index]!)
    return least.end
  })
  return least.ordinals
}
