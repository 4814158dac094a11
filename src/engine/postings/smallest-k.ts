/** The k smallest of a stream of numbers: the first people of several lists. */
import { type DocSet, forEachInAll, isEmptyIn } from './doc-set.ts'

export class SmallestK {
  readonly numbers: number[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a number if it is among the smallest so far; returns false once no larger number can be. */
  take(number: number): boolean {
    const { numbers } = this
    const most = this.#most
    // Most numbers come too late.
    if (numbers.length === most && !(number < numbers[most - 1]!)) return false
    let at = numbers.length
    while (at > 0 && numbers[at - 1]! > number) at -= 1
    if (at === 0 || numbers[at - 1] !== number) {
      // Shifted by hand: `splice` makes an array of nothing each time.
      for (let to = Math.min(numbers.length, most - 1); to > at; to -= 1) {
        numbers[to] = numbers[to - 1]!
      }
      numbers[at] = number
    }
    return number < this.end
  }

  get end(): number {
    const { numbers } = this
    return numbers.length < this.#most ? Number.POSITIVE_INFINITY : numbers[this.#most - 1]!
  }
}

const noNumbers: readonly number[] = []

/** The first people of an intersection, by authority; nobody if a set is empty. */
export function firstOf(all: readonly DocSet[], limit: number): readonly number[] {
  if (all.length === 0 || isEmptyIn(all)) return noNumbers
  const least = new SmallestK(limit)
  forEachInAll(all, (ordinal) => least.take(ordinal))
  return least.numbers
}
