/** The k smallest of a stream of numbers: the first people of several lists. */
import type { FirstList } from '../first-list.ts'
import { type DocSet, forEachInAll, isEmptyIn } from './doc-set.ts'

/** The smallest of the numbers that `take` got since `begin`, each once, in ascending order. */
export class SmallestK {
  /** Entries behind `#count` are of an earlier stream. */
  readonly #room: number[] = []
  #count = 0
  #most: number
  /** `take` as a function by itself, made once. */
  readonly taker = (number: number): boolean => this.take(number)
  /** Room for the sets of a walk. */
  readonly sets: DocSet[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Begins another stream in the same room, also where the one before was left by an error. */
  begin(most: number): void {
    this.#count = 0
    this.#most = most
  }

  /** Takes a number if it is among the smallest so far; returns false once no larger number can be. */
  take(number: number): boolean {
    const room = this.#room
    // Most numbers come too late.
    if (this.#count === this.#most && !(number < room[this.#most - 1]!)) return false
    let at = this.#count
    while (at > 0 && room[at - 1]! > number) at -= 1
    if (at === 0 || room[at - 1] !== number) {
      if (this.#count < this.#most) this.#count += 1
      // Shifted by hand: `splice` makes an array of nothing each time.
      for (let to = this.#count - 1; to > at; to -= 1) room[to] = room[to - 1]!
      room[at] = number
    }
    return this.#count < this.#most || room[this.#count - 1]! > number
  }

  /** A copy of them. */
  get numbers(): number[] {
    return this.#room.slice(0, this.#count)
  }

  get count(): number {
    return this.#count
  }

  /** One of them, by its place. */
  at(place: number): number {
    return this.#room[place]!
  }

  /** A copy of them where the first of a text is. */
  copyIn(copies: FirstList<number>): readonly number[] {
    return copies.of(this.#room, this.#count)
  }

  /** Numbers from this one on are not wanted. */
  get end(): number {
    return this.#count < this.#most ? Number.POSITIVE_INFINITY : this.#room[this.#count - 1]!
  }
}

/** Whether anybody is in all of at least one set; nothing is made in a room that is there. */
export function isAnyoneIn(all: readonly DocSet[], room: SmallestK): boolean {
  if (isEmptyIn(all)) return false
  room.begin(1)
  forEachInAll(all, room.taker, room.sets)
  return room.end < Number.POSITIVE_INFINITY
}

const noNumbers: readonly number[] = []

/**
 * The first people of an intersection, by authority; nobody if a set is empty.
 * @param room for who looks again and again: an array that grows is garbage, a tenth of what a search for two words left.
 * @param copies where those who are found are; without it, in an array of their own.
 */
export function firstOf(
  all: readonly DocSet[],
  limit: number,
  room?: SmallestK,
  copies?: FirstList<number>,
): readonly number[] {
  if (all.length === 0 || isEmptyIn(all)) return noNumbers
  const least = room ?? new SmallestK(limit)
  least.begin(limit)
  forEachInAll(all, least.taker, least.sets)
  if (least.count === 0) return noNumbers
  return copies === undefined ? least.numbers : least.copyIn(copies)
}
