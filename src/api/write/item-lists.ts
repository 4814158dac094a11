/**
 * The items of answers, written into a body. Every item is copied from the snapshot's ready-made
 * JSON; only ranks and the handles that were sent are written here.
 */
import type { Catalog, Range } from '../../catalog/catalog.ts'
import { type Found, positions, type Understood } from '../../catalog/search/found.ts'
import { anyOf, List, unfiltered } from '../../catalog/search/holders.ts'
import type { KeptItems, Written } from '../answer-cache.ts'
import type { SentHandle } from '../read/parameters.ts'
import type { Served } from '../served.ts'
import type { Body } from './body.ts'
import type { ItemFields } from './chosen-items.ts'
import { type AskedPage, pageOf } from './listing-pages.ts'

/** A search, as it was asked for. */
export interface AskedSearch {
  readonly text: string
  readonly limit: number
  /** Whether the answer is to say how the text was understood. */
  readonly explain: boolean
  /** Undefined where only the first are asked for, whoever they are. */
  readonly page?: AskedPage | undefined
  /** Undefined for summaries. */
  readonly fields?: ItemFields | undefined
}

/**
 * Writes the first `limit` authorities for a text; returns what it wrote, to be kept: a piece of a
 * section, or a copy.
 */
export function writeFound(served: Served, asked: AskedSearch, body: Body): KeptItems {
  const { catalog, search } = served
  const { text, limit, explain, page, fields } = asked
  // Of a page it only matters what the text means: any who is found tells that.
  const found = search.find(text, page === undefined ? limit : 1)
  const { way } = found
  const understood = explain ? `,"query":${understoodJson(search.understood(found))}` : ''
  if (found.topic >= 0 && page === undefined && fields === undefined) {
    const items = catalog.topicItems(found.topic, limit)
    body.slice(items.source, items.start, items.end)
    return { ...items, ownBytes: 0, way, members: understood }
  }
  const start = body.length
  const { ordinals, ranks, members } = shownOf(served, found, asked)
  writeSummaries(catalog, ordinals, body, ranks, fields)
  const copy = body.copyFrom(start)
  return { ...copy, ownBytes: copy.end, way, members: understood + members }
}

/** Whom an answer shows: the first who were found, or a page of everybody. */
function shownOf(served: Served, found: Found, { page, limit }: AskedSearch) {
  if (page === undefined) return { ...found, members: '' }
  return pageOf(served, served.search.matched(found), page, limit)
}

/** Writes a page of some lists of peers together, each authority once. */
export function writePeerPage(
  served: Served,
  lists: readonly Range[],
  { limit, page, fields }: Pick<AskedSearch, 'limit' | 'fields'> & { readonly page: AskedPage },
  body: Body,
): Written {
  const ordinals = served.catalog.sections['peer.ordinals']
  const peers = anyOf(lists.map(({ start, end }) => new List(ordinals, start, end, unfiltered)))
  const matched = { names: [peers], words: [], order: undefined, isRanked: false }
  const shown = pageOf(served, matched, page, limit)
  writeSummaries(served.catalog, shown.ordinals, body, shown.ranks, fields)
  return { way: '', members: shown.members }
}

function understoodJson(understood: Understood): string {
  const { way, words, corrected, leftOut, countries, topics } = understood
  const country = countries.length === 0 ? null : countries.join(', ')
  return JSON.stringify({ way, words, corrected, left_out: leftOut, country, topics })
}

/** Writes the profiles of those who are known (not below 0), comma between them. */
export function writeProfiles(
  catalog: Catalog,
  ordinals: ArrayLike<number>,
  body: Body,
  fields?: ItemFields,
): void {
  const { json, ends } = catalog.profiles
  const start = body.length
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!
    if (ordinal < 0) continue
    if (body.length > start) body.comma()
    if (fields === undefined) {
      body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, ends[ordinal]!)
    } else {
      writeItem(catalog, ordinal, catalog.coreRanks[ordinal]!, body, fields)
    }
  }
}

/** Writes the top peers of handles, given by their numbers; below 0 is one that nobody has. */
export function writePeers(
  catalog: Catalog,
  handles: readonly number[],
  limit: number,
  body: Body,
  fields?: ItemFields,
): void {
  const lists = handles.map((handle) => catalog.peersOfHandle(handle))
  writeUnion(catalog, lists, limit, body, fields)
}

/** Writes the top of some lists of peers together, each authority once. */
export function writeUnion(
  catalog: Catalog,
  lists: readonly Range[],
  limit: number,
  body: Body,
  fields?: ItemFields,
): void {
  const ordinals = catalog.sections['peer.ordinals']
  const [only, another] = lists
  const top =
    only !== undefined && another === undefined
      ? ordinals.subarray(only.start, Math.min(only.end, only.start + limit))
      : mergeTop(ordinals, lists, limit)
  writeSummaries(catalog, top, body, positions, fields)
}

/** The first of some ascending lists together: merged, each once. O(limit × lists). */
function mergeTop(ordinals: Uint32Array, lists: readonly Range[], limit: number): number[] {
  const places = lists.map(({ start }) => start)
  const top: number[] = []
  while (top.length < limit) {
    let next = Number.POSITIVE_INFINITY
    for (let list = 0; list < lists.length; list += 1) {
      const place = places[list]!
      if (place < lists[list]!.end && ordinals[place]! < next) next = ordinals[place]!
    }
    if (next === Number.POSITIVE_INFINITY) break
    top.push(next)
    for (let list = 0; list < lists.length; list += 1) {
      const place = places[list]!
      if (place < lists[list]!.end && ordinals[place] === next) places[list] = place + 1
    }
  }
  return top
}

/** Writes the owners of each handle; which handle an item answers stands in it when there are several. */
export function writeMatches(
  catalog: Catalog,
  handles: readonly SentHandle[],
  body: Body,
  fields?: ItemFields,
): void {
  const start = body.length
  for (const { sent, query } of handles) {
    const handle = handles.length > 1 ? JSON.stringify(sent).slice(1, -1) : undefined
    for (const ordinal of catalog.ownersOf(query)) {
      writeOwner(catalog, ordinal, body, start, fields, handle)
    }
  }
}

/**
 * The same for handles given by their numbers, below 0 those that nobody has. `sentOf` tells how each
 * was sent: in characters that stand for themselves in JSON.
 */
export function writeOwners(
  catalog: Catalog,
  handles: readonly number[],
  sentOf: (index: number) => string,
  body: Body,
  fields?: ItemFields,
): void {
  const start = body.length
  for (let index = 0; index < handles.length; index += 1) {
    const handle = handles.length > 1 ? sentOf(index) : undefined
    catalog.forOwners(handles[index]!, (ordinal) =>
      writeOwner(catalog, ordinal, body, start, fields, handle),
    )
  }
}

/** A summary item ranked in its core topic, in a list that began at an offset. */
function writeOwner(
  catalog: Catalog,
  ordinal: number,
  body: Body,
  start: number,
  fields: ItemFields | undefined,
  handle: string | undefined,
): void {
  if (body.length > start) body.comma()
  writeItem(catalog, ordinal, catalog.coreRanks[ordinal]!, body, fields, handle)
}

/** Items with their ranks. */
function writeSummaries(
  catalog: Catalog,
  ordinals: ArrayLike<number>,
  body: Body,
  ranks: ArrayLike<number>,
  fields: ItemFields | undefined,
): void {
  for (let index = 0; index < ordinals.length; index += 1) {
    if (index > 0) body.comma()
    writeItem(catalog, ordinals[index]!, ranks[index]!, body, fields)
  }
}

/** An item: the wanted fields or a summary, and the handle it answers, as it stands in JSON. */
function writeItem(
  catalog: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
  fields: ItemFields | undefined,
  handle?: string,
): void {
  if (fields === undefined) writeSummary(catalog, ordinal, rank, body)
  else fields.write(catalog, ordinal, rank, body)
  if (handle === undefined) return
  body.dropLast()
  body.text(',"handle":"')
  body.text(handle)
  body.text('"}')
}

/** A summary item: the two halves around its rank. */
function writeSummary(
  { summaries: { json, ends, splits } }: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
): void {
  const split = splits[ordinal]!
  body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, split)
  body.integer(rank)
  body.slice(json, split, ends[ordinal]!)
}
