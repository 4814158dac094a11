/**
 * The handler of an operation, as the pipeline needs it: how its requests are parsed, found and rendered. The pipeline
 * knows operations by this interface only. Every step is synchronous and changes nothing but the body.
 */

import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { CachedAnswer, Written } from '../answer-cache.ts'
import type { ApiRequest } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import type { Parsed } from '../parameters/pairs.ts'

/** A request that was understood: a plain value, which depends on no later request. */
export interface ParsedQuery {
  /** Tells the queries of all operations apart. */
  readonly kind: string
  /** How many queries it is charged as: one, or one for each value. */
  readonly count: number
  /**
   * Where counting costs more than a refusal may: the most that the count can be, which is reserved before
   * anything is counted.
   */
  readonly countMax?: number
}

/** The steps of one operation. */
export interface OperationHandler<Q extends ParsedQuery = ParsedQuery, R = unknown> {
  /** Whether answers to GETs are cached by their query strings; `render` then returns what to cache. */
  readonly isCached?: boolean
  /** Parses a query string in its most frequent spellings; undefined for any other. Gives what `parse` gives. */
  fastParse?(query: string): Q | undefined
  /** Parses any query string, or says what is wrong with it. Absent where no GET asks the operation. */
  parse?(query: string, served: ActiveSnapshot): Parsed<Q>
  /** Parses the body of a POST. Absent where no POST asks the operation. */
  parseBody?(request: ApiRequest, served: ActiveSnapshot): Parsed<Q>
  /** Finds what the answer shows: ordinals, ranks, counts. */
  find(served: ActiveSnapshot, query: Q): R
  /** Writes the items, with commas between them; returns what the answer says besides them. */
  render(
    served: ActiveSnapshot,
    query: Q,
    result: R,
    body: Body,
  ): Written | CachedAnswer | undefined
}
