/**
 * A request for the order of sources by the authority of their publishers. Each different text is charged, also where
 * several mean one author, because to read one costs up to 10 µs; it is read when the answer is paid for.
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
  readonly #sent: BodyValues<'rank'>['sources']
  readonly #texts: ReadonlySet<string>

  constructor({ sources, ...asked }: BodyValues<'rank'>) {
    this.asked = asked
    this.#sent = sources
    this.#texts = new Set(sources.filter((each) => typeof each === 'string'))
  }

  /** The number of different texts. */
  get count(): number {
    return this.#texts.size
  }

  /** The number of sources as they were sent: of the items of an answer. */
  get sentCount(): number {
    return this.#sent.length
  }

  /** Reads each different text once; returns the sources as they were sent. */
  read(): readonly (SentHandle | WrongSource)[] {
    const read = new Map<string, SentHandle>()
    for (const text of this.#texts) read.set(text, readHandle(text))
    return this.#sent.map((each) => (typeof each === 'string' ? read.get(each)! : each))
  }
}

/** The number of different texts among some sources, which are charged. */
export function countOfSources(sources: readonly (SentHandle | WrongSource)[]): number {
  return new Set(sources.flatMap((each) => ('query' in each ? each.sent : []))).size
}

/** Parses a body. */
export function parseRankBody(request: ApiRequest, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = parseBodyMembers('rank', request, names)
  if (problem !== undefined) return { problem }
  return { value: new RankQuery(members) }
}
