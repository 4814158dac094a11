/** A query on its way through the steps of admission, and as it leaves them: understood, and its price reserved. */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { ReservedCharge } from '../../ledger/live/reservations.ts'
import type { RouteName } from '../../operations.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { KeptAnswer } from '../answer-cache.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { ParsedQuery } from './operation-handler.ts'

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
  /** Whether the items were made before the price was reserved. */
  isMade: boolean
  /** Undefined where nothing costs anything. */
  charge: ReservedCharge | undefined
  /** Whether the same was answered before under its `Idempotency-Key`, and paid. */
  isReplay: boolean
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
