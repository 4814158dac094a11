/**
 * A request for the order of sources by the authority of their publishers. A source is resolved when the
 * answer is paid for: that costs up to 10 µs a source, and a refusal is free.
 */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { ApiRequest } from '../../exchange.ts'
import { type BodyValues, parseBodyMembers, type WrongSource } from '../../parameters/bodies.ts'
import { distinctHandles, readHandles, type SentHandle } from '../../parameters/identities.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** A parsed request for an order of sources. */
export class RankQuery {
  readonly kind = 'rank'
  /** The number of sources as they were sent. To find the different texts among them would cost 2 ns a byte. */
  readonly countMax: number
  /** The other members; the topic is undefined if none was named, `unknownTopic` if the index has no such topic. */
  readonly asked: Omit<BodyValues<'rank'>, 'sources'>
  readonly #sent: BodyValues<'rank'>['sources']
  #sources: readonly (SentHandle | WrongSource)[] | undefined

  constructor({ sources, ...asked }: BodyValues<'rank'>) {
    this.countMax = sources.length
    this.asked = asked
    this.#sent = sources
  }

  /** The sources as they were sent, parsed on the first call. */
  get sources(): readonly (SentHandle | WrongSource)[] {
    this.#sources ??= this.#sent.map((each) =>
      typeof each === 'string' ? readHandles([each])[0]! : each,
    )
    return this.#sources
  }

  /** The number of different sources. */
  get count(): number {
    return countOfSources(this.sources)
  }
}

/** The number of different sources among some, which are charged. */
export function countOfSources(sources: readonly (SentHandle | WrongSource)[]): number {
  return distinctHandles(sources.filter((each) => 'query' in each)).length
}

/** Parses a body. */
export function parseRankBody(request: ApiRequest, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = parseBodyMembers('rank', request, names)
  if (problem !== undefined) return { problem }
  return { value: new RankQuery(members) }
}
