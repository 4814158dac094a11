/**
 * A request for the order of sources by the authority of their publishers. Each source is charged, also where several
 * mean one author, because each is read and has its item; they are read when the answer is paid for.
 */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { ApiRequest } from '../../exchange.ts'
import { type BodyValues, parseBodyMembers } from '../../parameters/bodies.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** A parsed request for an order of sources. */
export interface RankQuery {
  readonly kind: 'rank'
  /** The number of sources; an entry that is none costs nothing. */
  readonly count: number
  readonly sources: BodyValues<'rank'>['sources']
  /** The other members; the topic is undefined if none was named, `unknownTopic` if the index has no such topic. */
  readonly asked: Omit<BodyValues<'rank'>, 'sources'>
}

/** Parses a body. */
export function parseRankBody(request: ApiRequest, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = parseBodyMembers('rank', request, names)
  if (problem !== undefined) return { problem }
  const { sources, ...asked } = members
  const count = sources.filter((each) => typeof each === 'string').length
  return { value: { kind: 'rank', count, sources, asked } }
}
