/**
 * Writes the owners of handles, each ranked in its core topic. An item names the handle that it answers
 * if several were sent, and in every answer to a body.
 */
import type { Catalog } from '../../../engine/catalog.ts'
import { inCoreTopic } from '../../../engine/explain/explained.ts'
import { type CopySource, copySourceOf } from '../../../memory/copy-text.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Body } from '../../items/body.ts'
import {
  fetchItems,
  type HandleInJson,
  type ItemForm,
  itemFormOf,
  writeItem,
} from '../../items/write-items.ts'
import type { HandleList } from '../../parameters/handle-list.ts'
import { isOfOne, type ListedOwners, type MatchResult } from './find.ts'
import type { MatchBatchQuery, MatchQuery } from './parse.ts'

/** Writes the owners. */
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

/** The owners of each different handle. */
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
  { ends, ordinals }: ListedOwners,
  body: Body,
  form: ItemForm,
  handleAt: (number: number) => HandleInJson,
): void {
  let number = 0
  for (let owner = 0; owner < ordinals.length; owner += 1) {
    while (ends[number]! <= owner) number += 1
    if (owner > 0) body.comma()
    const ordinal = ordinals[owner]!
    writeItem(catalog, ordinal, catalog.coreRankOf(ordinal), body, form, handleAt(number))
  }
}

/** The top owner of every handle that was sent, or `null`. */
function renderAligned(
  { catalog }: ActiveSnapshot,
  { handles }: MatchBatchQuery,
  { ends, ordinals }: ListedOwners,
  body: Body,
  form: ItemForm,
): void {
  const source = copySourceOf(handles.source)
  let index = 0
  const writeHandle = () => writeSent(handles, index, source, body)
  for (; index < handles.sentCount; index += 1) {
    if (index > 0) body.comma()
    const number = handles.numbers[index]!
    const first = number === 0 ? 0 : ends[number - 1]!
    const ordinal = ordinals[first]!
    if (first === ends[number]) body.text('null')
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

/** A text as it stands between the quotation marks of JSON. */
function inJson(text: string): string {
  return plainText.test(text) ? text : JSON.stringify(text).slice(1, -1)
}
