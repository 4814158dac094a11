/**
 * The four answers: parameters in, items into the body. Every item is copied from the snapshot's
 * ready-made JSON; only ranks and the handles that were sent are written here.
 */
import type { Catalog, Range } from '../catalog/catalog.ts'
import type { RouteName } from '../ledger/route.ts'
import type { Body } from './body.ts'
import {
  type Pairs,
  type Parsed,
  parseHandles,
  parseLimit,
  parsePairs,
  parseSdus,
  parseText,
  type SentHandle,
} from './parameters.ts'
import type { Served } from './served.ts'

/** What a request asks for, once its parameters are read. */
export interface Ask {
  /** How many queries it is charged as: one, or one for each SDU or handle. */
  readonly queries: number
  /** Writes the items of the answer, comma between items. */
  readonly write: (served: Served, body: Body) => void
}

/** Reads the query string of a route: what it asks for, or what is wrong with it. */
export function readAsk(route: RouteName, query: string): Parsed<Ask> {
  const pairs = parsePairs(query)
  return pairs.problem === undefined ? readers[route](pairs.value, query) : pairs
}

const readers: Readonly<Record<RouteName, (pairs: Pairs, query: string) => Parsed<Ask>>> = {
  search: readSearch,
  detail: readDetail,
  peers: readPeers,
  match: readMatch,
}

const closeBraceBytes = 1

/** Search: the first `limit` authorities for the text. */
function readSearch(pairs: Pairs, query: string): Parsed<Ask> {
  const text = parseText(pairs)
  if (text.problem !== undefined) return text
  const limit = parseLimit(pairs)
  if (limit.problem !== undefined) return limit
  const write: Ask['write'] = (served, body) => {
    const kept = served.cache.find(query)
    if (kept !== undefined) {
      body.bytes(kept)
      return
    }
    const start = body.length
    writeFound(served, text.value, limit.value, body)
    served.cache.set(query, body.copyFrom(start))
  }
  return { value: { queries: 1, write } }
}

function writeFound({ catalog, search }: Served, text: string, limit: number, body: Body): void {
  const found = search.find(text, limit)
  if (found.way === 'keywords') writeSummaries(catalog, found.ordinals, body)
  else writeTopic(catalog, found.topic, limit, body)
}

/** The first items of a topic's ranking are one slice of its ready-made JSON. */
function writeTopic({ sections }: Catalog, topic: number, limit: number, body: Body): void {
  const first = sections['topic.item-starts'][topic]!
  const last = Math.min(first + limit, sections['topic.item-starts'][topic + 1]!)
  const ends = sections['topic.item-ends']
  body.bytes(sections['topic.json'].subarray(first === 0 ? 0 : ends[first - 1]!, ends[last - 1]!))
}

/** Detail: the profiles of the SDUs that are known, in the order of the request. */
function readDetail(pairs: Pairs): Parsed<Ask> {
  const sdus = parseSdus(pairs)
  if (sdus.problem !== undefined) return sdus
  const write: Ask['write'] = ({ catalog }, body) =>
    writeProfiles(
      catalog,
      sdus.value.map((sdu) => catalog.findSdu(sdu)),
      body,
    )
  return { value: { queries: sdus.value.length, write } }
}

/** Writes the profiles of those who are known (not below 0), comma between them. */
export function writeProfiles(
  { profiles: { json, ends } }: Catalog,
  ordinals: ArrayLike<number>,
  body: Body,
): void {
  const start = body.length
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!
    if (ordinal < 0) continue
    if (body.length > start) body.comma()
    body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, ends[ordinal]!)
  }
}

/** Peers: the union of the peers of all handles by authority score, ranked from 1. */
function readPeers(pairs: Pairs): Parsed<Ask> {
  const handles = parseHandles(pairs)
  if (handles.problem !== undefined) return handles
  const limit = parseLimit(pairs)
  if (limit.problem !== undefined) return limit
  const write: Ask['write'] = ({ catalog }, body) =>
    writeSummaries(catalog, peersOf(catalog, handles.value, limit.value), body)
  return { value: { queries: handles.value.length, write } }
}

/** The union of the peers of some handles, the top ones first. */
function peersOf(catalog: Catalog, handles: readonly SentHandle[], limit: number): Uint32Array {
  const ordinals = catalog.sections['peer.ordinals']
  // Each list is in order already, so that none gives more than its own first ones.
  const lists = handles.map(({ query }) => firstOf(ordinals, catalog.peersOf(query), limit))
  if (lists.length === 1) return lists[0]!
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  all.sort()
  return all.filter((ordinal, index) => ordinal !== all[index - 1]).subarray(0, limit)
}

function firstOf(ordinals: Uint32Array, { start, end }: Range, limit: number): Uint32Array {
  return ordinals.subarray(start, Math.min(end, start + limit))
}

/** Writes the peers of one handle, given by its number. */
export function writePeers(catalog: Catalog, handle: number, limit: number, body: Body): void {
  const range = catalog.peersOfHandle(handle)
  writeSummaries(catalog, firstOf(catalog.sections['peer.ordinals'], range, limit), body)
}

/**
 * Match: the owners of each handle in the order of the request; when several handles were asked
 * for, each item says which one it answers.
 */
function readMatch(pairs: Pairs): Parsed<Ask> {
  const handles = parseHandles(pairs)
  if (handles.problem !== undefined) return handles
  const write: Ask['write'] = ({ catalog }, body) => writeMatches(catalog, handles.value, body)
  return { value: { queries: handles.value.length, write } }
}

/** Writes the owners of each handle; which handle an item answers stands in it when there are several. */
function writeMatches(catalog: Catalog, handles: readonly SentHandle[], body: Body): void {
  const start = body.length
  for (const { sent, query } of handles) {
    for (const ordinal of catalog.ownersOf(query)) {
      if (body.length > start) body.comma()
      writeOwner(catalog, ordinal, body, handles.length > 1 ? sent : undefined)
    }
  }
}

/** Writes the owners of one handle, given by its number. */
export function writeOwners(catalog: Catalog, handle: number, body: Body): void {
  const start = body.length
  catalog.forOwners(handle, (ordinal) => {
    if (body.length > start) body.comma()
    writeOwner(catalog, ordinal, body)
  })
}

/** A summary item ranked in its core topic. */
function writeOwner(catalog: Catalog, ordinal: number, body: Body, handle?: string): void {
  writeSummary(catalog, ordinal, catalog.coreRanks[ordinal]!, body, handle)
}

/** Summary items ranked by their position, from 1. */
function writeSummaries(catalog: Catalog, ordinals: ArrayLike<number>, body: Body): void {
  for (let index = 0; index < ordinals.length; index += 1) {
    if (index > 0) body.comma()
    writeSummary(catalog, ordinals[index]!, index + 1, body)
  }
}

/** A summary item: the two halves around its rank, and the handle it answers when there is one. */
function writeSummary(
  { summaries: { json, ends, splits } }: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
  handle?: string,
): void {
  const split = splits[ordinal]!
  body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, split)
  body.integer(rank)
  if (handle === undefined) {
    body.slice(json, split, ends[ordinal]!)
  } else {
    body.slice(json, split, ends[ordinal]! - closeBraceBytes)
    body.text(`,"handle":${JSON.stringify(handle)}}`)
  }
}
