/**
 * The items of answers, written into a body. Every item is copied from the snapshot's ready-made
 * JSON; only ranks and the handles that were sent are written here.
 */
import type { Catalog, Range } from '../../catalog/catalog.ts'
import { positions, type Understood } from '../../catalog/search/found.ts'
import type { KeptItems } from '../answer-cache.ts'
import type { Explain, SentHandle } from '../read/parameters.ts'
import type { Served } from '../served.ts'
import type { Body } from './body.ts'
import { type Explained, inTopics, writeExplanation } from './explanations.ts'

const closeBraceBytes = 1

/** A search, as it was asked for. */
export interface AskedSearch {
  readonly text: string
  readonly limit: number
  /** Whether the answer is to say how the text was understood, or what ranks are made of, too. */
  readonly explain: Explain
}

/**
 * Writes the first `limit` authorities for a text; returns what it wrote, to be kept: a piece of a
 * section, or a copy.
 */
export function writeFound(
  { catalog, search }: Served,
  { text, limit, explain }: AskedSearch,
  body: Body,
): KeptItems {
  const found = search.find(text, limit)
  const { way } = found
  const members =
    explain === 'nothing' ? '' : `,"query":${understoodJson(search.understood(found))}`
  if (found.topic < 0 || explain === 'items') {
    const start = body.length
    const topics = found.parts.map(({ topic }) => topic).filter((topic) => topic >= 0)
    const explained = explain === 'items' ? inTopics(topics) : undefined
    writeSummaries(catalog, found.ordinals, body, found.ranks, explained)
    const copy = body.copyFrom(start)
    return { ...copy, ownBytes: copy.end, way, members }
  }
  const items = catalog.topicItems(found.topic, limit)
  body.slice(items.source, items.start, items.end)
  return { ...items, ownBytes: 0, way, members }
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
  explained?: Explained,
): void {
  const { json, ends } = catalog.profiles
  const start = body.length
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!
    if (ordinal < 0) continue
    if (body.length > start) body.comma()
    const end = ends[ordinal]! - (explained === undefined ? 0 : closeBraceBytes)
    body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, end)
    if (explained === undefined) continue
    writeExplanation(catalog, explained(catalog, ordinal), body)
    body.text('}')
  }
}

/** Writes the top peers of handles, given by their numbers; below 0 is one that nobody has. */
export function writePeers(
  catalog: Catalog,
  handles: readonly number[],
  limit: number,
  body: Body,
): void {
  const lists = handles.map((handle) => catalog.peersOfHandle(handle))
  writeUnion(catalog, lists, limit, body)
}

/** Writes the top of some lists of peers together, each authority once. */
export function writeUnion(
  catalog: Catalog,
  lists: readonly Range[],
  limit: number,
  body: Body,
  explained?: Explained,
): void {
  const ordinals = catalog.sections['peer.ordinals']
  const [only, another] = lists
  const top =
    only !== undefined && another === undefined
      ? ordinals.subarray(only.start, Math.min(only.end, only.start + limit))
      : mergeTop(ordinals, lists, limit)
  writeSummaries(catalog, top, body, positions, explained)
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
  explained?: Explained,
): void {
  const start = body.length
  for (const { sent, query } of handles) {
    const handle = handles.length > 1 ? JSON.stringify(sent).slice(1, -1) : undefined
    for (const ordinal of catalog.ownersOf(query)) {
      writeOwner(catalog, ordinal, body, start, handle, explained)
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
): void {
  const start = body.length
  for (let index = 0; index < handles.length; index += 1) {
    const handle = handles.length > 1 ? sentOf(index) : undefined
    catalog.forOwners(handles[index]!, (ordinal) =>
      writeOwner(catalog, ordinal, body, start, handle),
    )
  }
}

/** A summary item ranked in its core topic, in a list that began at an offset. */
function writeOwner(
  catalog: Catalog,
  ordinal: number,
  body: Body,
  start: number,
  handle: string | undefined,
  explained?: Explained,
): void {
  if (body.length > start) body.comma()
  writeSummary(catalog, ordinal, catalog.coreRanks[ordinal]!, body, handle, explained)
}

/** Summary items with their ranks. */
function writeSummaries(
  catalog: Catalog,
  ordinals: ArrayLike<number>,
  body: Body,
  ranks: ArrayLike<number>,
  explained?: Explained,
): void {
  for (let index = 0; index < ordinals.length; index += 1) {
    if (index > 0) body.comma()
    writeSummary(catalog, ordinals[index]!, ranks[index]!, body, undefined, explained)
  }
}

/**
 * A summary item: the two halves around its rank, the handle it answers, as it stands in JSON, and what
 * its rank is made of.
 */
function writeSummary(
  catalog: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
  handle?: string,
  explained?: Explained,
): void {
  const { json, ends, splits } = catalog.summaries
  const split = splits[ordinal]!
  body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, split)
  body.integer(rank)
  if (handle === undefined && explained === undefined) {
    body.slice(json, split, ends[ordinal]!)
    return
  }
  body.slice(json, split, ends[ordinal]! - closeBraceBytes)
  if (handle !== undefined) {
    body.text(',"handle":"')
    body.text(handle)
    body.text('"')
  }
  if (explained !== undefined) writeExplanation(catalog, explained(catalog, ordinal), body)
  body.text('}')
}
