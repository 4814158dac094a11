/** Sections of a field, made of lists of ordinals: the lists, and the filter of each. */
import type { ListView } from '../memory/columns.ts'
import { fillFilter, filterShape } from '../snapshot/filters.ts'
import { packLists } from '../snapshot/packed-lists.ts'
import type { Field } from '../snapshot/sections.ts'
import { prefixed } from './text-sections.ts'

/** @param lists of ordinals, ascending. */
export function fieldSections<F extends Field>(
  field: F,
  { starts, values: ordinals }: ListView,
  authorities: number,
) {
  const filterStarts = new Uint32Array(starts.length)
  for (let list = 1; list < starts.length; list += 1) {
    const { words, ranks } = filterShape(starts[list]! - starts[list - 1]!, authorities)
    filterStarts[list] = filterStarts[list - 1]! + (words === 0 ? 0 : words + ranks)
  }
  const filters = new Uint32Array(filterStarts.at(-1)!)
  for (let list = 0; list + 1 < starts.length; list += 1) {
    if (filterStarts[list] === filterStarts[list + 1]) continue
    const run = { values: ordinals, start: starts[list]!, end: starts[list + 1]! }
    fillFilter(filters, filterStarts[list]!, run, authorities)
  }
  return prefixed(field, { starts, ordinals, 'filter-starts': filterStarts, filters })
}

export function wordSections(lists: ListView, authorities: number) {
  const { places, ordinals, halves } = packLists(lists.starts, lists.values, authorities)
  return {
    ...fieldSections('word', lists, authorities),
    'word.places': places,
    'word.ordinals': ordinals,
    'word.halves': halves,
  }
}
