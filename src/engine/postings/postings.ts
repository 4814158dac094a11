/** The people of a term or a meaning, as lists; terms are numbered in the order of their bytes. */

import { readLetters } from '../../memory/letters.ts'
import {
  beginningWith,
  type PlaceRange,
  rangesOf,
  type TextRanges,
} from '../../memory/text-order.ts'
import {
  findBytes,
  findText,
  hashAscii,
  hasSlotOf,
  mixHash,
  noBytesHash,
  Scratch,
  type TextTable,
  textAt,
} from '../../memory/text-table.ts'
import { type FilterShape, filterShape } from '../../snapshot/filters.ts'
import { listFormOf } from '../../snapshot/packed-lists.ts'
import type { Counts, Field, Sections } from '../../snapshot/sections.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { remembered } from '../bounded-cache.ts'
import { largest } from './best.ts'
import { Bits, type Filter, Halves, List, unfiltered, WholeNumbers } from './list.ts'

export interface ListsOfField {
  readonly starts: Uint32Array
  readonly ordinals: Uint32Array
}

interface FieldLists extends ListsOfField {
  readonly filterStarts: Uint32Array
  readonly filters: Uint32Array
}

interface PackedWords {
  readonly places: Uint32Array
  readonly halves: Uint16Array
}

/** Meanings whose lists are kept: texts share most of theirs. Some hundred kilobytes. */
const meaningsMax = 1_024

/** Lists that are shorter than this are nearly all of those that a search makes. */
const shapesMax = 256

export class Postings {
  readonly terms: TextTable
  readonly #ranges: TextRanges
  readonly #fields: Readonly<Record<Field, FieldLists>>
  readonly #packed: PackedWords
  readonly #counts: Counts
  readonly #scratch = new Scratch()
  readonly #letter = new Uint32Array(1)
  readonly #shapes: FilterShape[] = []
  /** The list of a meaning; nothing is made for one that was asked for lately. */
  readonly meaning = remembered(meaningsMax, (meaning: number) => this.list('meaning', meaning))

  constructor(sections: Sections, counts: Counts) {
    const listsOf = (field: Field): FieldLists => ({
      starts: sections[`${field}.starts`],
      ordinals: sections[`${field}.ordinals`],
      filterStarts: sections[`${field}.filter-starts`],
      filters: sections[`${field}.filters`],
    })
    this.#packed = { places: sections['word.places'], halves: sections['word.halves'] }
    this.#fields = { name: listsOf('name'), word: listsOf('word'), meaning: listsOf('meaning') }
    this.#counts = counts
    this.terms = tableOf({ sections }, 'term')
    this.#ranges = rangesOf(this.terms)
  }

  numberOf(term: string): number {
    return findText(this.terms, term, this.#scratch)
  }

  numberOfLetters(letters: Uint32Array): number {
    const end = this.#scratch.writeLetters(letters)
    return findBytes(this.terms, this.#scratch.bytes, 0, end)
  }

  /** Whether the first letters of an ASCII text and an ASCII ending may be a term together: false where they are none. */
  readonly mayBeTerm = (text: string, letters: number, ending: string): boolean => {
    const hash = hashAscii(hashAscii(noBytesHash, text, letters), ending)
    return hasSlotOf(this.terms, mixHash(hash))
  }

  /** Whether a part of a text may be a term: false where it is ASCII and none. */
  mayBePart(text: string, start: number, end: number): boolean {
    const hash = hashAscii(noBytesHash, text, end, start)
    return hash < 0 || hasSlotOf(this.terms, mixHash(hash))
  }

  textOf(term: number): string {
    return textAt(this.terms, term)
  }

  /** The first letter of the term of a number, as a code point; no text is made of it. */
  firstLetterOf(term: number): number {
    const { text, starts } = this.terms
    readLetters(text, starts[term]!, starts[term + 1]!, this.#letter)
    return this.#letter[0]!
  }

  size(field: Field, list: number): number {
    const { starts } = this.#fields[field]
    return starts[list + 1]! - starts[list]!
  }

  list(field: Field, list: number): List {
    const { starts, ordinals, filterStarts, filters } = this.#fields[field]
    const size = starts[list + 1]! - starts[list]!
    const { places, halves } = this.#packed
    const start = field === 'word' ? places[list]! : starts[list]!
    const shape = this.#shapeOf(size)
    if (shape.words === 0) return new List(new WholeNumbers(ordinals, start), size, unfiltered)
    const filter = filterAt(filters, filterStarts[list]! | 0, shape)
    const form = field === 'word' ? listFormOf(shape) : 'whole'
    if (form === 'whole') return new List(new WholeNumbers(ordinals, start), size, filter)
    const numbers = form === 'bits' ? new Bits(filter) : new Halves(halves, start, filter)
    return new List(numbers, size, filter)
  }

  #shapeOf(size: number): FilterShape {
    const { authorities } = this.#counts
    if (size >= shapesMax) return filterShape(size, authorities)
    this.#shapes[size] ??= filterShape(size, authorities)
    return this.#shapes[size]
  }

  listsOf(field: Exclude<Field, 'word'>): ListsOfField {
    return this.#fields[field]
  }

  startingWith(prefix: string): PlaceRange {
    const length = this.#scratch.write(prefix)
    return beginningWith(this.#ranges, this.#counts.terms, this.#scratch.bytes, length)
  }

  /** Equally common ones in alphabetical order, none that nobody holds. O(range). */
  commonest(field: Field, range: PlaceRange, count: number): number[] {
    const { starts } = this.#fields[field]
    return largest(range, (term) => starts[term + 1]! - starts[term]!, count)
  }
}

function filterAt(rows: Uint32Array, row: number, shape: FilterShape): Filter {
  const ranks = (row + shape.words) | 0
  const { shift, rankShift } = shape
  return { rows, row, ranks, end: ranks + shape.ranks, shift, rankShift }
}
