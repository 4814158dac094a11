/**
 * Those whose names hold any of a range of words; each list ends with the first who comes too late.
 */

import type { Sections } from '../../snapshot/sections.ts'
import { type DocSet, isInAll } from '../postings/doc-set.ts'
import type { ListsOfField, TermRange } from '../postings/postings.ts'

export class PrefixMatches implements DocSet {
  readonly size: number
  readonly width = 1
  readonly #lists: ListsOfField
  readonly #range: TermRange
  readonly #starts: Uint32Array
  readonly #terms: Uint32Array

  constructor(
    lists: ListsOfField,
    range: TermRange,
    sections: Pick<Sections, 'suggest.name-starts' | 'suggest.name-terms'>,
  ) {
    this.size = lists.starts[range.end]! - lists.starts[range.first]!
    this.#lists = lists
    this.#range = range
    this.#starts = sections['suggest.name-starts']
    this.#terms = sections['suggest.name-terms']
  }

  mayContain(ordinal: number): boolean {
    const { first, end } = this.#range
    const behind = this.#starts[ordinal + 1]!
    for (let at = this.#starts[ordinal]!; at < behind; at += 1) {
      const term = this.#terms[at]!
      if (term >= first && term < end) return true
    }
    return false
  }

  contains(_ordinal: number): boolean {
    return true
  }

  retain(ordinals: Uint32Array, count: number): number {
    const { first, end } = this.#range
    const starts = this.#starts
    const terms = this.#terms
    let kept = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      const behind = starts[ordinal + 1]!
      let isIn = 0
      for (let at = starts[ordinal]!; at < behind; at += 1) {
        isIn |= terms[at]! >= first && terms[at]! < end ? 1 : 0
      }
      ordinals[kept] = ordinal
      kept += isIn
    }
    return kept
  }

  slice(_start: number, _end: number): DocSet {
    return this
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    const { starts, ordinals } = this.#lists
    for (let term = this.#range.first; term < this.#range.end; term += 1) {
      const end = starts[term + 1]!
      for (let position = starts[term]!; position < end; position += 1) {
        const ordinal = ordinals[position]!
        if (isInAll(others, ordinal) && !take(ordinal)) break
      }
    }
  }
}
