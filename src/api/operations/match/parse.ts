/** A request for the owners of handles: some in a query string, or up to a thousand in a body. */
import * as z from 'zod'
import { type FieldName, holdsProfile } from '../../../request-parameters.ts'
import { readBody, type SentBody } from '../../parameters/body-reader.ts'
import { fastFields, fastHandles, firstEnd } from '../../parameters/fast-parse.ts'
import { HandleList } from '../../parameters/handle-list.ts'
import { distinctHandles, type SentHandle } from '../../parameters/identities.ts'
import { type Explain, shownOf } from '../../parameters/meanings.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { inputs } from '../../schemas/inputs.ts'

/** The members that both forms of the request have. */
interface Asked {
  /** The number of different handles; of a body, of different names and of different texts that are more than names. */
  readonly count: number
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
}

/** The handles of a query string, each different one once. */
export interface MatchQuery extends Asked {
  readonly kind: 'match'
  readonly handles: readonly SentHandle[]
}

/** The handles of a body. */
export interface MatchBatchQuery extends Asked {
  readonly kind: 'match-batch'
  readonly handles: HandleList
  /** Whether every handle that was sent has an item or `null`, in the order of the request. */
  readonly aligned: boolean
}

/** Parses a query string. */
export const parseMatch = queryParser('match', (values): Parsed<MatchQuery> => {
  const handles = distinctHandles(values.handles)
  return { value: { kind: 'match', count: handles.length, handles, ...shownOf(values) } }
})

/** The profiles of the owners of handles, by the rule that a handle has one owner: of more, the price is known once they are. */
export function matchedProfilesMax(query: MatchQuery | MatchBatchQuery): number {
  if (!holdsProfile(query.fields)) return 0
  return query.kind === 'match-batch' && query.aligned ? query.handles.sentCount : query.count
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

/** Parses a body. */
export function parseMatchBody(request: SentBody): Parsed<MatchBatchQuery> {
  const { value: members, problem } = readBody(request, ({ handles }) =>
    handles instanceof HandleList ? listed : inputs.match.post,
  )
  if (problem !== undefined) return { problem }
  const { handles: sent, aligned } = members
  const handles = sent instanceof HandleList ? sent : HandleList.of(sent)!
  const count = handles.textCount
  return { value: { kind: 'match-batch', count, handles, aligned, ...shownOf(members) } }
}
