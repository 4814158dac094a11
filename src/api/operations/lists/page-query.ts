/** What a request asks of a list of people: filters, counts, and where a page begins. */
import type { Filters } from '../../../engine/filters/filter-sets.ts'
import type { FacetName } from '../../../request-parameters.ts'
import type { Choice } from '../../parameters/choices.ts'
import type { Cursors, ListParts } from '../../parameters/cursor.ts'
import { type ListPlace, unpackedPlace } from '../../parameters/list-cursor.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** Where a page begins: `*` is the beginning of the list. */
export type PageStart = '*' | ListPlace

/** What is asked of a list. */
export interface PageQuery {
  readonly filters: Filters
  /** Undefined where only the first are asked for. */
  readonly start: PageStart | undefined
  readonly facets: readonly FacetName[]
  /** What its cursors belong to. */
  readonly list: ListParts
}

/** The parameters that ask for more of a list than its first items. */
interface PageValues {
  readonly country: Choice | undefined
  readonly platform: Choice | undefined
  readonly topic: Choice | undefined
  readonly attribute?: Choice | undefined
  readonly score_min: number | undefined
  readonly followers_min: number | undefined
  readonly cursor: string | undefined
  readonly facets?: PageQuery['facets'] | undefined
}

/**
 * Parses what is asked of a list; undefined where only its first items are.
 * @param of what it is a list of, filters apart.
 */
export function parsePage(
  of: ListParts,
  values: PageValues,
  cursors: Cursors,
): Parsed<PageQuery | undefined> {
  const { country, platform, topic, attribute, score_min, followers_min } = values
  const { cursor, facets = [] } = values
  const filters = {
    places: country?.numbers,
    platforms: platform?.numbers,
    topics: topic?.numbers,
    attributes: attribute?.numbers,
    scoreMin: score_min,
    followersMin: followers_min,
  }
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
  if (!isFiltered && cursor === undefined && facets.length === 0) return { value: undefined }
  const sent = [country?.sent, platform?.sent, topic?.sent, score_min, followers_min]
  // Cursors of lists without this filter stay what they were before there was one.
  const list = attribute === undefined ? [...of, ...sent] : [...of, ...sent, attribute.sent]
  const start = parseStart(cursor, list, cursors)
  return start.problem === undefined
    ? { value: { filters, start: start.value, facets, list } }
    : start
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
