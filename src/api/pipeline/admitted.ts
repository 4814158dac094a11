/** A query on its way through the steps of admission, and as it leaves them: understood, and its price reserved. */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { ReservedCharge } from '../../ledger/live/reservations.ts'
import type { RouteName } from '../../operations.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { KeptAnswer } from '../answer-cache.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { ParsedQuery } from './operation-handler.ts'

/** A query that will be answered, whose price is reserved. */
export interface AdmittedQuery {
  readonly kind: 'query'
  readonly route: RouteName
  /** Whether it was asked by a body. */
  readonly isPosted: boolean
  /** When it was asked, by the clock of all threads. */
  readonly askedMs: number
  readonly served: ActiveSnapshot
  /** The parsed query; undefined if the answer is cached. */
  readonly query: ParsedQuery | undefined
  /** The answer, where the same was asked before. */
  readonly cached: KeptAnswer | undefined
  /** The query string, with the value that stood in the path. */
  readonly search: string
  /** Items with fields of a profile, which are charged, too: the most of them until the items are made. */
  readonly profiles: number
  /** Whether the items were made before the price was reserved. */
  readonly isMade: boolean
  /** Undefined where nothing costs anything. */
  readonly charge: ReservedCharge | undefined
  /** Whether the same was answered before under its `Idempotency-Key`, and paid. */
  readonly isReplay: boolean
  /**
   * The rest of the balance after the reservation. To a key that may not see the account, the rest of its cap;
   * undefined if it has none.
   */
  readonly balanceMicroUsd: number | undefined
  /** The rest of the cap of the key after it; undefined without a cap. */
  readonly leftOfCapMicroUsd: number | undefined
  /** The answer of the limit; 0 without a limit. */
  readonly takenNs: number
  /** The account that pays; undefined where no key is needed. */
  readonly owner: KeyOwner | undefined
  /** The limit that counts the request; undefined where none does, or it was counted before. */
  readonly rateLimit: RateLimit | undefined
}

/** A query on its way through the steps: made once and filled in. */
export type QueryInSteps = {
  -readonly [N in keyof AdmittedQuery]: AdmittedQuery[N]
}
