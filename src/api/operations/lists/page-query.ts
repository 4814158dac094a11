/** The query of a list of people: filters, counts, and the beginning of a page. */
import type { Filters } from '../../../engine/filters/filter-sets.ts'
import {
  type ChoiceName,
  type FacetName,
  type FilterName,
  facetNames,
  filterNames,
} from '../../../request-parameters.ts'
import type { Cursors, ListParts } from '../../parameters/cursor.ts'
import { type ListPlace, unpackedPlace } from '../../parameters/list-cursor.ts'
import { inOrder } from '../../parameters/meanings.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import type { Choice } from '../../parameters/query-reader.ts'

/** The place at which a page begins: `*` is the beginning of the list. */
type PageStart = '*' | ListPlace

/** A query for a page of a list. */
export interface PageQuery {
  readonly filters: Filters
  /** Undefined if only the first items are wanted. */
  readonly start: PageStart | undefined
  readonly facets: readonly FacetName[]
  /** The parts that identify the list; its cursors belong to it. */
  readonly list: ListParts
}

/** The parameters that ask for more of a list than its first items. */
type PageValues = {
  readonly [N in FilterName]?: (N extends ChoiceName ? Choice : number) | undefined
} & {
  readonly cursor?: string | undefined
  readonly facets?: PageQuery['facets'] | undefined
}

/** The filters that every cursor holds, given or not. A cursor holds another filter only if it is given. */
const inEveryCursor: readonly FilterName[] = [
  'country',
  'platform',
  'topic',
  'score_min',
  'followers_min',
]
const inSomeCursors = filterNames.filter((name) => !inEveryCursor.includes(name))

/**
 * Parses the query for a page of a list; undefined if only its first items are wanted.
 * @param of parts that identify the list, without its filters.
 */
export function parsePage(
  of: ListParts,
  values: PageValues,
  cursors: Cursors,
): Parsed<PageQuery | undefined> {
  const { cursor } = values
  const facets = inOrder(facetNames, values.facets ?? [])
  const given = filterNames.filter((name) => values[name] !== undefined)
  if (given.length === 0 && cursor === undefined && facets.length === 0) return { value: undefined }
  const filters: Filters = Object.fromEntries(given.map((name) => [name, numbersOf(values[name])]))
  const others = inSomeCursors.filter((name) => given.includes(name))
  const list = [
    ...of,
    ...inEveryCursor.map((name) => sentOf(values[name])),
    ...others.flatMap((name) => [name, sentOf(values[name])]),
  ]
  const start = parseStart(cursor, list, cursors)
  return start.problem === undefined
    ? { value: { filters, start: start.value, facets, list } }
    : start
}

function numbersOf(value: Choice | number | undefined) {
  return typeof value === 'object' ? value.numbers : value
}

function sentOf(value: Choice | number | undefined) {
  return typeof value === 'object' ? value.sent : value
}

function parseStart(
  cursor: string | undefined,
  list: ListParts,
  cursors: Cursors,
): Parsed<PageStart | undefined> {
  if (cursor === undefined || cursor === '*') return { value: cursor }
  const { value, problem } = cursors.read(list, cursor)
  return problem === undefined ? { value: unpackedPlace(value) } : { problem }
}

/** Whether a page is not the first of its list. */
export function isBehindCursor(page: PageQuery | undefined): boolean {
  return page?.start !== undefined && page.start !== '*'
}
