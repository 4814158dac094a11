/**
 * The handler of an operation, as the pipeline needs it: it parses requests, finds results and renders them. The
 * pipeline knows operations by this interface only. Every step is synchronous and changes nothing but the body.
 */

import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { CachedAnswer, Written } from '../answer-cache.ts'
import type { AnsweredValues } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import type { SentBody } from '../parameters/body-reader.ts'
import type { Parsed } from '../parameters/pairs.ts'

/** A request that was understood: a plain value, which depends on no later request. */
export interface ParsedQuery {
  /** Tells the queries of all operations apart. */
  readonly kind: string
  /** Number of queries that are charged: one, or one for each value. */
  readonly count: number
}

/** The steps of one operation. */
export interface OperationHandler<Q extends ParsedQuery = ParsedQuery, R = unknown> {
  /** Whether answers to GETs are cached by their query strings; `render` then returns what to cache. */
  readonly isCached?: boolean
  /** Parses a query string in its most frequent spellings; undefined for any other. Gives what `parse` gives. */
  fastParse?(query: string): Q | undefined
  /** Parses any query string, or reports its problem. Absent if the operation has no GET. */
  parse?(query: string, served: ActiveSnapshot): Parsed<Q>
  /** Parses the body of a POST. Absent if the operation has no POST. */
  parseBody?(request: SentBody, served: ActiveSnapshot): Parsed<Q>
  /**
   * The most items with fields of a profile that an answer has: each is sold as a query of detail beside the query.
   * Absent if the operation sells none.
   */
  profilesMax?(query: Q): number
  /** Finds the result to show: ordinals, ranks, counts. */
  find(served: ActiveSnapshot, query: Q): R
  /** Writes the items, with commas between them; returns the parts of the answer besides them. */
  render(
    served: ActiveSnapshot,
    query: Q,
    result: R,
    body: Body,
  ): Written | CachedAnswer | undefined
  /**
   * Makes the count of the values that the first items answer, of an answer whose connection did not take it at once. A
   * value without an item counts as soon as the next item may begin. Absent, or undefined, where all items answer
   * all values: then one item pays for all. What it counts by lasts longer than the query and the result.
   */
  answeredValues?(query: Q, result: R): AnsweredValues | undefined
}
