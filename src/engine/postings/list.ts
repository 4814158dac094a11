/** Posting lists: the people of one term or meaning, with the filter that excludes most others. */
import { type DocSet, insertBySize, Union } from './doc-set.ts'
import {
  type Filter,
  type ListRange,
  type Numbers,
  type Take,
  unfiltered,
  WholeNumbers,
} from './numbers.ts'

function isList(set: DocSet): set is List {
  return set instanceof List
}

export class List implements DocSet {
  readonly width = 1
  readonly #filter: Filter
  readonly #numbers: Numbers
  /** The length of the whole list; `#part` is walked. */
  readonly #count: number
  readonly #part: ListRange

  constructor(numbers: Numbers, count: number, filter: Filter, part: ListRange = wholeOf(count)) {
    this.#numbers = numbers
    this.#count = count
    this.#filter = filter
    this.#part = part
  }

  get size(): number {
    return this.#part.behind - this.#part.first
  }

  /** The ordinals of the part, if they lie side by side in memory. */
  get ordinals(): Uint32Array | undefined {
    return this.#numbers instanceof WholeNumbers ? this.#numbers.slice(this.#part) : undefined
  }

  slice(start: number, end: number): List {
    const { first, behind, from, to } = this.#part
    const part = {
      first: Math.min(behind, Math.max(first, this.#bound(start))),
      behind: Math.max(first, Math.min(behind, this.#bound(end))),
      from: Math.max(from, start),
      to: Math.min(to, end),
    }
    return new List(this.#numbers, this.#count, this.#filter, part)
  }

  /** Whether another is a part of the same list: membership tests are the same. */
  isSame(other: List): boolean {
    return this.#numbers === other.#numbers
  }

  forEach(others: readonly DocSet[], take: Take): void {
    // The smallest list excludes nearly everybody, so its filter is tested while the numbers are read.
    const fewest = others.find(isList)
    const filter = fewest === undefined ? unfiltered : fewest.#filter
    this.#numbers.walk(this.#part, filter, others, take)
  }

  mayContain(ordinal: number): boolean {
    const { rows, row, shift } = this.#filter
    const bucket = ordinal >>> shift
    // A shift takes the lowest five bits of its distance: the place of the bucket in its word.
    return (rows[(row + (bucket >>> 5)) | 0]! & (1 << bucket)) !== 0
  }

  contains(ordinal: number): boolean {
    return this.#filter.shift === 0 || this.#placeOf(ordinal) >= 0
  }

  retain(ordinals: Uint32Array, count: number): number {
    const { rows, row, shift } = this.#filter
    let maybe = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      const bucket = ordinal >>> shift
      ordinals[maybe] = ordinal
      // The next ordinal overwrites one that is not retained: cheaper than a branch that is hard to predict.
      maybe += (rows[(row + (bucket >>> 5)) | 0]! >>> bucket) & 1
    }
    if (shift === 0) return maybe
    let kept = 0
    for (let index = 0; index < maybe; index += 1) {
      const ordinal = ordinals[index]!
      if (this.#placeOf(ordinal) >= 0) ordinals[kept++] = ordinal
    }
    return kept
  }

  /** The place of an ordinal in the list, counted from 0, or -1. */
  placeOf(ordinal: number): number {
    if (!this.mayContain(ordinal)) return -1
    return this.#placeOf(ordinal)
  }

  #placeOf(ordinal: number): number {
    const { rows, ranks, end, rankShift } = this.#filter
    const rank = (ranks + (ordinal >>> rankShift)) | 0
    const behind = rank + 1 < end ? rows[rank + 1]! : this.#count
    return this.#numbers.placeOf(rows[rank]!, behind, ordinal)
  }

  #bound(ordinal: number): number {
    const { rows, ranks, end, rankShift } = this.#filter
    const rank = ranks + (ordinal >>> rankShift)
    if (rank >= end) return this.#count
    const behind = rank + 1 < end ? rows[rank + 1]! : this.#count
    return this.#numbers.bound(rows[rank]!, behind, ordinal)
  }
}

/** Ordinals are below this. */
const ordinalsEnd = 0x7fff_ffff

function wholeOf(count: number): ListRange {
  return { first: 0, behind: count, from: 0, to: ordinalsEnd }
}

/** A list that lies one behind the other, and has no filter. */
export function listOf(values: Uint32Array): List {
  return new List(new WholeNumbers(values, 0), values.length, unfiltered)
}

/** Whether a set contains all of a list, as far as their lists say. */
function includes(set: DocSet, list: List): boolean {
  if (set instanceof List) return set.isSame(list)
  return set instanceof Union && set.some((each) => includes(each, list))
}

/** Those of some sets that do not hold all of a list anyway, the fewest first: they tell most people apart. */
export function rarestBeside(all: readonly DocSet[], list: List): readonly DocSet[] {
  const rarest: DocSet[] = []
  for (const each of all) if (!includes(each, list)) insertBySize(rarest, each)
  return rarest
}
