/** The owners of handles, each ranked in its core topic. An item names its handle if several or a body were sent. */
import type { Catalog, OwnerLists } from '../../engine/catalog.ts'
import { inCoreTopic } from '../../engine/explain/rank-evidence.ts'
import { HandleKeyReader } from '../../engine/handle-keys.ts'
import { type FieldName, holdsProfile } from '../../request-parameters.ts'
import type { HandleQuery } from '../../text/handle.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { AnsweredValues } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import { fetchItems, type ItemForm, itemFormOf, writeItem } from '../items/write-items.ts'
import { fastFields, fastHandle, firstEnd } from '../parameters/fast-parse.ts'
import { distinctHandles, nameIn } from '../parameters/sent-handles.ts'
import type { Explain } from '../schemas/values.ts'
import { operation } from './operation.ts'

export interface MatchQuery {
  /** The number of different handles; of a body, of different names and of different texts that are more than names. */
  readonly count: number
  /** The only handle of a query string, which no item names; undefined for several, and for a body. */
  readonly only: HandleQuery | undefined
  /** The different handles as they were sent first; none beside `only`. */
  readonly handles: readonly string[]
  /** Undefined unless every handle that was sent has an item or `null`, in the order of the request. */
  readonly aligned: AlignedHandles | undefined
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
}

interface AlignedHandles {
  readonly sent: readonly string[]
  /** For each the number of its different handle. */
  readonly numbers: readonly number[]
}

const none: readonly string[] = []

type AskedHandles = Omit<MatchQuery, 'explain' | 'fields'>

function handlesOfQuery(sent: readonly string[]): AskedHandles {
  const distinct = distinctHandles(sent)
  const count = distinct.length
  const only = count === 1 ? distinct[0]!.query : undefined
  const handles = count === 1 ? none : distinct.map((handle) => handle.sent)
  return { count, only, handles, aligned: undefined }
}

/** By the rule that a handle has one owner: of more, the price is known once they are. */
function matchedProfilesMax({ fields, aligned, count }: MatchQuery): number {
  return holdsProfile(fields) ? (aligned?.sent.length ?? count) : 0
}

/** Parses one handle of plain characters, and fields behind it. */
export function fastParseMatch(query: string): MatchQuery | undefined {
  const end = firstEnd(query)
  const only = fastHandle(query, end)
  if (only === undefined) return undefined
  const isEnd = end === query.length
  const fields = isEnd ? undefined : fastFields(query, end)
  if (!isEnd && fields === undefined) return undefined
  return { count: 1, only, handles: none, aligned: undefined, explain: false, fields }
}

/** What is more than a name is the same only as the same text: to read it costs up to 10 µs, which is to be paid before. */
function handlesOfBody(sent: readonly string[], isAligned: boolean): AskedHandles {
  const numberOf = new Map<string, number>()
  const handles: string[] = []
  const numbers = sent.map((handle) => {
    const identity = nameIn(handle) ?? handle
    const known = numberOf.get(identity)
    if (known !== undefined) return known
    numberOf.set(identity, handles.length)
    return handles.push(handle) - 1
  })
  const aligned = isAligned ? { sent, numbers } : undefined
  return { count: handles.length, only: undefined, handles, aligned }
}

/** The owners of the only handle of a query string, or of several handles. */
export type MatchResult = readonly number[] | OwnerLists

export function isOfOne(result: MatchResult): result is readonly number[] {
  return Array.isArray(result)
}

/** Of each handle; those of several handles last until the next. */
export function findMatch({ catalog }: ActiveSnapshot, { only, handles }: MatchQuery): MatchResult {
  if (only !== undefined) return catalog.ownersOf(only)
  const keys = new HandleKeyReader(handles.length, handles.length * bytesAHandle)
  for (const handle of handles) keys.addText(handle)
  return catalog.ownersOfAll(keys)
}

/** More than most handles have. */
const bytesAHandle = 16

/** Counts handles without an owner before the next item, too. The first of several owners answers a handle. */
function handlesAnswered(
  { count, aligned }: MatchQuery,
  result: MatchResult,
): AnsweredValues | undefined {
  if (isOfOne(result)) return undefined
  if (aligned !== undefined) return (items) => new Set(aligned.numbers.slice(0, items)).size
  const starts = result.starts.slice(0, count + 1)
  return (items) => {
    const next = starts.findIndex((start) => start > items)
    if (next < 0) return count
    // Where the last item and the next one are owners of one handle, it is answered.
    return starts[next - 1]! < items ? next : next - 1
  }
}

export function renderMatch(
  { catalog }: ActiveSnapshot,
  query: MatchQuery,
  result: MatchResult,
  body: Body,
): undefined {
  const form = itemFormOf(query, inCoreTopic)
  if (!isOfOne(result)) return renderSeveral(catalog, query, result, body, form)
  for (let owner = 0; owner < result.length; owner += 1) {
    if (owner > 0) body.comma()
    const ordinal = result[owner]!
    writeItem(catalog, ordinal, catalog.coreRankOf(ordinal), body, form)
  }
}

/**
 * Calls `take` with the owners of each handle in turn; aligned with the top owner of every handle that was sent, or
 * undefined for one without.
 */
export function eachOwner(
  { handles, aligned }: MatchQuery,
  { starts, ordinals }: OwnerLists,
  take: (ordinal: number | undefined, handle: string) => void,
): void {
  const shown = aligned?.sent ?? handles
  for (let index = 0; index < shown.length; index += 1) {
    const number = aligned?.numbers[index] ?? index
    const [first, end] = [starts[number]!, starts[number + 1]!]
    const last = aligned === undefined ? end : Math.min(end, first + 1)
    if (aligned !== undefined && first === last) take(undefined, shown[index]!)
    for (let owner = first; owner < last; owner += 1) take(ordinals[owner]!, shown[index]!)
  }
}

function renderSeveral(
  catalog: Catalog,
  query: MatchQuery,
  owners: OwnerLists,
  body: Body,
  form: ItemForm,
): undefined {
  fetchItems(catalog, owners.ordinals, form)
  const start = body.length
  eachOwner(query, owners, (ordinal, handle) => {
    if (body.length > start) body.comma()
    if (ordinal === undefined) body.text('null')
    else writeItem(catalog, ordinal, catalog.coreRankOf(ordinal), body, form, inJson(handle))
  })
}

/** A text that JSON needs not escape. Most handles are such, and this test costs half of making JSON. */
const plainText = /^[\w@.:/-]*$/

function inJson(text: string): string {
  return plainText.test(text) ? text : JSON.stringify(text).slice(1, -1)
}

export const match = operation('match', {
  fastParse: fastParseMatch,
  understand: ({ handles, explain, fields, aligned }) => {
    const asked = aligned === undefined ? handlesOfQuery(handles) : handlesOfBody(handles, aligned)
    return { value: { ...asked, explain, fields } }
  },
  profilesMax: matchedProfilesMax,
  find: findMatch,
  render: renderMatch,
  answeredValues: handlesAnswered,
})
