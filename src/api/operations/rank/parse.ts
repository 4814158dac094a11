/**
 * A request for the order of sources by the authority of their publishers. What a source means is found when
 * the answer is paid for: that costs up to 10 µs a source, and a refusal is free.
 */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { ApiRequest } from '../../exchange.ts'
import { parseBodyMembers } from '../../parameters/bodies.ts'
import { distinctHandles, readHandles, type SentHandle } from '../../parameters/identities.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** A parsed request for an order of sources. */
export class RankQuery {
  readonly kind = 'rank'
  /** The number of sources as they were sent. To find the different texts among them would cost 2 ns a byte. */
  readonly countMax: number
  /** The number of the topic; undefined where none was named. */
  readonly topic: number | undefined
  readonly #sent: readonly string[]
  #sources: readonly SentHandle[] | undefined

  constructor(sent: readonly string[], topic: number | undefined) {
    this.countMax = sent.length
    this.topic = topic
    this.#sent = sent
  }

  /** As they were sent. */
  get sources(): readonly SentHandle[] {
    this.#sources ??= readHandles(this.#sent)
    return this.#sources
  }

  /** The number of different sources. */
  get count(): number {
    return distinctHandles(this.sources).length
  }
}

/** Parses a body. */
export function parseRankBody(request: ApiRequest, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = parseBodyMembers('rank', request, names)
  if (problem !== undefined) return { problem }
  const { sources, topic } = members
  return { value: new RankQuery(sources, topic) }
}
