/**
 * The same answers three ways, each to a known key only, so that what charging costs is the
 * difference between two of them: free; charged, but silent about it; charged, as it is served. For
 * requests that are answered with 200.
 */
import { randomFillSync } from 'node:crypto'
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { Api, type ApiContext } from '../../src/api/api.ts'
import type { ApiReply, ApiRequest } from '../../src/api/exchange.ts'
import { RequestIds } from '../../src/api/pipeline/request-ids.ts'
import { createSharedBalances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import { type KeyOwner, Keyring } from '../../src/ledger/live/keyring.ts'
import { type Reservation, Reservations } from '../../src/ledger/live/reservations.ts'
import { byRoute, type RouteName } from '../../src/operations.ts'

/** The three ways; `silent` lacks the headers X-Cost-Usd and X-Balance-Usd. */
export const manners = ['free', 'silent', 'charged'] as const

/** One of the three ways. */
export type Manner = (typeof manners)[number]

/** The API over something served, in one of the three ways. */
export function apiOf(manner: Manner, served: ActiveSnapshot, reservations: Reservations): Api {
  const context: ApiContext = {
    served: () => served,
    reservations: manner === 'free' ? new FreeReservations(reservations) : reservations,
    clock: () => performance.now(),
    ids: new RequestIds(randomFillSync),
    onError: (error) => {
      throw error
    },
  }
  return manner === 'charged' ? new Api(context) : new SilentApi(context)
}

/** Leaves the two header lines about money, which are the last, off the wire. */
class SilentApi extends Api {
  #head: Uint8Array | undefined

  override answer(request: ApiRequest): ApiReply {
    const reply = super.answer(request)
    if (reply.head === undefined) return reply
    // The lines stand in one buffer that is written again and again; what precedes these never moves.
    this.#head ??= reply.head.subarray(0, Buffer.from(reply.head).indexOf('\r\nX-Cost-Usd: '))
    return { ...reply, head: this.#head }
  }
}

/** Lets in whom others let in, and takes nothing. */
class FreeReservations extends Reservations {
  readonly #door: Reservations

  constructor(door: Reservations) {
    super(
      new Keyring(Date.now),
      new ThreadBalances(createSharedBalances(1), 0),
      byRoute(() => 0),
    )
    this.#door = door
  }

  override ownerOf(authorization: string): KeyOwner | undefined {
    return this.#door.ownerOf(authorization)
  }

  override reserve(owner: KeyOwner, route: RouteName, queries: number): Reservation {
    return {
      charge: { slot: owner.accountSlot, route, queries, costMicroUsd: 0 },
      leftMicroUsd: 0,
    }
  }

  override record(): void {}
}
