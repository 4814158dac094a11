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
  /** When it was asked, by the clock of all threads. */
  readonly askedMs: number
  readonly served: ActiveSnapshot
  /** The parsed query; undefined if the answer is cached. */
  readonly query: ParsedQuery | undefined
  /** The answer, where the same was asked before. */
  readonly cached: CachedAnswer | undefined
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

/**
 * A query on its way through the steps: made once and filled in. A copy for every step would cost 5 % of
 * an answer (measured).
 */
export type QueryInSteps = {
  -readonly [N in keyof AdmittedQuery]: AdmittedQuery[N]
}

/**
 * The query of one request after the other: the one that is over is filled in anew, so that a request leaves 150 bytes
 * less to collect. One that is not given back is the collector's.
 */
export class QueriesInSteps {
  #over: QueryInSteps | undefined

  /** A query that enters the steps; good until it is given back. */
  enter(
    route: RouteName,
    isPosted: boolean,
    served: ActiveSnapshot,
    takenNs: number,
    owner: KeyOwner | undefined,
    rateLimit: RateLimit | undefined,
  ): QueryInSteps {
    const query = this.#over ?? newQuery(route, served)
    this.#over = undefined
    query.route = route
    query.isPosted = isPosted
    query.served = served
    query.takenNs = takenNs
    query.owner = owner
    query.rateLimit = rateLimit
    return query
  }

  /** To be called when a query is over. It is as a new one then: nothing of it, and no snapshot, is kept in memory. */
  giveBack(over: AdmittedQuery): void {
    const query: { -readonly [N in keyof QueryInSteps]: QueryInSteps[N] | undefined } = over
    query.served = undefined
    query.query = undefined
    query.cached = undefined
    query.search = ''
    query.profiles = 0
    query.isMade = false
    query.charge = undefined
    query.isReplay = false
    query.balanceMicroUsd = 0
    query.leftOfCapMicroUsd = undefined
    query.owner = undefined
    this.#over = query as QueryInSteps
  }
}

function newQuery(route: RouteName, served: ActiveSnapshot): QueryInSteps {
  return {
    kind: 'query',
    route,
    isPosted: false,
    askedMs: 0,
    served,
    query: undefined,
    cached: undefined,
    search: '',
    profiles: 0,
    isMade: false,
    charge: undefined,
    isReplay: false,
    balanceMicroUsd: 0,
    leftOfCapMicroUsd: undefined,
    takenNs: 0,
    owner: undefined,
    rateLimit: undefined,
  }
}
