/** The best of a walk in an order of topics. */

/** A mark in the order: behind somebody who is a member, with the value that it had. */
export interface OrderMark {
  readonly value: number
  readonly ordinal: number
}

/** The people with the largest values behind a mark: the more the better, of equals the top authority. */
export class Best {
  /** The best first. */
  readonly ordinals: number[] = []
  readonly #values: number[] = []
  readonly #most: number
  readonly #after: OrderMark

  constructor(most: number, after: OrderMark) {
    this.#most = most
    this.#after = after
  }

  /** Whether as many as are wanted have values above another. */
  isAbove(value: number): boolean {
    return this.ordinals.length === this.#most && this.#values[this.#most - 1]! > value
  }

  /** Takes somebody who is among the best so far, once. */
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

/** Whether somebody with a value stands before another. */
export function isFirst(
  value: number,
  ordinal: number,
  other: number,
  otherOrdinal: number,
): boolean {
  return value > other || (value === other && ordinal < otherOrdinal)
}
