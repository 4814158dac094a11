/** Profiles by SDU, from a query string or a body. An unknown SDU is left out; in an aligned answer it is `null`. */
import { inCoreTopic } from '../../engine/explain/rank-evidence.ts'
import type { FieldName } from '../../request-parameters.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { AnsweredValues } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import { writeFields } from '../items/item-fields.ts'
import { explainItem, itemFormOf } from '../items/write-items.ts'
import { fastFields, firstEnd, valueStart } from '../parameters/fast-parse.ts'
import { type Explain, sduPattern } from '../schemas/values.ts'
import { operation } from './operation.ts'

interface DetailQuery {
  readonly count: number
  /** Each once; in an aligned answer as they were sent. */
  readonly sdus: readonly string[]
  /** Whether every SDU that was sent has an item or `null`, in the order of the request. */
  readonly aligned: boolean
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
}

/** Parses one SDU, and fields behind it. */
export function fastParseDetail(query: string): DetailQuery | undefined {
  const start = valueStart(query, 'sdu')
  if (start < 0) return undefined
  const end = firstEnd(query)
  const sdu = query.slice(start, end)
  const fields = end < query.length ? fastFields(query, end) : undefined
  if (!sduPattern.test(sdu) || (fields === undefined && end < query.length)) return undefined
  return { count: 1, sdus: [sdu], aligned: false, explain: false, fields }
}

/** The ordinal of each SDU; below 0 for an SDU that the snapshot does not have. */
type DetailResult = readonly number[]

export function findDetail({ catalog }: ActiveSnapshot, { sdus }: DetailQuery): DetailResult {
  return sdus.map((sdu) => catalog.findSdu(sdu))
}

/** Counts the SDUs that the first items answer, unknown ones before the next item among them. */
function sdusAnswered(
  { sdus, aligned }: DetailQuery,
  ordinals: DetailResult,
): AnsweredValues | undefined {
  if (sdus.length === 1) return undefined
  if (aligned) return (items) => new Set(sdus.slice(0, items)).size
  return (items) => {
    const places = [...ordinals.keys()].filter((place) => ordinals[place]! >= 0)
    return places[items] ?? sdus.length
  }
}

export function renderDetail(
  { catalog }: ActiveSnapshot,
  query: DetailQuery,
  ordinals: DetailResult,
  body: Body,
): undefined {
  const { identities, rests } = catalog.profiles
  const { fields, explained } = itemFormOf(query, inCoreTopic)
  const start = body.length
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!
    if (ordinal < 0 && !query.aligned) continue
    if (body.length > start) body.comma()
    if (ordinal < 0) {
      body.text('null')
      continue
    }
    if (fields === undefined) {
      body.entry(identities, ordinal)
      body.entry(rests, ordinal)
    } else {
      writeFields(catalog, ordinal, catalog.coreRankOf(ordinal), fields, body)
    }
    if (explained !== undefined) explainItem(catalog, ordinal, body, explained)
  }
}

export const detail = operation('detail', {
  fastParse: fastParseDetail,
  understand: ({ sdus: sent, explain, fields, aligned = false }) => {
    const distinct = [...new Set(sent)]
    const sdus = aligned ? sent : distinct
    return { value: { count: distinct.length, sdus, aligned, explain, fields } }
  },
  find: findDetail,
  render: renderDetail,
  answeredValues: sdusAnswered,
})
