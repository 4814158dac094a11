/** A query on its way through the steps of admission, and as it leaves them: understood, and its price reserved. */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { ReservedCharge } from '../../ledger/live/reservations.ts'
import type { RouteName } from '../../operations.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { CachedAnswer } from '../answer-cache.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { ParsedQuery } from './operation-handler.ts'

/** A query that will be answered, whose price is reserved. */
export interface AdmittedQuery {
  readonly kind: 'query'
  readonly route: RouteName
  /** Whether it was asked by a body. */
  readonly isPosted: boolean
  readonly served: ActiveSnapshot
  /** What it asks for; undefined where the answer is cached. */
  readonly query: ParsedQuery | undefined
  /** The answer, where the same was asked before. */
  readonly cached: CachedAnswer | undefined
  /** The query string, with the value that stood in the path. */
  readonly search: string
  /** Undefined where nothing costs anything. */
  readonly charge: ReservedCharge | undefined
  /** Whether the same was answered before under its `Idempotency-Key`, and paid. */
  readonly isReplay: boolean
  /** What the reservation has left of the balance. */
  readonly balanceMicroUsd: number
  /** What it has left of the caps of the key; undefined where there is none. */
  readonly leftOfCapsMicroUsd: number | undefined
  /** What the limit has answered; 0 where there is none. */
  readonly takenNs: number
  /** The account that pays; undefined where no key is needed. */
  readonly owner: KeyOwner | undefined
  /** The limit that counts the request; undefined where none does, or it was counted before. */
  readonly rateLimit: RateLimit | undefined
}

/**
 * A query on its way through the steps: made once and filled in. A copy for every step would cost 5 % of
 * an answer (measured).
 */
export type QueryInSteps = {
  -readonly [N in keyof AdmittedQuery]: AdmittedQuery[N]
}
