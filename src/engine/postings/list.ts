/**
 * Posting lists: the people of one term or meaning, with the filter that excludes most others. Their numbers lie whole, as
 * halves, or as bits (`src/snapshot/packed-lists.ts`). Places in a list count from 0. Positions in typed arrays are below
 * 2³¹ and are computed as whole numbers of 32 bits, which halves the time of a test.
 */
import { halfBits } from '../../snapshot/filters.ts'
import { type DocSet, insertBySize, isInAll, Union } from './doc-set.ts'

/** One row of the filters; see `src/snapshot/filters.ts`. */
export interface Filter {
  readonly rows: Uint32Array
  /** The first word of the row, its first rank, and what lies behind its last. */
  readonly row: number
  readonly ranks: number
  readonly end: number
  /** Ordinals in a bucket, and from one rank to the next, as powers of two. */
  readonly shift: number
  readonly rankShift: number
}

/** Passes every ordinal: one bit for all of them, and all numbers behind it. */
export const unfiltered: Filter = {
  rows: Uint32Array.of(1, 0),
  row: 0,
  ranks: 1,
  end: 2,
  shift: 31,
  rankShift: 31,
}

interface ListRange {
  readonly first: number
  readonly behind: number
  readonly from: number
  readonly to: number
}

type Take = (ordinal: number) => boolean

interface Numbers {
  /** The first of some places that holds a number or one behind it; all of them have one rank. */
  bound(first: number, behind: number, number: number): number
  /** The place of a number among some that have one rank, or -1. */
  placeOf(first: number, behind: number, number: number): number
  /**
   * Shows the numbers of a part that are in all of some sets. The sets are asked of those alone that pass a filter.
   * They are no part of `take`: a function made for each walk would be garbage, a twentieth of what a search left.
   */
  walk(part: ListRange, filter: Filter, sets: readonly DocSet[], take: Take): void
}

export class WholeNumbers implements Numbers {
  readonly #values: Uint32Array
  readonly #start: number

  constructor(values: Uint32Array, start: number) {
    this.#values = values
    this.#start = start | 0
  }

  slice({ first, behind }: ListRange): Uint32Array {
    return this.#values.subarray(this.#start + first, this.#start + behind)
  }

  bound(first: number, behind: number, number: number): number {
    return boundIn(this.#values, this.#start, first, behind, number)
  }

  placeOf(first: number, behind: number, number: number): number {
    const values = this.#values
    const place = boundIn(values, this.#start, first, behind, number)
    return place < behind && values[this.#start + place] === number ? place : -1
  }

  walk(
    { first, behind }: ListRange,
    { rows, row, shift }: Filter,
    sets: readonly DocSet[],
    take: Take,
  ): void {
    const values = this.#values
    const end = (this.#start + behind) | 0
    for (let at = (this.#start + first) | 0; at < end; at = (at + 1) | 0) {
      const ordinal = values[at]!
      const bucket = ordinal >>> shift
      if ((rows[(row + (bucket >>> 5)) | 0]! & (1 << bucket)) === 0) continue
      if (isInAll(sets, ordinal) && !take(ordinal)) return
    }
  }
}

/** The lower halves of numbers; the ranks of their own filter say the upper halves. */
export class Halves implements Numbers {
  readonly #values: Uint16Array
  readonly #start: number
  readonly #own: Filter

  constructor(values: Uint16Array, start: number, own: Filter) {
    this.#values = values
    this.#start = start | 0
    this.#own = own
  }

  bound(first: number, behind: number, number: number): number {
    return boundIn(this.#values, this.#start, first, behind, number & 0xffff)
  }

  placeOf(first: number, behind: number, number: number): number {
    const values = this.#values
    const half = number & 0xffff
    const place = boundIn(values, this.#start, first, behind, half)
    return place < behind && values[this.#start + place] === half ? place : -1
  }

  walk(
    { first, behind }: ListRange,
    { rows, row, shift }: Filter,
    sets: readonly DocSet[],
    take: Take,
  ): void {
    const values = this.#values
    const start = this.#start
    const { rows: ownRows, ranks, end, rankShift } = this.#own
    const ranksPerHalf = 1 << (halfBits - rankShift)
    let place = first | 0
    for (let upper = 0, rank = ranks; place < behind; upper += 1) {
      rank = (rank + ranksPerHalf) | 0
      const stop = rank < end ? Math.min(behind, ownRows[rank]!) | 0 : behind | 0
      const base = upper << halfBits
      for (; place < stop; place = (place + 1) | 0) {
        const ordinal = base | values[(start + place) | 0]!
        const bucket = ordinal >>> shift
        if ((rows[(row + (bucket >>> 5)) | 0]! & (1 << bucket)) === 0) continue
        if (isInAll(sets, ordinal) && !take(ordinal)) return
      }
    }
  }
}

/** Numbers whose own filter has a bit for each ordinal: where those stand that are set. */
export class Bits implements Numbers {
  readonly #own: Filter

  constructor(own: Filter) {
    this.#own = own
  }

  bound(first: number, _behind: number, number: number): number {
    const { rows, row, ranks, rankShift } = this.#own
    const last = Math.min(row + (number >>> 5), ranks)
    let place = first
    for (let word = row + ((number >>> rankShift) << (rankShift - 5)); word < last; word += 1) {
      place += bitsIn(rows[word]!)
    }
    return last === ranks ? place : place + bitsIn(rows[last]! & ((1 << number) - 1))
  }

  placeOf(first: number, behind: number, number: number): number {
    const { rows, row } = this.#own
    const isThere = (rows[row + (number >>> 5)]! & (1 << number)) !== 0
    return isThere ? this.bound(first, behind, number) : -1
  }

  walk({ from, to }: ListRange, filter: Filter, sets: readonly DocSet[], take: Take): void {
    const { rows, row, ranks } = this.#own
    const { shift } = filter
    const last = Math.min((to - 1) >>> 5, ranks - row - 1)
    for (let word = from >>> 5; word <= last; word += 1) {
      let bits = rows[(row + word) | 0]!
      // Two such lists are compared 32 numbers at a time.
      if (shift === 0) bits &= filter.rows[(filter.row + word) | 0]!
      for (; bits !== 0; bits &= bits - 1) {
        const ordinal = (word << 5) | (31 - Math.clz32(bits & -bits))
        if (ordinal < from) continue
        if (ordinal >= to) return
        const bucket = ordinal >>> shift
        if ((filter.rows[(filter.row + (bucket >>> 5)) | 0]! & (1 << bucket)) === 0) continue
        if (isInAll(sets, ordinal) && !take(ordinal)) return
      }
    }
  }
}

/**
 * The first of some places whose value is not below a number. Which half is looked at next is computed, not
 * guessed: the processor would be wrong every other time. Values are below 2³¹.
 */
function boundIn(
  values: Uint32Array | Uint16Array,
  start: number,
  first: number,
  behind: number,
  number: number,
): number {
  let low = (start + first) | 0
  let length = (behind - first) | 0
  while (length > 0) {
    const half = (length + 1) >>> 1
    low = (low + (((values[(low + half - 1) | 0]! - number) >> 31) & half)) | 0
    length = (length - half) | 0
  }
  return (low - start) | 0
}

/** The number of bits that are set (Warren, Hacker's Delight, 5-1). */
function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

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
