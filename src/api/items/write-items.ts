/** The items of answers: copied from ready-made JSON; only ranks and the handles that were sent are written here. */
import type { Catalog } from '../../engine/catalog.ts'
import type { Explained } from '../../engine/explain/rank-evidence.ts'
import { copyText, pieceOf } from '../../memory/copy-text.ts'
import type { FieldName } from '../../request-parameters.ts'
import type { Explain } from '../schemas/values.ts'
import { type Body, eightBytesOf } from './body.ts'
import { writeExplanation } from './explanations.ts'
import { writeFields } from './item-fields.ts'

export interface ItemForm {
  /** In the order of an answer; undefined for all of the item. */
  readonly fields?: readonly FieldName[] | undefined
  /** The rank that is explained; undefined for none. */
  readonly explained?: Explained | undefined
}

const rankBegins = eightBytesOf(',"rank":')
const rankBytesMax = 24
const handleBegins = pieceOf(',"handle":"')
const handleEnds = pieceOf('"}')

const plainItems: ItemForm = {}

/** @param explained undefined only if the query asks for no explanations of items. */
export function itemFormOf(
  {
    fields,
    explain,
  }: { readonly fields: readonly FieldName[] | undefined; readonly explain: Explain },
  explained: Explained | undefined,
): ItemForm {
  if (fields === undefined && explain !== true) return plainItems
  return { fields, explained: explain === true ? explained : undefined }
}

/** Reads ahead the texts of some people that `writeItem` writes. */
export function fetchItems(catalog: Catalog, ordinals: ArrayLike<number>, form: ItemForm): void {
  if (form.fields === undefined) catalog.fetchSummaries(ordinals)
}

export function writeItems(
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

/** @param handle that the item answers, as it stands between the quotation marks of JSON. */
export function writeItem(
  catalog: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
  { fields, explained }: ItemForm,
  handle?: string,
): void {
  if (fields === undefined) writeSummary(catalog, ordinal, rank, body)
  else writeFields(catalog, ordinal, rank, fields, body)
  if (handle !== undefined) {
    body.dropLast()
    body.piece(handleBegins)
    body.text(handle)
    body.piece(handleEnds)
  }
  if (explained !== undefined) explainItem(catalog, ordinal, body, explained)
}

/** Adds the explanation of its rank to the item that was written last. */
export function explainItem(
  catalog: Catalog,
  ordinal: number,
  body: Body,
  explained: Explained,
): void {
  body.dropLast()
  const { evidence } = catalog
  writeExplanation(catalog, evidence.ofRank(explained(evidence, ordinal), ordinal), body)
  body.text('}')
}

/** Makes room once: five times took 4 % of the time of an answer with ten items (measured). */
function writeSummary(catalog: Catalog, ordinal: number, rank: number, body: Body): void {
  const { identities, countryMembers, topicMembers } = catalog
  const { source } = identities.pageOf(ordinal)
  const [start, end] = [catalog.identityStart(ordinal), catalog.identityEnd(ordinal)]
  const country = catalog.countryNumberOf(ordinal)
  const topic = catalog.coreTopicOf(ordinal)
  const countryStart = countryMembers.startOf(country)
  const countryLength = countryMembers.endOf(country) - countryStart
  const topicStart = topicMembers.startOf(topic)
  const topicLength = topicMembers.endOf(topic) - topicStart
  const identityLength = end - start
  let at = body.makeRoom(identityLength + countryLength + topicLength + rankBytesMax)
  const { data } = body
  copyText(source, start, end, data, at)
  at += identityLength
  data.setFloat64(at, rankBegins, true)
  at = body.wholeAt(at + 8, rank)
  copyText(countryMembers.source, countryStart, countryStart + countryLength, data, at)
  at += countryLength
  copyText(topicMembers.source, topicStart, topicStart + topicLength, data, at)
  body.endAt(at + topicLength)
}
