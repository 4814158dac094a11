/** The best of some numbers: people by their values in topics, terms and topics by how many have them. */
import type { PlaceRange } from '../../memory/text-order.ts'

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

  take(ordinal: number, value: number): void {
    if (!isFirst(this.#after.value, this.#after.ordinal, value, ordinal)) return
    const { ordinals } = this
    const values = this.#values
    let at = ordinals.length
    while (at > 0 && isFirst(value, ordinal, values[at - 1]!, ordinals[at - 1]!)) at -= 1
    if (at === this.#most || (at > 0 && ordinals[at - 1] === ordinal)) return
    for (let to = Math.min(ordinals.length, this.#most - 1); to > at; to -= 1) {
      ordinals[to] = ordinals[to - 1]!
      values[to] = values[to - 1]!
    }
    ordinals[at] = ordinal
    values[at] = value
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
