/** The owners of handles, each ranked in its core topic. An item names its handle if several or a body were sent. */
import * as z from 'zod'
import type { OwnerLists } from '../../engine/batch.ts'
import type { Catalog } from '../../engine/catalog.ts'
import { inCoreTopic } from '../../engine/explain/explained.ts'
import { limits } from '../../limits.ts'
import { type CopySource, copySourceOf } from '../../memory/copy-text.ts'
import { type FieldName, holdsProfile } from '../../request-parameters.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { AnsweredValues } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import {
  fetchItems,
  type HandleInJson,
  type ItemForm,
  itemFormOf,
  writeItem,
} from '../items/write-items.ts'
import { readBody, type SentBody } from '../parameters/body-reader.ts'
import { fastFields, fastHandles, firstEnd } from '../parameters/fast-parse.ts'
import { HandleList } from '../parameters/handle-list.ts'
import {
  distinctHandles,
  type Explain,
  readHandle,
  type SentHandle,
  shownOf,
} from '../parameters/meanings.ts'
import type { Parsed } from '../parameters/pairs.ts'
import { queryParser } from '../parameters/query-reader.ts'
import type { OperationHandler } from '../pipeline/operation-handler.ts'
import { inputs } from '../schemas/inputs.ts'

interface Asked {
  /** The number of different handles; of a body, of different names and of different texts that are more than names. */
  readonly count: number
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
}

export interface MatchQuery extends Asked {
  readonly kind: 'match'
  readonly handles: readonly SentHandle[]
}

export interface MatchBatchQuery extends Asked {
  readonly kind: 'match-batch'
  readonly handles: HandleList
  /** Whether every handle that was sent has an item or `null`, in the order of the request. */
  readonly aligned: boolean
}

const parseMatch = queryParser('match', (values): Parsed<MatchQuery> => {
  const handles = distinctHandles(values.handles)
  return { value: { kind: 'match', count: handles.length, handles, ...shownOf(values) } }
})

/** By the rule that a handle has one owner: of more, the price is known once they are. */
function matchedProfilesMax(query: MatchQuery | MatchBatchQuery): number {
  if (!holdsProfile(query.fields)) return 0
  return query.kind === 'match-batch' && query.aligned ? query.handles.sentCount : query.count
}

/** The query of one handle, as a query string gives it; undefined for a text that is refused there. */
export function matchOfOne(handle: string): MatchQuery | undefined {
  const sent = handle.trim()
  if (sent === '' || sent.length > limits.handleCharactersMax || /\p{Surrogate}/u.test(sent))
    return undefined
  const handles = [readHandle(sent)]
  return { kind: 'match', count: 1, handles, explain: 'nothing', fields: undefined }
}

/** Parses different handles of plain characters, and fields behind them. */
export function fastParseMatch(query: string): MatchQuery | undefined {
  const end = firstEnd(query)
  const handles = fastHandles(query, end)
  if (handles === undefined) return undefined
  const isEnd = end === query.length
  const fields = isEnd ? undefined : fastFields(query, end)
  if (!isEnd && fields === undefined) return undefined
  const count = handles.length
  return { kind: 'match', count, handles, explain: 'nothing', fields }
}

const listed = inputs.match.post.extend({
  handles: z.custom<HandleList>((given) => given instanceof HandleList),
})

function parseMatchBody(request: SentBody): Parsed<MatchBatchQuery> {
  const { value: members, problem } = readBody(request, ({ handles }) =>
    handles instanceof HandleList ? listed : inputs.match.post,
  )
  if (problem !== undefined) return { problem }
  const { handles: sent, aligned } = members
  const handles = sent instanceof HandleList ? sent : HandleList.of(sent)!
  const count = handles.textCount
  return { value: { kind: 'match-batch', count, handles, aligned, ...shownOf(members) } }
}

/** Owners of several handles: those of handle i are `ordinals` from `starts[i]` to `starts[i + 1]`. */
export type ListedOwners =
  | OwnerLists
  | { readonly starts: readonly number[]; readonly ordinals: readonly number[] }

/** The owners of the only handle of a query string, or of several handles. */
export type MatchResult = readonly number[] | ListedOwners

export function isOfOne(result: MatchResult): result is readonly number[] {
  return Array.isArray(result)
}

/** The owners of each different handle; those of a batch last until the next. */
export function findMatch(
  { catalog }: ActiveSnapshot,
  query: MatchQuery | MatchBatchQuery,
): MatchResult {
  if (query.kind === 'match-batch') return catalog.batch.ownersOf(query.handles.read())
  const [first, second] = query.handles
  if (second === undefined) return catalog.ownersOf(first!.query)
  const starts = [0]
  const ordinals: number[] = []
  for (const handle of query.handles) {
    for (const ordinal of catalog.ownersOf(handle.query)) ordinals.push(ordinal)
    starts.push(ordinals.length)
  }
  return { starts, ordinals }
}

/** Counts handles without an owner before the next item, too. The first of several owners answers a handle. */
function handlesAnswered(
  query: MatchQuery | MatchBatchQuery,
  result: MatchResult,
): AnsweredValues | undefined {
  if (isOfOne(result)) return undefined
  const { count } = query
  if (query.kind === 'match-batch' && query.aligned) {
    const { numbers } = query.handles
    return (items) => new Set(numbers.subarray(0, items)).size
  }
  const starts = result.starts.slice(0, count + 1)
  return (items) => {
    const next = starts.findIndex((start) => start > items)
    if (next < 0) return count
    // Where the last item and the next one are owners of one handle, it is answered.
    return starts[next - 1]! < items ? next : next - 1
  }
}

export function renderMatch(
  served: ActiveSnapshot,
  query: MatchQuery | MatchBatchQuery,
  result: MatchResult,
  body: Body,
): undefined {
  const { catalog } = served
  const form = itemFormOf(query, inCoreTopic)
  if (isOfOne(result)) renderOne(served, result, body, form)
  else if (query.kind === 'match') renderFew(served, query, result, body, form)
  else {
    fetchItems(catalog, result.ordinals, form)
    if (query.aligned) renderAligned(served, query, result, body, form)
    else renderBatch(served, query, result, body, form)
  }
}

/** The owners of the only handle, which no item names. */
function renderOne(
  { catalog }: ActiveSnapshot,
  owners: readonly number[],
  body: Body,
  form: ItemForm,
): void {
  for (let owner = 0; owner < owners.length; owner += 1) {
    if (owner > 0) body.comma()
    const ordinal = owners[owner]!
    writeItem(catalog, ordinal, catalog.coreRankOf(ordinal), body, form)
  }
}

function renderFew(
  { catalog }: ActiveSnapshot,
  { handles }: MatchQuery,
  result: ListedOwners,
  body: Body,
  form: ItemForm,
): void {
  writeOwners(catalog, result, body, form, (number) => inJson(handles[number]!.sent))
}

function renderBatch(
  { catalog }: ActiveSnapshot,
  { handles }: MatchBatchQuery,
  result: ListedOwners,
  body: Body,
  form: ItemForm,
): void {
  const source = copySourceOf(handles.source)
  let current = 0
  const writeHandle = () => writeSent(handles, handles.firsts[current]!, source, body)
  writeOwners(catalog, result, body, form, (number) => {
    current = number
    return writeHandle
  })
}

/** Writes owners. @param handleAt gives the handle to write into an item, by the number of the handle. */
function writeOwners(
  catalog: Catalog,
  { starts, ordinals }: ListedOwners,
  body: Body,
  form: ItemForm,
  handleAt: (number: number) => HandleInJson,
): void {
  let number = 0
  for (let owner = 0; owner < ordinals.length; owner += 1) {
    while (starts[number + 1]! <= owner) number += 1
    if (owner > 0) body.comma()
    const ordinal = ordinals[owner]!
    writeItem(catalog, ordinal, catalog.coreRankOf(ordinal), body, form, handleAt(number))
  }
}

/** The top owner of every handle that was sent, or `null`. */
function renderAligned(
  { catalog }: ActiveSnapshot,
  { handles }: MatchBatchQuery,
  { starts, ordinals }: ListedOwners,
  body: Body,
  form: ItemForm,
): void {
  const source = copySourceOf(handles.source)
  let index = 0
  const writeHandle = () => writeSent(handles, index, source, body)
  for (; index < handles.sentCount; index += 1) {
    if (index > 0) body.comma()
    const number = handles.numbers[index]!
    const first = starts[number]!
    const ordinal = ordinals[first]!
    if (first === starts[number + 1]) body.text('null')
    else writeItem(catalog, ordinal, catalog.coreRankOf(ordinal), body, form, writeHandle)
  }
}

function writeSent(handles: HandleList, index: number, source: CopySource, body: Body): void {
  const text = handles.sentTexts[index]
  if (text === undefined) {
    body.slice(source, handles.sentStarts[index]!, handles.sentEnds[index]!)
  } else {
    body.text(inJson(text))
  }
}

/** A text that JSON needs not escape. Most handles are such, and this test costs half of making JSON. */
const plainText = /^[\w@.:/-]*$/

function inJson(text: string): string {
  return plainText.test(text) ? text : JSON.stringify(text).slice(1, -1)
}

export const match: OperationHandler<MatchQuery | MatchBatchQuery, MatchResult> = {
  fastParse: fastParseMatch,
  parse: parseMatch,
  parseBody: parseMatchBody,
  profilesMax: matchedProfilesMax,
  find: findMatch,
  render: renderMatch,
  answeredValues: handlesAnswered,
}
