/**
 * A request for the order of sources by the authority of their publishers. Each source is charged, also where several
 * mean one author, because each is read and has its item; they are read when the answer is paid for.
 */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { ApiRequest } from '../../exchange.ts'
import { type BodyValues, parseBodyMembers, type WrongSource } from '../../parameters/bodies.ts'
import { readHandle, type SentHandle } from '../../parameters/identities.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** A parsed request for an order of sources. */
export class RankQuery {
  readonly kind = 'rank'
  /** The other members; the topic is undefined if none was named, `unknownTopic` if the index has no such topic. */
  readonly asked: Omit<BodyValues<'rank'>, 'sources'>
  /** The number of sources; an entry that is none costs nothing. */
  readonly count: number
  readonly #sent: BodyValues<'rank'>['sources']

  constructor({ sources, ...asked }: BodyValues<'rank'>) {
    this.asked = asked
    this.count = sources.filter((each) => typeof each === 'string').length
    this.#sent = sources
  }

  /** Reads the sources as they were sent. */
  read(): readonly (SentHandle | WrongSource)[] {
    return this.#sent.map((each) => (typeof each === 'string' ? readHandle(each) : each))
  }
}

/** The number of sources among entries. */
export function countOfSources(entries: readonly (SentHandle | WrongSource)[]): number {
  return entries.filter((each) => 'query' in each).length
}

/** Parses a body. */
export function parseRankBody(request: ApiRequest, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = parseBodyMembers('rank', request, names)
  if (problem !== undefined) return { problem }
  return { value: new RankQuery(members) }
}
