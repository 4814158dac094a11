/**
 * Those whose names hold any of a range of words; each list ends with the first who comes too late.
 */

import type { PlaceRange } from '../../memory/text-order.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { type DocSet, isInAll } from '../postings/doc-set.ts'
import { LookedUp } from '../postings/filter-set.ts'
import type { ListsOfField } from '../postings/postings.ts'

export class PrefixMatches extends LookedUp {
  readonly size: number
  readonly #lists: ListsOfField
  readonly #range: PlaceRange
  readonly #starts: Uint32Array
  readonly #terms: Uint32Array

  constructor(
    lists: ListsOfField,
    range: PlaceRange,
    sections: Pick<Sections, 'suggest.name-starts' | 'suggest.name-terms'>,
  ) {
    super()
    this.size = lists.starts[range.end]! - lists.starts[range.start]!
    this.#lists = lists
    this.#range = range
    this.#starts = sections['suggest.name-starts']
    this.#terms = sections['suggest.name-terms']
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

  slice(_start: number, _end: number): DocSet {
    return this
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
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
