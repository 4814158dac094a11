/**
 * The same answers three ways, each to a known key only, so that what charging costs is the
 * difference between two of them: free; charged, but silent about it; charged, as it is served. Once
 * by the API, once by the hot path. For requests that are answered with 200 and cost one query.
 */
import { randomFillSync } from 'node:crypto'
import { Api, type ApiContext, type ApiReply, type ApiRequest } from '../src/api/api.ts'
import { HotRoute } from '../src/api/fast/hot-path.ts'
import { RequestIds } from '../src/api/request-ids.ts'
import { type Route, routeOf } from '../src/api/routes.ts'
import type { Served } from '../src/api/served.ts'
import { Balances, createSharedBalances } from '../src/ledger/live/balances.ts'
import { type KeyOwner, Keyring } from '../src/ledger/live/keyring.ts'
import { type Charge, type Reservation, Reservations } from '../src/ledger/live/reservations.ts'
import type { RouteName } from '../src/operations.ts'

/** The three ways; `silent` lacks the headers X-Cost-Usd and X-Balance-Usd. */
export const manners = ['free', 'silent', 'charged'] as const

/** One of the three ways. */
export type Manner = (typeof manners)[number]

/** The API over something served, in one of the three ways. */
export function apiOf(manner: Manner, served: Served, till: Reservations): Api {
  const context: ApiContext = {
    ...contextOf(served),
    onError: (error) => {
      throw error
    },
  }
  if (manner === 'free') return new FreeApi(context, till)
  if (manner === 'silent') return new SilentApi(context, till)
  return new Api({ ...context, till })
}

/** The hot path of a route over something served, in one of the three ways. */
export function hotRouteOf(
  manner: Manner,
  route: Route,
  served: Served,
  till: Reservations,
): HotRoute {
  const context = contextOf(served)
  if (manner === 'free') return new SilentHotRoute(route, { ...context, till: new FreeTill(till) })
  if (manner === 'silent') return new SilentHotRoute(route, { ...context, till })
  return new HotRoute(route, { ...context, till })
}

function contextOf(served: Served) {
  const ids = new RequestIds(randomFillSync)
  return {
    served: () => served,
    clock: () => performance.now(),
    ids,
    requestId: () => ids.nextText(),
  }
}

/** Looks the key up as the API does, around an API that knows nothing of it. */
class FreeApi extends Api {
  readonly #till: Reservations

  constructor(context: ApiContext, till: Reservations) {
    super(context)
    this.#till = till
  }

  override answer(request: ApiRequest): ApiReply {
    const owner = this.#till.ownerOf(request.authorization ?? '')
    if (owner === undefined) throw new Error('a request without owner')
    return super.answer(request)
  }
}

/** Takes the money in the same steps as the API does, around an API that knows nothing of it. */
class SilentApi extends Api {
  readonly #till: Reservations
  #charge: Charge | undefined

  constructor(context: ApiContext, till: Reservations) {
    super(context)
    this.#till = till
  }

  override answer(request: ApiRequest): ApiReply {
    const owner = this.#till.ownerOf(request.authorization ?? '')
    const route = routeOf(request.path)
    if (owner === undefined || route === undefined) throw new Error('a request without owner')
    this.#charge = this.#till.reserve(owner, route.name, 1).charge
    if (this.#charge === undefined) throw new Error('a request that cannot be paid')
    return super.answer(request)
  }

  override written(): void {
    this.#till.record(this.#charge!)
  }
}

/** Leaves the two header lines about money, which are the last, off the wire. */
class SilentHotRoute extends HotRoute {
  #head: Uint8Array | undefined

  override answer(query: string, authorization: string): boolean {
    if (!super.answer(query, authorization)) return false
    // The lines stand in one buffer that is written again and again; what precedes these never moves.
    this.#head ??= this.head.subarray(0, Buffer.from(this.head).indexOf('\r\nX-Cost-Usd: '))
    this.head = this.#head
    return true
  }
}

/** Lets in whom other reservations let in, and takes nothing. */
class FreeTill extends Reservations {
  readonly #door: Reservations

  constructor(door: Reservations) {
    const prices = { search: 0, detail: 0, peers: 0, match: 0 }
    super(new Keyring(Date.now), new Balances(createSharedBalances()), prices)
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
