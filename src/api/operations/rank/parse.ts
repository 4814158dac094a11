/** A request for the order of sources by the authority of their publishers. */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { ApiRequest } from '../../exchange.ts'
import { parseBodyMembers } from '../../parameters/bodies.ts'
import { distinctHandles, type SentHandle } from '../../parameters/identities.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** A parsed request for an order of sources. */
export interface RankQuery {
  readonly kind: 'rank'
  /** The number of different sources. */
  readonly count: number
  /** As they were sent. */
  readonly sources: readonly SentHandle[]
  /** The number of the topic; undefined where none was named. */
  readonly topic: number | undefined
}

/** Parses a body. */
export function parseRankBody(request: ApiRequest, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = parseBodyMembers('rank', request, names)
  if (problem !== undefined) return { problem }
  const { sources, topic } = members
  return { value: { kind: 'rank', count: distinctHandles(sources).length, sources, topic } }
}
