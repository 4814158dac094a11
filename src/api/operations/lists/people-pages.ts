/**
 * Pages of all people who matched, continued by cursors even when another snapshot answered the page before. By authority
 * a place is a score and an SDU. By topics, where every value depends on the others, it is the last person on one page
 * and the first on the next.
 */
import type { Catalog } from '../../../engine/catalog.ts'
import type { FacetCounts } from '../../../engine/facets/facet-counts.ts'
import { Listing, type ListMark } from '../../../engine/facets/listing.ts'
import type { Filters } from '../../../engine/filters/filter-sets.ts'
import type { Matched } from '../../../engine/interpret/found.ts'
import type { TopicOrder } from '../../../engine/interpret/ranking.ts'
import { limits } from '../../../limits.ts'
import {
  type ChoiceName,
  type FacetName,
  type FilterName,
  filterNames,
} from '../../../request-parameters.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Parsed } from '../../exchange.ts'
import type { Cursors, ListParts } from '../../parameters/cursor.ts'
import type { SentName } from '../../schemas/values.ts'

export interface Page {
  readonly ordinals: readonly number[]
  readonly ranks: readonly number[]
  /** JSON of the members behind the items, each behind a comma. */
  readonly members: string
}

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
  const listing = new Listing(catalog, listed, served.filterSets(asked.filters))
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
    return `"${served.cursors.write(asked.list, packedPlace(place))}"`
  }
  const bound = shown.among === undefined ? '' : `,"counted_among":${shown.among}`
  const counts = facets.length === 0 ? bound : `,"facets":${JSON.stringify(tally.facets)}${bound}`
  const place =
    start === undefined
      ? ''
      : `,"total":${shown.total},"next_cursor":${nextCursor()},"snapshot_changed":${isChanged}`
  return { ordinals, ranks: ranksOf(matched, ordinals, before), members: counts + place }
}

/** The order among equals is that of one snapshot: in another, a list goes on by authority alone, to its end. */
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

/** Counts only what is not known: nothing for the first items, or for a next page of one snapshot. */
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

/** The rank in the one topic if that is shown, else the position among all who matched. */
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

/** A value in its form in cursors, and back: the rank in one topic, which other people change little. */
function orderValue(order: TopicOrder, value: number): number {
  return order.valueOfRank(value) ?? value
}

/** More topics than a text has words. */
const topicsMax = 1_000

/** Less than any member has. */
const belowMembers = 0.5

/**
 * By authority the mark is a score and an SDU: a person whose score did not change stays on the same side of it. Among
 * members, whose values change with those of others, it is the neighbour on either side that has moved less.
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

export interface PageQuery {
  readonly filters: Filters
  /** The place at which the page begins, `*` at first; undefined if only the first items are wanted. */
  readonly start: '*' | ListPlace | undefined
  readonly facets: readonly FacetName[]
  readonly list: ListParts
}

type PageValues = {
  readonly [N in FilterName]?: (N extends ChoiceName ? readonly SentName[] : number) | undefined
} & {
  readonly cursor?: string | undefined
  readonly facets?: PageQuery['facets'] | undefined
}

/** The filters that every cursor holds, given or not. It holds the attributes only if they are given. */
const inEveryCursor = filterNames.filter((name) => name !== 'attribute')

/** Undefined if only the first items are wanted. @param of the parts of the list without its filters. */
export function parsePage(
  of: ListParts,
  values: PageValues,
  cursors: Cursors,
): Parsed<PageQuery | undefined> {
  const { cursor, facets = [] } = values
  const given = filterNames.filter((name) => values[name] !== undefined)
  if (given.length === 0 && cursor === undefined && facets.length === 0) return { value: undefined }
  const filters: Filters = Object.fromEntries(given.map((name) => [name, numbersOf(values[name])]))
  const attributes = values.attribute && ['attribute', sentOf(values.attribute)]
  const list = [...of, ...inEveryCursor.map((name) => sentOf(values[name])), ...(attributes ?? [])]
  const place = cursors.read<readonly unknown[]>(list, cursor)
  if (place.problem !== undefined) return place
  const first = cursor === undefined ? undefined : '*'
  const start = place.value === undefined ? first : unpackedPlace(place.value)
  return { value: { filters, start, facets, list } }
}

/** Each once; fewer than were sent if a value has no people. */
function numbersOf(value: readonly SentName[] | number | undefined) {
  if (typeof value !== 'object') return value
  return [...new Set(value.flatMap(({ meaning }) => meaning().numbers ?? []))]
}

function sentOf(value: readonly SentName[] | number | undefined) {
  return typeof value === 'object' ? value.map(({ sent }) => sent) : value
}

/** A place in a list, and the facts of the list that were known there. */
export interface ListPlace {
  /** The beginning of the id of the snapshot that answered. */
  readonly snapshot: string
  /** The mark means the same only in a list of the same shape. */
  readonly shape: number
  /** The group, and the order value in it: the rank in one topic, the share of several. */
  readonly group: number
  readonly value: number
  /** The last person who was shown, with the score in hundredths, and the first who was not. */
  readonly score: number
  readonly last: string
  readonly next: string
  /** Number of people in the list, and number of those who were shown. */
  readonly total: number
  readonly before: number
  /** The people among whom `total` was counted, the first by authority; undefined for everybody. */
  readonly among?: number | undefined
}

/** Digits of a snapshot's id that a cursor carries. */
const cursorIdDigits = 16

const members = [
  'snapshot',
  'shape',
  'group',
  'value',
  'score',
  'last',
  'next',
  'total',
  'before',
  'among',
] as const satisfies readonly (keyof ListPlace)[]

function packedPlace(place: ListPlace): readonly unknown[] {
  const values = members.map((member) => place[member])
  return place.among === undefined ? values.slice(0, -1) : values
}

/** The cursor's checksum proves that `packedPlace` made it. */
export function unpackedPlace(packed: unknown): ListPlace {
  const values = packed as readonly unknown[]
  return Object.fromEntries(members.map((member, index) => [member, values[index]])) as never
}
