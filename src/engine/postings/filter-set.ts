/** Sets of people who pass a filter: one look at a column checks an ordinal. */
import type { PlaceRange } from '../../memory/text-order.ts'
import type { References, Sections } from '../../snapshot/sections.ts'
import { type DocSet, isInAll, retainEach } from './doc-set.ts'
import type { ListsOfField } from './postings.ts'

/** The people of a range of ordinals whom one look tells from all others. */
export abstract class FilterSet implements DocSet {
  readonly width = 1
  readonly start: number
  readonly end: number

  constructor(start: number, end: number) {
    this.start = start
    this.end = Math.max(start, end)
  }

  get size(): number {
    return this.end - this.start
  }

  abstract mayContain(ordinal: number): boolean

  contains(_ordinal: number): boolean {
    return true
  }

  retain(ordinals: Uint32Array, count: number): number {
    return retainEach(this, ordinals, count)
  }

  slice(start: number, end: number): DocSet {
    return new PartOf(this, Math.max(start, this.start), Math.min(end, this.end))
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    for (let ordinal = this.start; ordinal < this.end; ordinal += 1) {
      if (this.mayContain(ordinal) && isInAll(others, ordinal) && !take(ordinal)) return
    }
  }
}

/** A part of a set to walk; membership tests are those of the whole set. */
class PartOf extends FilterSet {
  readonly #whole: FilterSet

  constructor(whole: FilterSet, start: number, end: number) {
    super(start, end)
    this.#whole = whole
  }

  mayContain(ordinal: number): boolean {
    return this.#whole.mayContain(ordinal)
  }

  override retain(ordinals: Uint32Array, count: number): number {
    return this.#whole.retain(ordinals, count)
  }
}

export class InRange extends FilterSet {
  mayContain(ordinal: number): boolean {
    return ordinal >= this.start && ordinal < this.end
  }

  override retain(ordinals: Uint32Array, count: number): number {
    const { start, end } = this
    let kept = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      ordinals[kept] = ordinal
      kept += ordinal >= start && ordinal < end ? 1 : 0
    }
    return kept
  }
}

/** The sets without those that are a range, sliced to that range, so that a walk visits fewer people. */
export function inTheirRange(all: readonly DocSet[]): readonly DocSet[] {
  const ranges = all.filter((each) => each instanceof InRange)
  if (ranges.length === 0) return all
  const start = Math.max(...ranges.map((each) => each.start))
  const end = Math.min(...ranges.map((each) => each.end))
  return all.map((each) => each.slice(start, end))
}

export class InTable extends FilterSet {
  readonly #column: References
  readonly #isWanted: Uint8Array

  /** @param isWanted for each number that the column may hold 1 or 0. */
  constructor(column: References, isWanted: Uint8Array) {
    super(0, column.length)
    this.#column = column
    this.#isWanted = isWanted
  }

  mayContain(ordinal: number): boolean {
    return this.#isWanted[this.#column[ordinal]!] === 1
  }

  override retain(ordinals: Uint32Array, count: number): number {
    const column = this.#column
    const isWanted = this.#isWanted
    let kept = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      ordinals[kept] = ordinal
      kept += isWanted[column[ordinal]!]!
    }
    return kept
  }
}

export class AtLeast extends FilterSet {
  readonly #column: Uint32Array
  readonly #least: number

  constructor(column: Uint32Array, least: number) {
    super(0, column.length)
    this.#column = column
    this.#least = least
  }

  mayContain(ordinal: number): boolean {
    return this.#column[ordinal]! >= this.#least
  }

  override retain(ordinals: Uint32Array, count: number): number {
    const column = this.#column
    const least = this.#least
    let kept = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      ordinals[kept] = ordinal
      kept += column[ordinal]! >= least ? 1 : 0
    }
    return kept
  }
}

export class InLists extends FilterSet {
  readonly #starts: Uint32Array
  readonly #values: References
  readonly #isWanted: Uint8Array

  /** @param isWanted for each number that a list may hold 1 or 0. */
  constructor(starts: Uint32Array, values: References, isWanted: Uint8Array) {
    super(0, starts.length - 1)
    this.#starts = starts
    this.#values = values
    this.#isWanted = isWanted
  }

  mayContain(ordinal: number): boolean {
    const end = this.#starts[ordinal + 1]!
    for (let index = this.#starts[ordinal]!; index < end; index += 1) {
      if (this.#isWanted[this.#values[index]!] === 1) return true
    }
    return false
  }

  override retain(ordinals: Uint32Array, count: number): number {
    const starts = this.#starts
    const values = this.#values
    const isWanted = this.#isWanted
    let kept = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      const end = starts[ordinal + 1]!
      let isIn = 0
      for (let at = starts[ordinal]!; at < end; at += 1) isIn |= isWanted[values[at]!]!
      ordinals[kept] = ordinal
      kept += isIn
    }
    return kept
  }
}

/** The people who pass a test and are in some lists; if they are few, the lists find them. */
export class Listed extends FilterSet {
  readonly #look: FilterSet
  readonly #lists: DocSet

  constructor(look: FilterSet, lists: DocSet) {
    super(look.start, look.end)
    this.#look = look
    this.#lists = lists
  }

  override get size(): number {
    return this.#lists.size
  }

  mayContain(ordinal: number): boolean {
    return this.#look.mayContain(ordinal)
  }

  override retain(ordinals: Uint32Array, count: number): number {
    return this.#look.retain(ordinals, count)
  }

  override slice(start: number, end: number): DocSet {
    return new Listed(this.#look, this.#lists.slice(start, end))
  }

  override forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    this.#lists.forEach(others, take)
  }
}

/** The people of all who pass a test that costs more than a look at a column. */
export class Passing extends FilterSet {
  readonly #test: (ordinal: number) => boolean

  constructor(test: (ordinal: number) => boolean, authorities: number) {
    super(0, authorities)
    this.#test = test
  }

  mayContain(ordinal: number): boolean {
    return this.#test(ordinal)
  }
}

/** Those whose names hold any of a range of words; each list ends with the first who comes too late. */
export class PrefixMatches extends FilterSet {
  readonly #lists: ListsOfField
  readonly #range: PlaceRange
  readonly #starts: Uint32Array
  readonly #terms: Uint32Array

  constructor(
    lists: ListsOfField,
    range: PlaceRange,
    sections: Pick<Sections, 'suggest.name-starts' | 'suggest.name-terms'>,
  ) {
    super(0, sections['suggest.name-starts'].length - 1)
    this.#lists = lists
    this.#range = range
    this.#starts = sections['suggest.name-starts']
    this.#terms = sections['suggest.name-terms']
  }

  override get size(): number {
    const { starts } = this.#lists
    return starts[this.#range.end]! - starts[this.#range.start]!
  }

  mayContain(ordinal: number): boolean {
    const { start, end } = this.#range
    const behind = this.#starts[ordinal + 1]!
    for (let at = this.#starts[ordinal]!; at < behind; at += 1) {
      const term = this.#terms[at]!
      if (term >= start && term < end) return true
    }
    return false
  }

  override slice(_start: number, _end: number): DocSet {
    return this
  }

  override forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    const { starts, ordinals } = this.#lists
    for (let term = this.#range.start; term < this.#range.end; term += 1) {
      const end = starts[term + 1]!
      for (let position = starts[term]!; position < end; position += 1) {
        const ordinal = ordinals[position]!
        if (isInAll(others, ordinal) && !take(ordinal)) break
      }
    }
  }
}
