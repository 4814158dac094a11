/**
 * Postings: which authorities hold a term, as ascending ordinals, so that the first ones found are
 * the top ones. Lists are walked by cursors that gallop, and a walk ends as soon as enough are found:
 * the work depends on how rare the rarest term is and how many are wanted, not on how many people
 * there are.
 */
import { bucketBits, filterWords } from '../snapshot/filters.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { findText, Scratch, type TextTable } from '../snapshot/table.ts'

/** What a cursor answers when its list has no more. */
export const exhausted = 0xffff_ffff

/** Walks an ascending list of ordinals, forwards only. */
export interface Cursor {
  /** How many steps it takes to walk all of it, at most; the one with the least leads. */
  readonly cost: number
  /** The first ordinal from the present position on that is at least `target`, or `exhausted`. */
  seek(target: number): number
  /** Where it can hold anything at all; only lists of common words know. */
  readonly filter: Filter | undefined
}

/** A row of filter bits; see `src/snapshot/filters.ts`. */
export interface Filter {
  readonly bits: Uint32Array
  readonly start: number
  readonly words: number
}

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
}

export class Postings {
  readonly #fields: Readonly<Record<Field, FieldLists>>
  readonly #filters: { readonly rows: Uint32Array; readonly bits: Uint32Array }
  readonly #filterWords: number
  readonly #terms: TextTable
  readonly #count: number
  readonly #scratch = new Scratch()

  constructor(sections: Sections, counts: Counts) {
    this.#fields = {
      name: { starts: sections['name.starts'], ordinals: sections['name.ordinals'] },
      word: { starts: sections['word.starts'], ordinals: sections['word.ordinals'] },
    }
    this.#filters = { rows: sections['filter.rows'], bits: sections['filter.bits'] }
    this.#filterWords = filterWords(counts.authorities)
    this.#count = counts.terms
    this.#terms = {
      text: sections['term.text'],
      ends: sections['term.ends'],
      slots: sections['term.slots'],
    }
  }

  /** The number of a term, or -1. */
  find(term: string): number {
    return findText(this.#terms, term, this.#scratch)
  }

  /** How many authorities hold a term. */
  size(field: Field, term: number): number {
    const { starts } = this.#fields[field]
    return starts[term + 1]! - starts[term]!
  }

  /** A cursor over those who hold a term. */
  cursor(field: Field, term: number): Cursor {
    const { starts, ordinals } = this.#fields[field]
    const filter = field === 'word' ? this.#filterOf(term) : undefined
    return new ListCursor(ordinals, starts[term]!, starts[term + 1]!, filter)
  }

  #filterOf(term: number): Filter | undefined {
    const { rows, bits } = this.#filters
    const words = this.#filterWords
    return rows[term] === 0 ? undefined : { bits, start: (rows[term]! - 1) * words, words }
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
    let high = this.#count
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

/** A cursor over one list: gallops ahead, then halves the last leap (Bentley, Yao 1976). */
class ListCursor implements Cursor {
  readonly cost: number
  readonly filter: Filter | undefined
  readonly #ordinals: Uint32Array
  readonly #end: number
  #position: number

  constructor(ordinals: Uint32Array, start: number, end: number, filter: Filter | undefined) {
    this.filter = filter
    this.cost = end - start
    this.#ordinals = ordinals
    this.#position = start
    this.#end = end
  }

  seek(target: number): number {
    const ordinals = this.#ordinals
    const end = this.#end
    let low = this.#position
    if (low >= end) return exhausted
    let value = ordinals[low]!
    if (value >= target) return value
    let leap = 1
    let high = low + 1
    while (high < end && ordinals[high]! < target) {
      low = high
      leap *= 2
      high = low + leap
    }
    if (high > end) high = end
    // Here ordinals[low] is before the target, and ordinals[high] is not, or the list ends there.
    while (low + 1 < high) {
      const middle = (low + high) >>> 1
      if (ordinals[middle]! < target) low = middle
      else high = middle
    }
    this.#position = high
    if (high >= end) return exhausted
    value = ordinals[high]!
    return value
  }
}

/**
 * A cursor over whoever any of some cursors holds. It keeps where each of them stands, so that a
 * step moves only those that lag behind.
 */
export class UnionCursor implements Cursor {
  readonly cost: number
  readonly filter = undefined
  readonly #cursors: readonly Cursor[]
  readonly #values: Uint32Array

  constructor(cursors: readonly Cursor[]) {
    this.#cursors = cursors
    this.#values = Uint32Array.from(cursors, (cursor) => cursor.seek(0))
    // Each of its steps looks at every cursor: it should follow rather than lead.
    this.cost = cursors.reduce((sum, cursor) => sum + cursor.cost, 0) * cursors.length
  }

  seek(target: number): number {
    const values = this.#values
    let least = exhausted
    for (let index = 0; index < values.length; index += 1) {
      let value = values[index]!
      if (value < target) {
        value = this.#cursors[index]!.seek(target)
        values[index] = value
      }
      if (value < least) least = value
    }
    return least
  }
}

/**
 * Shows the ordinals that every cursor holds, in ascending order, until `take` answers false. When
 * all lists are of common words, their filters tell where to look; otherwise the cheapest cursor
 * leads and the others leap to it. So the work is bounded by N/256 words of each filter and one list
 * that at most one authority in 512 is in.
 */
export function intersect(cursors: readonly Cursor[], take: (ordinal: number) => boolean): void {
  const byCost = [...cursors].sort((a, b) => a.cost - b.cost)
  const filters = byCost.flatMap(({ filter }) => (filter === undefined ? [] : [filter]))
  if (byCost.length === 0) return
  if (filters.length > 1 && byCost[0]!.filter !== undefined) {
    intersectBuckets(byCost, filters, take)
  } else {
    intersectFrom(byCost, 0, exhausted, take)
  }
}

/** Looks into the buckets that all filters have set. */
function intersectBuckets(
  cursors: readonly Cursor[],
  filters: readonly Filter[],
  take: (ordinal: number) => boolean,
): void {
  const { words } = filters[0]!
  for (let word = 0; word < words; word += 1) {
    let common = -1
    for (let index = 0; index < filters.length; index += 1) {
      const { bits, start } = filters[index]!
      common &= bits[start + word]!
    }
    while (common !== 0) {
      const bucket = word * 32 + 31 - Math.clz32(common & -common)
      common &= common - 1
      const first = bucket << bucketBits
      if (!intersectFrom(cursors, first, first + (1 << bucketBits), take)) return
    }
  }
}

/** Shows what all cursors hold from `first` up to `end`; false when `take` wants no more. */
function intersectFrom(
  [leader, ...others]: readonly Cursor[],
  first: number,
  end: number,
  take: (ordinal: number) => boolean,
): boolean {
  let candidate = leader!.seek(first)
  while (candidate < end) {
    const reached = furthest(others, candidate)
    if (reached === candidate && !take(candidate)) return false
    candidate = leader!.seek(reached === candidate ? candidate + 1 : reached)
  }
  return true
}

/** The candidate when all cursors hold it, else an ordinal past it before which none is shared. */
function furthest(cursors: readonly Cursor[], candidate: number): number {
  for (let index = 0; index < cursors.length; index += 1) {
    const cursor = cursors[index]!
    if (cursor.filter !== undefined && !mayHold(cursor.filter, candidate)) return candidate + 1
    const reached = cursor.seek(candidate)
    if (reached !== candidate) return reached
  }
  return candidate
}

function mayHold({ bits, start }: Filter, ordinal: number): boolean {
  const bucket = ordinal >>> bucketBits
  return (bits[start + (bucket >>> 5)]! & (1 << (bucket & 31))) !== 0
}
