/**
 * Postings: which authorities hold a term, as ascending ordinals, so that the first ones found are
 * the top ones. Those who hold several terms are found by walking the shortest list and asking the
 * filters of the others; a walk ends as soon as enough are found. The work depends on how rare the
 * rarest term is and how many are wanted, not on how many people there are.
 */

import { findText, Scratch, type TextTable } from '../../memory/text-table.ts'
import { bucketBits, type Filters } from '../../snapshot/filters.ts'
import type { Counts, Sections } from '../../snapshot/sections.ts'

/** Which postings: of names, or of names, topics and bios together. */
export type Field = 'name' | 'word'

/** Numbers of terms; terms are numbered in the order of their bytes. */
export interface TermRange {
  readonly first: number
  readonly end: number
}

interface FieldLists {
  readonly starts: Uint32Array
  readonly ordinals: Uint32Array
  readonly filterStarts: Uint32Array
  readonly filters: Filters
}

export class Postings {
  readonly #fields: Readonly<Record<Field, FieldLists>>
  readonly #terms: TextTable
  readonly #counts: Counts
  readonly #scratch = new Scratch()

  constructor(sections: Sections, counts: Counts) {
    const listsOf = (field: Field): FieldLists => ({
      starts: sections[`${field}.starts`],
      ordinals: sections[`${field}.ordinals`],
      filterStarts: sections[`${field}.filter-starts`],
      filters: {
        bits: sections[`${field}.filter-bits`],
        ranks: sections[`${field}.filter-ranks`],
      },
    })
    this.#fields = { name: listsOf('name'), word: listsOf('word') }
    this.#counts = counts
    this.#terms = {
      text: sections['term.text'],
      ends: sections['term.ends'],
      slots: sections['term.slots'],
    }
  }

  /** The number of a term, or -1. */
  numberOf(term: string): number {
    return findText(this.#terms, term, this.#scratch)
  }

  /** How many authorities hold a term. */
  size(field: Field, term: number): number {
    const { starts } = this.#fields[field]
    return starts[term + 1]! - starts[term]!
  }

  /**
   * Shows those who hold every term of `each` and at least one of `any`, until `take` answers false:
   * in ascending order or, for each of `any`, in ascending order, whichever looks at fewer.
   *
   * The shortest list is walked; of the others most are told apart by one bit. As the walk ends with
   * the first who are enough, of n authorities and k terms that a share p of them holds each about
   * the lesser of np and limit / p^(k-1) are looked at.
   */
  find(
    field: Field,
    each: readonly number[],
    any: readonly number[],
    take: (ordinal: number) => boolean,
  ): void {
    if (each.length > 0 && any.length > 1 && this.#isTogetherCheaper(field, each, any)) {
      const [shortest, ...others] = this.#lists(field, each)
      shortest!.walk([...others, new AnyHolder(this.#lists(field, any))], take)
      return
    }
    for (const term of any) {
      const [shortest, ...others] = this.#lists(field, [...each, term])
      shortest!.walk(others, take)
    }
  }

  /** Whether asking for any of many terms takes fewer looks than finding each of them apart. */
  #isTogetherCheaper(field: Field, each: readonly number[], any: readonly number[]): boolean {
    const sizes = each.map((term) => this.size(field, term)).sort((a, b) => a - b)
    const [shortest = 0, ...others] = sizes
    const { authorities } = this.#counts
    const holdEach = others.reduce((count, size) => (count * size) / authorities, shortest)
    const apart = any.reduce((sum, term) => sum + Math.min(shortest, this.size(field, term)), 0)
    return shortest + holdEach * any.length < apart
  }

  /** The lists of the terms, the shortest first. */
  #lists(field: Field, terms: readonly number[]): List[] {
    return terms.map((term) => this.#list(field, term)).sort((a, b) => a.size - b.size)
  }

  #list(field: Field, term: number): List {
    const { starts, ordinals, filterStarts, filters } = this.#fields[field]
    const start = starts[term]!
    const end = starts[term + 1]!
    const row = filterStarts[term]!
    const rowEnd = filterStarts[term + 1]!
    if (row === rowEnd) return new List(ordinals, start, end, unfiltered)
    const { bits, ranks } = filters
    const shift = bucketBits(end - start, this.#counts.authorities)
    return new List(ordinals, start, end, { bits, ranks, row: row | 0, end: rowEnd | 0, shift })
  }

  /** The terms that begin with a text. O(log vocabulary). */
  startingWith(prefix: string): TermRange {
    const bytes = this.#scratch.write(prefix)
    return { first: this.#bound(bytes, false), end: this.#bound(bytes, true) }
  }

  /**
   * The terms of a range that most authorities hold, at most `count`: the first in alphabetical
   * order where they are equally many, and none that nobody holds. O(range), without allocating
   * for what is not kept.
   */
  commonest(field: Field, { first, end }: TermRange, count: number): number[] {
    const { starts } = this.#fields[field]
    const kept: number[] = []
    const sizes: number[] = []
    for (let term = first; term < end; term += 1) {
      const size = starts[term + 1]! - starts[term]!
      if (size === 0 || (kept.length === count && size <= sizes[count - 1]!)) continue
      let at = kept.length < count ? kept.length : count - 1
      for (; at > 0 && sizes[at - 1]! < size; at -= 1) {
        sizes[at] = sizes[at - 1]!
        kept[at] = kept[at - 1]!
      }
      sizes[at] = size
      kept[at] = term
    }
    return kept
  }

  /** The first term that is not before the prefix; with `past`, that does not begin with it either. */
  #bound(bytes: number, past: boolean): number {
    let low = 0
    let high = this.#counts.terms
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#compareStart(middle, bytes)
      if (order < 0 || (past && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Compares the beginning of a term with the prefix in the scratch. */
  #compareStart(term: number, bytes: number): number {
    const { text, ends } = this.#terms
    const start = term === 0 ? 0 : ends[term - 1]!
    const length = ends[term]! - start
    for (let index = 0; index < bytes; index += 1) {
      if (index === length) return -1
      const difference = text[start + index]! - this.#scratch.bytes[index]!
      if (difference !== 0) return difference
    }
    return 0
  }
}

/** One row of the filters; see `src/snapshot/filters.ts`. */
interface Filter extends Filters {
  /** The first word of the row, and the one behind its last. */
  readonly row: number
  readonly end: number
  /** Ordinals in a bucket, as a power of two. */
  readonly shift: number
}

/** Lets every ordinal pass: one bit for all of them, and all postings behind it. */
const unfiltered: Filter = {
  bits: Uint32Array.of(1),
  ranks: Uint32Array.of(0),
  row: 0,
  end: 1,
  shift: 31,
}

/** Knows who holds something. */
interface Holder {
  /** One bit tells that somebody does not hold it; otherwise they may. */
  mayHold(ordinal: number): boolean
  /** Whether somebody who may hold it does. */
  holds(ordinal: number): boolean
}

/**
 * Those who hold a term. Positions in typed arrays are below 2³¹ and are computed as whole numbers of
 * 32 bits: a look then takes half the time.
 */
class List implements Holder {
  readonly #filter: Filter
  readonly #ordinals: Uint32Array
  readonly #start: number
  readonly #end: number

  constructor(ordinals: Uint32Array, start: number, end: number, filter: Filter) {
    this.#ordinals = ordinals
    this.#start = start | 0
    this.#end = end | 0
    this.#filter = filter
  }

  get size(): number {
    return this.#end - this.#start
  }

  /** Shows those that all others hold, too, in ascending order, until `take` answers false. */
  walk(others: readonly Holder[], take: (ordinal: number) => boolean): void {
    const ordinals = this.#ordinals
    const end = this.#end
    const [first, ...rest] = others
    const { bits, row, shift } = first instanceof List ? first.#filter : unfiltered
    for (let position = this.#start; position < end; position = (position + 1) | 0) {
      const ordinal = ordinals[position]!
      const bucket = ordinal >>> shift
      // Nearly everyone is told apart here, so it is written out instead of calling `mayHold`.
      if ((bits[(row + (bucket >>> 5)) | 0]! & (1 << bucket)) === 0) continue
      if (allMayHold(rest, ordinal) && allHold(others, ordinal) && !take(ordinal)) return
    }
  }

  mayHold(ordinal: number): boolean {
    const { bits, row, shift } = this.#filter
    const bucket = ordinal >>> shift
    // A shift takes the lowest five bits of its distance: the place of the bucket in its word.
    return (bits[(row + (bucket >>> 5)) | 0]! & (1 << bucket)) !== 0
  }

  holds(ordinal: number): boolean {
    const { ranks, row, end, shift } = this.#filter
    if (shift === 0) return true
    const ordinals = this.#ordinals
    const word = (row + ((ordinal >>> shift) >>> 5)) | 0
    // Those whom the 32 bits stand for lie between its rank and the next.
    let low = (this.#start + ranks[word]!) | 0
    const behind = word + 1 < end ? (this.#start + ranks[word + 1]!) | 0 : this.#end
    let high = behind
    while (low < high) {
      const middle = (low + high) >>> 1
      if (ordinals[middle]! < ordinal) low = middle + 1
      else high = middle
    }
    return low < behind && ordinals[low] === ordinal
  }
}

function allMayHold(holders: readonly Holder[], ordinal: number): boolean {
  for (let index = 0; index < holders.length; index += 1) {
    if (!holders[index]!.mayHold(ordinal)) return false
  }
  return true
}

function allHold(holders: readonly Holder[], ordinal: number): boolean {
  for (let index = 0; index < holders.length; index += 1) {
    if (!holders[index]!.holds(ordinal)) return false
  }
  return true
}

/** Those who hold any of some terms. */
class AnyHolder implements Holder {
  readonly #holders: readonly Holder[]

  constructor(holders: readonly Holder[]) {
    this.#holders = holders
  }

  mayHold(ordinal: number): boolean {
    for (let index = 0; index < this.#holders.length; index += 1) {
      if (this.#holders[index]!.mayHold(ordinal)) return true
    }
    return false
  }

  holds(ordinal: number): boolean {
    for (let index = 0; index < this.#holders.length; index += 1) {
      const holder = this.#holders[index]!
      if (holder.mayHold(ordinal) && holder.holds(ordinal)) return true
    }
    return false
  }
}

/** The least of the numbers that it is shown, each once, in ascending order. */
export class Least {
  readonly numbers: number[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a number if it is among the least so far; false when no larger one can be. */
  take(number: number): boolean {
    const { numbers } = this
    let at = numbers.length
    while (at > 0 && numbers[at - 1]! > number) at -= 1
    if (at === 0 || numbers[at - 1] !== number) {
      numbers.splice(at, 0, number)
      if (numbers.length > this.#most) numbers.pop()
    }
    return numbers.length < this.#most || numbers.at(-1)! > number
  }
}
