/**
 * Posting lists: the people of one term or of one meaning, with the filter that excludes most other
 * people.
 */
import type { FilterShape } from '../../snapshot/filters.ts'
import { type DocSet, insertBySize, Union } from './doc-set.ts'
import {
  type Filter,
  Halves,
  type ListRange,
  type Numbers,
  type ShowOrdinals,
  type Take,
  unfiltered,
  WholeNumbers,
} from './numbers.ts'

function isList(set: DocSet): set is List {
  return set instanceof List
}

/** The people of a posting list. */
export class List implements DocSet {
  readonly width = 1
  #filter: Filter
  #numbers: Numbers
  /** The length of the whole list; `#part` is walked. */
  #count: number
  readonly #part: { -readonly [N in keyof ListRange]: ListRange[N] }

  /** @param part the part of the list to walk; all of it unless given. */
  constructor(numbers: Numbers, count: number, filter: Filter, part: ListRange = wholeOf(count)) {
    this.#numbers = numbers
    this.#count = count
    this.#filter = filter
    this.#part = part
  }

  /** Becomes all of another list. Precondition: this list is over, and is no part of one. */
  refill(numbers: Numbers, count: number, filter: Filter): void {
    this.#numbers = numbers
    this.#count = count
    this.#filter = filter
    this.#part.behind = count
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

  /** Whether another is the same list, or a part of it: membership tests are the same. */
  isSame(other: List): boolean {
    return this.#count === other.#count && this.#numbers.isSame(other.#numbers)
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

  /** Shows the ordinals of the part, so many at a time. */
  inChunks(length: number, show: ShowOrdinals): void {
    this.#numbers.inChunks(this.#part, length, show)
  }

  /** The place of an ordinal that may be in the list, or -1. */
  #placeOf(ordinal: number): number {
    const { rows, ranks, end, rankShift } = this.#filter
    const rank = (ranks + (ordinal >>> rankShift)) | 0
    const behind = rank + 1 < end ? rows[rank + 1]! : this.#count
    return this.#numbers.placeOf(rows[rank]!, behind, ordinal)
  }

  /** The place of the first ordinal of the list that is not below another. */
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

/**
 * The memory of one list: the objects that one is made of, each made when a list first needs it. The next list in the
 * same room takes the place of the one before.
 */
export class ListRoom {
  #list: List | undefined
  #whole: WholeNumbers | undefined
  #halves: Halves | undefined
  #filter: { -readonly [N in keyof Filter]: Filter[N] } | undefined

  list(numbers: Numbers, count: number, filter: Filter): List {
    if (this.#list === undefined) this.#list = new List(numbers, count, filter)
    else this.#list.refill(numbers, count, filter)
    return this.#list
  }

  whole(values: Uint32Array, start: number): WholeNumbers {
    if (this.#whole === undefined) this.#whole = new WholeNumbers(values, start)
    else this.#whole.refill(values, start)
    return this.#whole
  }

  halves(values: Uint16Array, start: number, own: Filter): Halves {
    if (this.#halves === undefined) this.#halves = new Halves(values, start, own)
    else this.#halves.refill(values, start, own)
    return this.#halves
  }

  /** The filter of a shape whose row begins at a word of the rows. */
  filter(rows: Uint32Array, row: number, shape: FilterShape): Filter {
    const ranks = (row + shape.words) | 0
    const end = ranks + shape.ranks
    const { shift, rankShift } = shape
    const filter = this.#filter
    if (filter === undefined) {
      this.#filter = { rows, row, ranks, end, shift, rankShift }
      return this.#filter
    }
    filter.rows = rows
    filter.row = row
    filter.ranks = ranks
    filter.end = end
    filter.shift = shift
    filter.rankShift = rankShift
    return filter
  }
}

/** A list that lies one behind the other, and has no filter. */
export function listOf(values: Uint32Array, start: number, end: number): List {
  return new List(new WholeNumbers(values, start), end - start, unfiltered)
}

/** Whether a set contains all of a list, as far as their lists say. */
function includes(set: DocSet, list: List): boolean {
  if (set instanceof List) return set.isSame(list)
  return set instanceof Union && set.some((each) => includes(each, list))
}

/**
 * Those of some sets that do not hold all of a list anyway, the fewest first: they tell most people apart.
 * @param room for them, of a caller that wants them no longer when it makes others there.
 */
export function rarestBeside(
  all: readonly DocSet[],
  list: List,
  room: DocSet[],
): readonly DocSet[] {
  let count = 0
  for (let at = 0; at < all.length; at += 1) {
    if (includes(all[at]!, list)) continue
    insertBySize(room, count, all[at]!)
    count += 1
  }
  if (room.length > count) room.length = count
  return room
}
