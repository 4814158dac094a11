/** A request for profiles by SDU, in a query string or in a body. */
import { limits } from '../../../limits.ts'
import type { FieldName } from '../../../request-parameters.ts'
import { readBody, type SentBody } from '../../parameters/body-reader.ts'
import { fastFields, valueStart } from '../../parameters/fast-parse.ts'
import { type Explain, shownOf } from '../../parameters/meanings.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { inputs } from '../../schemas/inputs.ts'

/** A parsed request for profiles. */
export interface DetailQuery {
  readonly kind: 'detail'
  /** The number of different SDUs. */
  readonly count: number
  /** Each once; in an aligned answer as they were sent. */
  readonly sdus: readonly string[]
  /** Whether every SDU that was sent has an item or `null`, in the order of the request. */
  readonly aligned: boolean
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
}

/** Parses a query string. */
export const parseDetail = queryParser('detail', (values): Parsed<DetailQuery> => {
  const sdus = [...new Set(values.sdus)]
  return { value: { kind: 'detail', count: sdus.length, sdus, aligned: false, ...shownOf(values) } }
})

/** Parses a body. */
export function parseDetailBody(request: SentBody): Parsed<DetailQuery> {
  const { value: members, problem } = readBody(request, () => inputs.detail.post)
  if (problem !== undefined) return { problem }
  const { sdus: sent, aligned } = members
  const distinct = [...new Set(sent)]
  const sdus = aligned ? sent : distinct
  return { value: { kind: 'detail', count: distinct.length, sdus, aligned, ...shownOf(members) } }
}

const zero = 48
const comma = 44
const ampersand = 38
/** Maximum number of values; requests with more are left to `parse`. */
const valuesMax = 16

/** Parses different SDUs with commas between them, and fields behind them. */
export function fastParseDetail(query: string): DetailQuery | undefined {
  let start = valueStart(query, 'sdu')
  if (start < 0) return undefined
  let sdus: string[] | undefined
  let index = start
  for (; index <= query.length; index += 1) {
    const unit = index < query.length ? query.charCodeAt(index) : comma
    if (unit >= zero && unit <= zero + 9) continue
    const digits = index - start
    const isEnd = unit === comma || unit === ampersand
    if (!isEnd || digits === 0 || digits > limits.sduDigitsMax) return undefined
    const sdu = query.slice(start, index)
    // An empty array that grows has room for 17: most requests have one SDU.
    if (sdus === undefined) sdus = [sdu]
    else if (sdus.length === valuesMax || sdus.includes(sdu)) return undefined
    else sdus.push(sdu)
    if (unit === ampersand) break
    start = index + 1
  }
  const fields = index < query.length ? fastFields(query, index) : undefined
  if (sdus === undefined || (fields === undefined && index < query.length)) return undefined
  return { kind: 'detail', count: sdus.length, sdus, aligned: false, explain: 'nothing', fields }
}
