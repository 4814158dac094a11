/** The handler of an operation, all that the pipeline knows of it. Every step is synchronous and changes only the body. */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { AskedQuestion, ReservedCharge } from '../../ledger/live/reservations.ts'
import type { RouteName } from '../../operations.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { CachedAnswer, KeptAnswer, Written } from '../answer-cache.ts'
import type { AnsweredValues, ApiReply, Parsed } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { SentBody } from '../parameters/body-reader.ts'

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
  /** @param sent a query string or a body, as the methods of the operation allow. */
  parse(sent: string | SentBody, served: ActiveSnapshot): Parsed<Q>
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

/** A query on its way through the steps of admission, and as it leaves them: understood, and its price reserved. */
export interface AdmittedQuery {
  readonly kind: 'query'
  readonly route: RouteName
  readonly isPosted: boolean
  /** By the clock of all threads. */
  readonly askedMs: number
  readonly served: ActiveSnapshot
  /** Undefined if the answer is cached. */
  query: ParsedQuery | undefined
  cached: KeptAnswer | undefined
  /** The query string, with the value that stood in the path. */
  search: string
  /** Items with fields of a profile, which are charged, too: the most of them until the items are made. */
  profiles: number
  /** What was paid of the same before, under its `Idempotency-Key` or because the answer was lost. */
  asked: AskedQuestion | undefined
  /** Undefined where nothing costs anything. */
  charge: ReservedCharge | undefined
  /** What stands around the items; undefined for the usual. */
  written: Written | undefined
  /** Counts what is answered by what is taken of the answer. */
  answeredValues: ApiReply['answeredValues']
  /** The rest of the balance; of the cap if the key may not see the account, undefined if it has none. */
  balanceMicroUsd: number | undefined
  /** Undefined without a cap. */
  leftOfCapMicroUsd: number | undefined
  /** 0 without a limit. */
  readonly takenNs: number
  /** Undefined where no key is needed. */
  readonly owner: KeyOwner | undefined
  /** The limit that counts the request; undefined where none does, or it was counted before. */
  readonly rateLimit: RateLimit | undefined
}
