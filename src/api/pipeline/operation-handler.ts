/** The handler of an operation, all that the pipeline knows of it. Every step is synchronous and changes only the body. */
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { CachedAnswer, Written } from '../answer-cache.ts'
import type { AnsweredValues } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import type { SentBody } from '../parameters/body-reader.ts'
import type { Parsed } from '../parameters/pairs.ts'

/** A request that was understood: a plain value, which depends on no later request. */
export type ParsedQuery = object & {
  /** Number of queries that are charged, where each value is one; else the request is one. */
  readonly count?: number
}

export interface OperationHandler<Q extends ParsedQuery = ParsedQuery, R = unknown> {
  /** By query strings of GETs; `render` then returns what to cache. */
  readonly isCached?: boolean
  /** The most frequent spellings; undefined for any other. Gives what `parse` gives. */
  fastParse?(query: string): Q | undefined
  /** Absent if the operation has no GET. */
  parse?(query: string, served: ActiveSnapshot): Parsed<Q>
  /** Absent if the operation has no POST. */
  parseBody?(request: SentBody, served: ActiveSnapshot): Parsed<Q>
  /** The most items with fields of a profile, each sold as a query of detail beside the query. Absent if none is. */
  profilesMax?(query: Q): number
  /** Ordinals, ranks, counts. */
  find(served: ActiveSnapshot, query: Q): R
  /** Writes the items, with commas between them; returns the other parts of the answer. */
  render(
    served: ActiveSnapshot,
    query: Q,
    result: R,
    body: Body,
  ): Written | CachedAnswer | undefined
  /**
   * Counts the values that the first items answer, where a connection did not take them all. A value without an item counts
   * as soon as the next item may begin. Undefined where one item pays for all values. It outlives query and result.
   */
  answeredValues?(query: Q, result: R): AnsweredValues | undefined
}
