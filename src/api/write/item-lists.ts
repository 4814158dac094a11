/**
 * The items of answers, written into a body. Every item is copied from the snapshot's ready-made
 * JSON; only ranks and the handles that were sent are written here.
 */
import type { OwnerLists } from '../../catalog/batch.ts'
import type { Catalog, PeersOfLists, Range } from '../../catalog/catalog.ts'
import { anyOf } from '../../catalog/holders/holders.ts'
import { listOf } from '../../catalog/holders/list.ts'
import { type Found, positions, type Understood } from '../../catalog/search/found.ts'
import { type CopySource, copySourceOf, pieceOf, type TextPiece } from '../../memory/copy-text.ts'
import type { KeptItems, Written } from '../answer-cache.ts'
import type { HandleList } from '../read/handle-list.ts'
import type { Explain } from '../read/parameters.ts'
import type { Served } from '../served.ts'
import type { Body } from './body.ts'
import type { ItemFields } from './chosen-items.ts'
import { type Explained, inTopics, writeExplanation } from './explanations.ts'
import { type AskedPage, pageOf } from './listing-pages.ts'

/** What is written of an item: by itself a summary, or in detail a profile. */
export interface ItemForm {
  /** The fields that are wanted; undefined for all of the item. */
  readonly fields?: ItemFields | undefined
  /** Which rank is explained; undefined for none. */
  readonly explained?: Explained | undefined
}

/** The handle that an item answers, as it stands between the quotation marks of JSON, or what writes it. */
type HandleInJson = string | (() => void)

const handleBegins = pieceOf(',"handle":"')

/** All of an item, and nothing else. */
export const plainItems: ItemForm = {}

/** A search, as it was asked for. */
export interface AskedSearch {
  readonly text: string
  readonly limit: number
  /** Whether the answer is to say how the text was understood, or what ranks are made of, too. */
  readonly explain: Explain
  /** Whether another word for a topic finds its members. */
  readonly related: boolean
  /** Undefined where only the first are asked for, whoever they are. */
  readonly page?: AskedPage | undefined
  /** Undefined for summaries. */
  readonly fields?: ItemFields | undefined
}

/**
 * Writes the first `limit` authorities for a text; returns what it wrote, to be kept: a piece of a
 * section, or of the body, which lasts until the next begins.
 */
export function writeFound(served: Served, asked: AskedSearch, body: Body): KeptItems {
  const { catalog, search } = served
  const { text, limit, explain, page, fields, related } = asked
  // Of a page it only matters what the text means: any who is found tells that.
  const found = search.find(text, page === undefined ? limit : 1, { related })
  const { way } = found
  const understood =
    explain === 'nothing' ? '' : `,"query":${understoodJson(understoodOf(served, text, found))}`
  if (found.topic >= 0 && page === undefined && explain !== 'items') {
    return { ...writeRanking(catalog, found.topic, asked, body), way, members: understood }
  }
  const start = body.length
  const { ordinals, ranks, members } = shownOf(served, found, asked)
  const topics = found.parts.map(({ topic }) => topic).filter((topic) => topic >= 0)
  const explained = explain === 'items' ? inTopics(topics) : undefined
  writeItems(catalog, ordinals, body, ranks, { fields, explained })
  return { ...body.pieceFrom(start), isOfSection: false, way, members: understood + members }
}

/** Writes the first of a topic's ranking: as they lie ready, or of each the wanted fields. */
function writeRanking(
  catalog: Catalog,
  topic: number,
  { limit, fields }: AskedSearch,
  body: Body,
): TextPiece & { readonly isOfSection: boolean } {
  if (fields === undefined) {
    const { source, start, end } = catalog.topicItems(topic, limit)
    body.slice(source, start, end)
    return { source, start, end, isOfSection: true }
  }
  const start = body.length
  fields.writeRanking(catalog, topic, limit, body)
  return { ...body.pieceFrom(start), isOfSection: false }
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
  { limit, page }: { readonly limit: number; readonly page: AskedPage },
  body: Body,
  form: ItemForm,
): Written {
  const { ordinals, ends } = served.catalog.peersOfLists(lists)
  const peers = anyOf(ends.map((end, list) => listOf(ordinals, ends[list - 1] ?? 0, end)))
  const matched = { names: [[peers]], words: [], order: undefined, isRanked: false }
  const shown = pageOf(served, matched, page, limit)
  writeItems(served.catalog, shown.ordinals, body, shown.ranks, form)
  return { way: '', members: shown.members }
}

/** How a text was understood; where nobody was found, what to try instead. */
function understoodOf({ search }: Served, text: string, found: Found): Understood {
  const understood = search.understood(found)
  if (found.way !== 'nobody') return understood
  return { ...understood, suggestions: search.suggestionsFor(text) }
}

function understoodJson(understood: Understood): string {
  const { way, words, corrected, leftOut, countries, topics, suggestions } = understood
  const country = countries.length === 0 ? null : countries.join(', ')
  return JSON.stringify({
    way,
    words,
    corrected,
    left_out: leftOut,
    country,
    topics,
    suggestions,
  })
}

/** Writes the profiles of those who are known (not below 0), comma between them. */
export function writeProfiles(
  catalog: Catalog,
  ordinals: ArrayLike<number>,
  body: Body,
  form: ItemForm = plainItems,
): void {
  const { profiles } = catalog
  const start = body.length
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!
    if (ordinal < 0) continue
    if (body.length > start) body.comma()
    if (form.fields === undefined) {
      const { source } = profiles.pageOf(ordinal)
      body.slice(source, profiles.startOf(ordinal), profiles.ends[ordinal]!)
    } else {
      form.fields.write(catalog, ordinal, catalog.coreRanks[ordinal]!, body)
    }
    if (form.explained !== undefined) explainItem(catalog, ordinal, body, form.explained)
  }
}

/** Writes a profile for each of some people in their order, `null` for those below 0. */
export function writeAlignedProfiles(
  catalog: Catalog,
  ordinals: readonly number[],
  body: Body,
  form: ItemForm,
): void {
  for (let index = 0; index < ordinals.length; index += 1) {
    if (index > 0) body.comma()
    if (ordinals[index]! < 0) body.text('null')
    else writeProfiles(catalog, [ordinals[index]!], body, form)
  }
}

/** Writes the top peers of handles, given by their numbers; below 0 is one that nobody has. */
export function writePeers(
  catalog: Catalog,
  handles: readonly number[],
  limit: number,
  body: Body,
  form: ItemForm = plainItems,
): void {
  const lists = handles.map((handle) => catalog.peersOfHandle(handle))
  writeUnion(catalog, lists, limit, body, form)
}

/** Writes the top of some lists of peers together, each authority once. */
export function writeUnion(
  catalog: Catalog,
  lists: readonly Range[],
  limit: number,
  body: Body,
  form: ItemForm = plainItems,
): void {
  const [only, another] = lists
  const top =
    only !== undefined && another === undefined
      ? catalog.peersIn(only, limit)
      : mergeTop(catalog.peersOfLists(lists, limit), limit)
  writeItems(catalog, top, body, positions, form)
}

/** The first of some ascending lists together: merged, each once. O(limit × lists). */
function mergeTop({ ordinals, ends }: PeersOfLists, limit: number): number[] {
  const places = ends.map((_, list) => ends[list - 1] ?? 0)
  const top: number[] = []
  while (top.length < limit) {
    let next = Number.POSITIVE_INFINITY
    for (let list = 0; list < ends.length; list += 1) {
      const place = places[list]!
      if (place < ends[list]! && ordinals[place]! < next) next = ordinals[place]!
    }
    if (next === Number.POSITIVE_INFINITY) break
    top.push(next)
    for (let list = 0; list < ends.length; list += 1) {
      const place = places[list]!
      if (place < ends[list]! && ordinals[place] === next) places[list] = place + 1
    }
  }
  return top
}

/** Writes the owners of each different handle; each item says which it answers where that is wanted. */
export function writeMatches(
  catalog: Catalog,
  handles: HandleList,
  saysHandle: boolean,
  body: Body,
  form: ItemForm,
): void {
  const { ends, ordinals } = ownersOf(catalog, handles, form)
  const source = copySourceOf(handles.source)
  let number = 0
  const writeHandle = () => writeSent(handles, handles.firsts[number]!, source, body)
  for (let owner = 0; owner < ordinals.length; owner += 1) {
    while (ends[number]! <= owner) number += 1
    if (owner > 0) body.comma()
    const ordinal = ordinals[owner]!
    const rank = catalog.coreRanks[ordinal]!
    writeItem(catalog, ordinal, rank, body, form, saysHandle ? writeHandle : undefined)
  }
}

/** Writes the top owner of every handle, and which handle that is; `null` where nobody owns it. */
export function writeAlignedMatches(
  catalog: Catalog,
  handles: HandleList,
  body: Body,
  form: ItemForm,
): void {
  const { ends, ordinals } = ownersOf(catalog, handles, form)
  const source = copySourceOf(handles.source)
  let index = 0
  const writeHandle = () => writeSent(handles, index, source, body)
  for (; index < handles.sentCount; index += 1) {
    if (index > 0) body.comma()
    const number = handles.numbers[index]!
    const first = number === 0 ? 0 : ends[number - 1]!
    const ordinal = ordinals[first]!
    if (first === ends[number]) body.text('null')
    else writeItem(catalog, ordinal, catalog.coreRanks[ordinal]!, body, form, writeHandle)
  }
}

/** The owners of handles, and what is to be written of them on its way. */
function ownersOf(catalog: Catalog, handles: HandleList, form: ItemForm): OwnerLists {
  const owners = catalog.batch.ownersOf(handles)
  fetchItems(catalog, owners.ordinals, form)
  return owners
}

/** Reads ahead what `writeItem` writes of some people. */
function fetchItems({ batch }: Catalog, ordinals: ArrayLike<number>, { fields }: ItemForm): void {
  if (fields === undefined) batch.fetchSummaries(ordinals)
}

function writeSent(handles: HandleList, index: number, source: CopySource, body: Body): void {
  const text = handles.sentTexts[index]
  if (text === undefined) {
    body.slice(source, handles.sentStarts[index]!, handles.sentEnds[index]!)
  } else {
    body.text(plainText.test(text) ? text : JSON.stringify(text).slice(1, -1))
  }
}

/** What stands for itself in JSON; most handles are such, and this costs half of making JSON. */
const plainText = /^[\w@.:/-]*$/

/**
 * Writes the owners of handles given by their numbers, below 0 those that nobody has; of several
 * handles, each item says which it answers. `sentOf` tells how each was sent: in characters that stand
 * for themselves in JSON.
 */
export function writeOwners(
  catalog: Catalog,
  handles: readonly number[],
  sentOf: (index: number) => string,
  body: Body,
  form: ItemForm = plainItems,
): void {
  const start = body.length
  for (let index = 0; index < handles.length; index += 1) {
    const handle = handles.length > 1 ? sentOf(index) : undefined
    catalog.forOwners(handles[index]!, (ordinal) =>
      writeOwner(catalog, ordinal, body, start, form, handle),
    )
  }
}

/** An item ranked in its core topic, in a list that began at an offset. */
function writeOwner(
  catalog: Catalog,
  ordinal: number,
  body: Body,
  start: number,
  form: ItemForm,
  handle: string | undefined,
): void {
  if (body.length > start) body.comma()
  writeItem(catalog, ordinal, catalog.coreRanks[ordinal]!, body, form, handle)
}

/** Items with their ranks. */
function writeItems(
  catalog: Catalog,
  ordinals: ArrayLike<number>,
  body: Body,
  ranks: ArrayLike<number>,
  form: ItemForm,
): void {
  fetchItems(catalog, ordinals, form)
  for (let index = 0; index < ordinals.length; index += 1) {
    if (index > 0) body.comma()
    writeItem(catalog, ordinals[index]!, ranks[index]!, body, form)
  }
}

/** A summary or its wanted fields, the handle it answers, and its explanation. */
function writeItem(
  catalog: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
  { fields, explained }: ItemForm,
  handle?: HandleInJson,
): void {
  if (fields === undefined) writeSummary(catalog, ordinal, rank, body)
  else fields.write(catalog, ordinal, rank, body)
  if (handle !== undefined) {
    body.dropLast()
    body.piece(handleBegins)
    if (typeof handle === 'string') body.text(handle)
    else handle()
    body.text('"}')
  }
  if (explained !== undefined) explainItem(catalog, ordinal, body, explained)
}

/** Adds to the item that was written last what its rank is made of. */
function explainItem(catalog: Catalog, ordinal: number, body: Body, explained: Explained): void {
  body.dropLast()
  writeExplanation(catalog, explained(catalog, ordinal), body)
  body.text('}')
}

/** A summary item: the two halves around its rank. */
function writeSummary(
  { summaries, summarySplits }: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
): void {
  const { source } = summaries.pageOf(ordinal)
  const split = summarySplits[ordinal]!
  body.slice(source, summaries.startOf(ordinal), split)
  body.integer(rank)
  body.slice(source, split, summaries.ends[ordinal]!)
}
