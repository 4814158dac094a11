/**
 * Admission: what becomes of a request before anything is written. Each step can refuse it, and the
 * money comes last, so that nothing is reserved for a request that another step refuses:
 *
 *   operation → 404, 405 · key → 401, 429 of the address · snapshot → 503 · parameters and limit
 *   → 429, 400 · ETag → 304 · price and reservation → 402, 503
 */
import type { KeyOwner } from '../ledger/live/keyring.ts'
import type { Charge, Reservations, Unpaid } from '../ledger/live/reservations.ts'
import { limits } from '../limits.ts'
import { formatUsd, usdNumber } from '../money.ts'
import type { OpenOperation } from '../operation.ts'
import { operationAt, queryWithPath } from '../operation-paths.ts'
import {
  byRoute,
  isAnswered,
  isRoute,
  type OpenOperationName,
  type OperationName,
  operations,
  type PostRouteName,
  type RouteName,
} from '../operations.ts'
import type { ApiRequest, CountedRefusal, HeaderPairs } from './exchange.ts'
import {
  type FailedKeyLimit,
  limitOf,
  type RateLimit,
  type RateLimits,
  retrySeconds,
  type ScrapeLimit,
} from './limits/rate-limit.ts'
import type { OpenFacts } from './open-replies.ts'
import type { Ask } from './read/asks.ts'
import { readBodyAsk } from './read/body-asks.ts'
import { HandleList } from './read/handle-list.ts'
import { type RouteReader, routeReaders } from './read/readers.ts'
import { type Refusal, refusalForNow } from './refusals.ts'
import type { Served } from './served.ts'
import { etagMatches, etagOf, hashPath } from './write/etag.ts'
import { ownCache } from './write/response-headers.ts'

/** What admission depends on. */
export interface AdmissionContext extends RateLimits {
  /** What is served at the moment; undefined when there is no snapshot yet. */
  readonly served: () => Served | undefined
  /** Who pays, and what; without them, requests need no key and cost nothing. */
  readonly reservations?: Reservations
  /** What operations that need no key reply with; without it, there are none. */
  readonly open?: OpenFacts
  /** The operations that are answered; undefined for all. Any other has no path. */
  readonly answers?: ReadonlySet<OperationName> | undefined
  /** How often an address may come without a valid key; undefined where there is no limit. */
  readonly failedKeys?: FailedKeyLimit | undefined
  /** How often an address may ask for what is limited without a key; undefined where there is no limit. */
  readonly scrapes?: ScrapeLimit | undefined
  /** Called for each refusal that is counted apart. */
  readonly onRefusal?: ((refusal: CountedRefusal) => void) | undefined
}

/** A query that will be answered: what it asks for, whose price is reserved. */
export interface AdmittedQuery {
  readonly kind: 'query'
  readonly route: RouteName
  /** Whether it was asked by a body. */
  readonly isPosted: boolean
  readonly served: Served
  readonly ask: Ask
  /** The query string, with the value that stood in the path. */
  readonly query: string
  /** Undefined where nothing costs anything. */
  readonly charge: Charge | undefined
  /** What the reservation has left of the balance. */
  readonly balanceMicroUsd: number
  /** What the limit has answered; 0 where there is none. */
  readonly takenNs: number
}

/** A query that was understood, and becomes an admitted one when it is paid for. */
interface UnderstoodQuery extends AdmittedQuery {
  charge: Charge | undefined
  balanceMicroUsd: number
}

/** What requests of a route are read and limited by. */
interface RouteTerms {
  /** Undefined where no GET asks it. */
  readonly reader: RouteReader | undefined
  readonly rateLimit: RateLimit | undefined
}

/** What became of messages at the door: refused, or counted for an account. */
export type Entry =
  | { readonly refusal: Refusal }
  | {
      readonly refusal?: undefined
      /** Undefined where no key is needed. */
      readonly account: number | undefined
      /** What the limit has answered; 0 where there is none. */
      readonly takenNs: number
    }

/** What became of a request. */
export type Admission =
  | AdmittedQuery
  | { readonly kind: 'open'; readonly operation: OpenOperationName; readonly facts: OpenFacts }
  | { readonly kind: 'not-modified'; readonly headers: HeaderPairs }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export class RequestAdmission {
  readonly #context: AdmissionContext
  readonly #terms: Readonly<Record<RouteName, RouteTerms>>
  /** The handles of the body that was read last. */
  readonly #handles = new HandleList(limits.batchValuesMax)

  constructor(context: AdmissionContext) {
    this.#context = context
    const readers: Readonly<Partial<Record<RouteName, RouteReader>>> = routeReaders()
    this.#terms = byRoute((route) => {
      return { reader: readers[route], rateLimit: limitOf(route, context) }
    })
  }

  /**
   * Takes a request through every step. It reserves at most once, and last.
   * @param nowMs when it came, by the clock of all threads.
   */
  admit(request: ApiRequest, nowMs: number): Admission {
    const { path, method, route } = request
    const name = route ?? operationAt(path)
    if (name === undefined || this.#context.answers?.has(name) === false) return notFound(path)
    if (route !== undefined) return this.#admitRoute(request, route, nowMs)
    if (!isRoute(name)) return this.#admitOpen(request, name)
    return isAnswered(name, method) ? this.#admitRoute(request, name, nowMs) : wrongMethod(name)
  }

  /**
   * Counts messages before their bodies are read, each as a request of the account whose key they carry.
   * @param address where they come from; undefined where a missing key was counted before.
   */
  enter(
    authorization: string,
    messages: number,
    address: string | undefined,
    nowMs: number,
  ): Entry {
    const { reservations, rateLimit } = this.#context
    if (reservations === undefined) return { account: undefined, takenNs: 0 }
    const owner = reservations.ownerOf(authorization)
    if (owner === undefined) return { refusal: this.refusalOfKey(address) }
    const takenNs = rateLimit?.take(owner.accountSlot, nowMs, messages) ?? 0
    if (rateLimit !== undefined && takenNs < 0) {
      return { refusal: withLimit(this.#refusalOfRate(takenNs), rateLimit, takenNs) }
    }
    return { account: owner.accountSlot, takenNs }
  }

  /** One refusal for every reason why a key is not valid, so that it tells nobody which it was. */
  refusalOfKey(address: string | undefined): Refusal {
    const { failedKeys, onRefusal } = this.#context
    const takenNs = address === undefined ? 0 : (failedKeys?.take(address) ?? 0)
    if (takenNs < 0) {
      onRefusal?.('failedKeysLimited')
      const detail = 'too many requests without a valid key came from this address'
      // A thousand guesses that were sent ahead are not to keep the others waiting.
      return {
        ...refusalForNow({ code: 'rate-limited', detail }, retrySeconds(takenNs)),
        isLast: true,
      }
    }
    const detail = 'send your key as: Authorization: Bearer <API_KEY>'
    return {
      problem: { code: 'unauthorized', detail },
      headers: [['WWW-Authenticate', 'Bearer']],
    }
  }

  #admitOpen(request: ApiRequest, name: Exclude<OperationName, RouteName>): Admission {
    const { open } = this.#context
    const { path, method } = request
    // Tools have a door of their own, see `src/mcp/endpoint.ts`.
    if (open === undefined || name === 'mcp') return notFound(path)
    if (!isAnswered(name, method)) return wrongMethod(name)
    const { isLimited = false }: OpenOperation = operations[name]
    const refusal = isLimited ? this.#refusalOfScrape(request.address?.()) : undefined
    return refusal === undefined ? { kind: 'open', operation: name, facts: open } : refused(refusal)
  }

  #refusalOfScrape(address: string | undefined): Refusal | undefined {
    const takenNs = address === undefined ? 0 : (this.#context.scrapes?.take(address) ?? 0)
    if (takenNs >= 0) return undefined
    this.#context.onRefusal?.('failedKeysLimited')
    const detail = 'this address asks more often than it may without a key'
    return refusalForNow({ code: 'rate-limited', detail }, retrySeconds(takenNs))
  }

  #admitRoute(request: ApiRequest, route: RouteName, nowMs: number): Admission {
    const { reservations } = this.#context
    if (reservations === undefined) return this.#admitQuery(request, route, undefined, nowMs)
    const owner = reservations.ownerOf(request.authorization ?? '')
    if (owner === undefined) return refused(this.refusalOfKey(request.address?.()))
    return this.#admitQuery(request, route, owner, nowMs)
  }

  #admitQuery(
    request: ApiRequest,
    route: RouteName,
    owner: KeyOwner | undefined,
    nowMs: number,
  ): Admission {
    const { reader, rateLimit } = this.#terms[route]
    const served = this.#context.served()
    if (served === undefined) {
      return refused(refusalForNow({ code: 'no-snapshot', detail: 'try again in a moment' }))
    }
    const isPosted = request.method === 'POST'
    const query =
      request.route === undefined ? queryWithPath(request.path, request.query) : request.query
    const { value: ask, problem } = isPosted
      ? readBodyAsk(route as PostRouteName, request, served, this.#handles)
      : reader!.read(served, query)
    const limit = owner === undefined || request.isCounted === true ? undefined : rateLimit
    let takenNs = request.takenNs ?? 0
    if (owner !== undefined && limit !== undefined && request.takenNs === undefined) {
      // A request that is wrong counts too, so that nobody asks without limit.
      takenNs = limit.take(owner.accountSlot, nowMs)
      if (takenNs < 0) return refused(withLimit(this.#refusalOfRate(takenNs), limit, takenNs))
    }
    if (problem !== undefined) return withHeaders(refused({ problem }), limit, takenNs)
    const understood: UnderstoodQuery = {
      kind: 'query',
      route,
      isPosted,
      served,
      ask,
      query,
      charge: undefined,
      balanceMicroUsd: 0,
      takenNs,
    }
    return withHeaders(this.#pay(understood, request.ifNoneMatch, owner), limit, takenNs)
  }

  /** Fills in what was reserved: a copy of the query costs 5 % of an answer (measured). */
  #pay(
    understood: UnderstoodQuery,
    ifNoneMatch: string | undefined,
    owner: KeyOwner | undefined,
  ): Admission {
    if (!understood.isPosted && ifNoneMatch !== undefined && ifNoneMatch !== '') {
      const unchanged = unchangedSince(ifNoneMatch, understood)
      if (unchanged !== undefined) return unchanged
    }
    const { reservations } = this.#context
    if (reservations === undefined || owner === undefined) return understood
    const { route, ask } = understood
    const queries = ask.countTo?.(reservations.queriesPayable(owner, route)) ?? ask.queries
    const reservation = reservations.reserve(owner, route, queries)
    if (reservation.charge === undefined) {
      const isCounted = ask.countTo === undefined
      return this.#refusePayment(reservation.unpaid, reservations, owner, isCounted)
    }
    understood.charge = reservation.charge
    understood.balanceMicroUsd = reservation.leftMicroUsd
    return understood
  }

  #refusalOfRate(takenNs: number): Refusal {
    this.#context.onRefusal?.('rateLimited')
    const detail = 'this account asks more often than it may; nothing was charged'
    return refusalForNow({ code: 'rate-limited', detail }, retrySeconds(takenNs))
  }

  #refusePayment(
    { costMicroUsd, unavailable, elsewhere }: Unpaid,
    reservations: Reservations,
    owner: KeyOwner,
    isCounted: boolean,
  ): Admission {
    if (unavailable) {
      const detail = 'nothing is served that could not be charged; nothing was charged'
      return refused(refusalForNow({ code: 'ledger-unavailable', detail }))
    }
    if (elsewhere) {
      const detail = 'another node of this service may hold what it costs; nothing was charged'
      return refused(refusalForNow({ code: 'balance-elsewhere', detail }))
    }
    this.#context.onRefusal?.('insufficientBalance')
    const balanceMicroUsd = reservations.balanceMicroUsd(owner)
    const least = isCounted ? '' : 'at least '
    const detail = `this request costs ${least}${formatUsd(costMicroUsd)} USD, the balance is ${formatUsd(balanceMicroUsd)} USD`
    const members = { cost_usd: usdNumber(costMicroUsd), balance_usd: usdNumber(balanceMicroUsd) }
    return refused({ problem: { code: 'insufficient-balance', detail, members } })
  }
}

function refused(refusal: Refusal): Admission {
  return { kind: 'refused', refusal }
}

function notFound(path: string): Admission {
  const detail = `${path.slice(0, 100)} is not a path of this service`
  return refused({ problem: { code: 'not-found', detail } })
}

function wrongMethod(name: OperationName): Admission {
  const { methods, paths } = operations[name]
  const allowed = methods.join(', ')
  const problem = {
    code: 'method-not-allowed',
    detail: `${paths[0]} answers ${allowed} only`,
  } as const
  return refused({ problem, headers: [['Allow', allowed]] })
}

/** The 304 to a request whose tag still holds; undefined where it does not. */
function unchangedSince(
  ifNoneMatch: string,
  { served, route, query }: AdmittedQuery,
): Admission | undefined {
  const { id } = served.catalog
  const etag = etagOf(id, hashPath(operations[route].paths[0]), query)
  if (!etagMatches(ifNoneMatch, etag)) return undefined
  return { kind: 'not-modified', headers: [['X-Snapshot-Id', id], ['ETag', etag], ownCache] }
}

/** What is not a 200 says of the limit, where there is one, in headers of its own. */
function withHeaders(
  admission: Admission,
  rateLimit: RateLimit | undefined,
  takenNs: number,
): Admission {
  if (rateLimit === undefined || admission.kind === 'query') return admission
  if (admission.kind === 'not-modified') {
    return { ...admission, headers: [...admission.headers, ...rateLimit.headers(takenNs)] }
  }
  if (admission.kind !== 'refused') return admission
  return refused(withLimit(admission.refusal, rateLimit, takenNs))
}

function withLimit({ headers = [], ...rest }: Refusal, rateLimit: RateLimit, takenNs: number) {
  return { ...rest, headers: [...headers, ...rateLimit.headers(takenNs)] }
}
