/** A request for the peers of handles. */
import type { FieldName } from '../../../request-parameters.ts'
import { fastHandles, fastTail, firstEnd } from '../../parameters/fast-parse.ts'
import { distinctHandles, type SentHandle } from '../../parameters/identities.ts'
import { type Explain, limitOf, shownOf } from '../../parameters/meanings.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { type PageQuery, parsePage } from '../lists/page-query.ts'

/** A parsed request for peers. */
export interface PeersQuery {
  readonly kind: 'peers'
  /** The number of handles. */
  readonly count: number
  /** Each different one once. */
  readonly handles: readonly SentHandle[]
  readonly limit: number
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
  /** Undefined if only the first items are wanted, without filters. */
  readonly page: PageQuery | undefined
}

/** Parses a query string. */
export const parsePeers = queryParser('peers', (values, { cursors }): Parsed<PeersQuery> => {
  const handles = distinctHandles(values.handles)
  const identities = handles.map(({ query: { platform, key } }) => [platform, key])
  const { value: page, problem: wrong } = parsePage(['peers', identities], values, cursors)
  if (wrong !== undefined) return { problem: wrong }
  const [count, limit] = [handles.length, limitOf(values.limit)]
  return { value: { kind: 'peers', count, handles, limit, ...shownOf(values), page } }
})

/** Parses different handles of plain characters, and a limit and fields behind them. */
export function fastParsePeers(query: string): PeersQuery | undefined {
  const end = firstEnd(query)
  const handles = fastHandles(query, end)
  const tail = handles && fastTail(query, end)
  if (handles === undefined || tail === undefined) return undefined
  const { limit, fields } = tail
  const count = handles.length
  return { kind: 'peers', count, handles, limit, explain: 'nothing', fields, page: undefined }
}
