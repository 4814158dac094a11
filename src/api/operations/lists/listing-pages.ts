/**
 * Pages of all people who matched: filtered, counted, and continued by cursors, even when another snapshot
 * answered the page before.
 */
import type { Catalog } from '../../../engine/catalog.ts'
import type { FacetCounts } from '../../../engine/facets/facet-counts.ts'
import { Listing, type ListMark } from '../../../engine/facets/listing.ts'
import type { Matched } from '../../../engine/interpret/found.ts'
import type { TopicOrder } from '../../../engine/interpret/ranking.ts'
import { limits } from '../../../limits.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import { cursorIdDigits, type ListPlace, packedPlace } from '../../parameters/list-cursor.ts'
import type { PageQuery } from './page-query.ts'

/** The people of a page, and the facts of the answer about their list. */
export interface Page {
  readonly ordinals: readonly number[]
  readonly ranks: readonly number[]
  /** Undefined if no counts are wanted. */
  readonly facets: FacetCounts['facets'] | undefined
  /** The people among whom `total` and `facets` were counted, the first by authority; undefined for everybody. */
  readonly among: number | undefined
  /** Undefined if only the first items are wanted. */
  readonly place: PagePlace | undefined
}

/** The place of a page in its list. */
interface PagePlace {
  readonly total: number
  /** The cursor of the next page; null behind the last. */
  readonly next: string | null
  /** Whether the page before came from another snapshot. */
  readonly isChanged: boolean
}

/** Finds the page of a list of matches. */
export function pageOf(
  served: ActiveSnapshot,
  matched: Matched,
  asked: PageQuery,
  limit: number,
): Page {
  const { catalog } = served
  const { start, facets } = asked
  const cursor = start === '*' ? undefined : start
  const isChanged = cursor !== undefined && !catalog.id.startsWith(cursor.snapshot)
  const listed = continuedFrom(cursor, matched, isChanged)
  const listing = new Listing(catalog, listed, served.filters.of(asked.filters))
  const mark = cursor && markIn(listing, catalog, cursor, isChanged)
  const tally = tallyOf(served, listing, asked, isChanged ? mark : undefined)
  const { total, among } = cursor === undefined || isChanged ? tally : cursor
  // Where facets are counted, the total is of the same people.
  const shown = facets.length === 0 ? { total, among } : tally
  const isBeforeCounted = isChanged && tally.among === undefined
  const before = cursor === undefined || isBeforeCounted ? tally.before : cursor.before
  const found = listing.first(limit + (start === undefined ? 0 : 1), mark)
  const ordinals = found.slice(0, limit)
  const nextCursor = () => {
    if (found.length <= limit) return null
    const place = placeBehind(listing, catalog, found, { total, before, among })
    return served.cursors.write(asked.list, packedPlace(place))
  }
  return {
    ordinals,
    ranks: ranksOf(matched, ordinals, before),
    facets: facets.length === 0 ? undefined : tally.facets,
    among: shown.among,
    place: start === undefined ? undefined : { total: shown.total, next: nextCursor(), isChanged },
  }
}

/** JSON of the members that a page puts behind the items, each behind a comma. */
export function pageMembers(page: Page | undefined): string {
  const { facets, among, place } = page ?? {}
  const bound = among === undefined ? '' : `,"counted_among":${among}`
  const counts = facets === undefined ? bound : `,"facets":${JSON.stringify(facets)}${bound}`
  if (place === undefined) return counts
  const { total, next, isChanged } = place
  const cursor = next === null ? null : `"${next}"`
  return `${counts},"total":${total},"next_cursor":${cursor},"snapshot_changed":${isChanged}`
}

/**
 * The matches in which a list is continued. The order among equals is that of one snapshot: a list that began
 * in another snapshot goes on by authority alone, to its end.
 */
function continuedFrom(
  cursor: ListPlace | undefined,
  matched: Matched,
  isChanged: boolean,
): Matched {
  const { equals = 0, names } = matched
  if (cursor === undefined || equals === 0) return matched
  const isSame = !isChanged && namesIn(cursor) === names.length
  return isSame ? matched : { ...matched, names: names.slice(equals) }
}

/** Number of tiers of names when the cursor was written, equals included. */
function namesIn({ shape }: ListPlace): number {
  return Math.floor(shape / topicsMax)
}

/** Counts only what is not known: nothing for a request for the first items, or for a next page of one snapshot. */
function tallyOf(
  { catalog, tallies }: ActiveSnapshot,
  listing: Listing,
  { start, facets }: PageQuery,
  mark: ListMark | undefined,
): FacetCounts {
  const isCounted = facets.length > 0 || start === '*' || mark !== undefined
  if (!isCounted || catalog.counts.authorities === 0) return uncounted
  return tallies.of(listing, { mark, facets, keysMax: limits.facetKeysMax })
}

const uncounted: FacetCounts = { total: 0, before: 0, facets: {} }

/** Ranks to show: the rank in the one topic if that is shown, else the position among all who matched. */
function ranksOf({ order, isRanked }: Matched, ordinals: readonly number[], before: number) {
  return ordinals.map((ordinal, index) => {
    const rank = isRanked ? order!.rankOf(ordinal) : 0
    return rank || before + index + 1
  })
}

/** The place behind the last shown person, who is the last but one of `found`. */
function placeBehind(
  listing: Listing,
  catalog: Catalog,
  found: readonly number[],
  facts: Pick<ListPlace, 'total' | 'before' | 'among'>,
): ListPlace {
  const { order } = listing.matched
  const [last = 0, next = 0] = found.slice(-2)
  const { group, value } = listing.markOf(last)
  return {
    ...facts,
    snapshot: catalog.id.slice(0, cursorIdDigits),
    shape: shapeOf(listing),
    group,
    value: group === listing.members ? orderValue(order!, value) : 0,
    score: catalog.sections['authority.scores'][last]!,
    last: catalog.sduOf(last),
    next: catalog.sduOf(next),
    before: facts.before + found.length - 1,
  }
}

/** Converts a value to its form in cursors, and back: the rank in one topic, which other people change little. */
function orderValue(order: TopicOrder, value: number): number {
  return order.valueOfRank(value) ?? value
}

/** More topics than a text has words. */
const topicsMax = 1_000

/** Less than any member has. */
const belowMembers = 0.5

/**
 * The mark that a cursor encodes. By authority it is a score and an SDU: a person whose score did not change
 * stands on the same side of it. Among members, whose values change with those of the others, it is
 * the neighbour on either side, the one that has moved less.
 */
function markIn(
  listing: Listing,
  catalog: Catalog,
  cursor: ListPlace,
  isChanged: boolean,
): ListMark {
  const { order } = listing.matched
  const ordinal = catalog.countUpTo(cursor.score, cursor.last) - 1
  // Tiers of one person each stand before a single tier of names only.
  const equals = isChanged && listing.members === 1 ? Math.max(0, namesIn(cursor) - 1) : 0
  const shape = cursor.shape - equals * topicsMax
  const group = Math.min(Math.max(0, cursor.group - equals), listing.others)
  const isAmongNames = group < listing.members && Math.floor(shape / topicsMax) === listing.members
  // The text is understood in another way now: go on with the people whom no order brings forward.
  if (shape !== shapeOf(listing) && !isAmongNames) {
    return { group: listing.others, value: 0, ordinal }
  }
  if (group !== listing.members || order === undefined) return { group, value: 0, ordinal }
  const side = isChanged ? nearerSide(order, catalog, cursor, group) : undefined
  return side ?? { group, value: Math.max(belowMembers, orderValue(order, cursor.value)), ordinal }
}

/** The shape of the groups: the number of tiers of names, and of topics that give the order. */
function shapeOf({ members, matched: { order } }: Listing): number {
  return members * topicsMax + (order?.topics ?? 0)
}

/** The mark by its neighbour before or behind, or undefined if neither is a member. */
function nearerSide(
  order: TopicOrder,
  catalog: Catalog,
  cursor: ListPlace,
  group: number,
): ListMark | undefined {
  const [last, next] = [catalog.findSdu(cursor.last), catalog.findSdu(cursor.next)]
  const [lastValue, nextValue] = [last, next].map((each) => (each < 0 ? 0 : order.valueOf(each)))
  const step = order.topics === 1 ? 1 : 0
  const moved = (value: number, by: number) =>
    value === 0 ? Number.POSITIVE_INFINITY : Math.abs(orderValue(order, value) - by - cursor.value)
  const lastMoved = moved(lastValue!, 0)
  const nextMoved = moved(nextValue!, step)
  if (lastMoved === Number.POSITIVE_INFINITY && nextMoved === lastMoved) return undefined
  return lastMoved <= nextMoved
    ? { group, value: lastValue!, ordinal: last }
    : { group, value: nextValue!, ordinal: next - 1 }
}
