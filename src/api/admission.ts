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
import { operationAt, queryWithPath } from '../operation-paths.ts'
import {
  type GetRouteName,
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
} from './limits/rate-limit.ts'
import type { OpenFacts } from './open-replies.ts'
import type { Ask } from './read/asks.ts'
import { readBodyAsk } from './read/body-asks.ts'
import { HandleList } from './read/handle-list.ts'
import type { Parsed } from './read/pairs.ts'
import { routeReaders } from './read/readers.ts'
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
  /** Called for each refusal that is counted apart. */
  readonly onRefusal?: ((refusal: CountedRefusal) => void) | undefined
}

/** A query that was understood. */
type UnderstoodQuery = Pick<AdmittedQuery, 'route' | 'isPosted' | 'served' | 'ask' | 'query'>

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

/** What became of a request. */
export type Admission =
  | AdmittedQuery
  | { readonly kind: 'open'; readonly operation: OpenOperationName; readonly facts: OpenFacts }
  | { readonly kind: 'not-modified'; readonly headers: HeaderPairs }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export class RequestAdmission {
  readonly #context: AdmissionContext
  readonly #readers = routeReaders()
  /** The handles of the body that was read last. */
  readonly #handles = new HandleList(limits.batchValuesMax)

  constructor(context: AdmissionContext) {
    this.#context = context
  }

  /** Takes a request through every step. It reserves at most once, and last. */
  admit(request: ApiRequest): Admission {
    const { path, method } = request
    const name = operationAt(path)
    if (name === undefined || this.#context.answers?.has(name) === false) return notFound(path)
    if (!isRoute(name)) return this.#admitOpen(path, method, name)
    if (!isAnswered(name, method)) return wrongMethod(name)
    const { reservations } = this.#context
    if (reservations === undefined) return this.#admitQuery(request, name, undefined)
    const owner = reservations.ownerOf(request.authorization ?? '')
    if (owner === undefined) return refused(this.refusalOfKey(request.address?.()))
    return this.#admitQuery(request, name, owner)
  }

  /**
   * Why messages that came by another door may not be answered: each counts as a request of the
   * account whose key they carry. Undefined when they may.
   */
  refusalOfMessages(
    authorization: string,
    messages: number,
    address: string | undefined,
  ): Refusal | undefined {
    const { reservations, rateLimit } = this.#context
    if (reservations === undefined) return undefined
    const owner = reservations.ownerOf(authorization)
    if (owner === undefined) return this.refusalOfKey(address)
    const takenNs = rateLimit?.take(owner.accountSlot, messages) ?? 0
    if (rateLimit === undefined || takenNs >= 0) return undefined
    return withLimit(this.#refusalOfRate(takenNs), rateLimit, takenNs)
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

  #admitOpen(path: string, method: string, name: Exclude<OperationName, RouteName>): Admission {
    const { open } = this.#context
    // Tools have a door of their own, see `src/mcp/endpoint.ts`.
    if (open === undefined || name === 'mcp') return notFound(path)
    return isAnswered(name, method)
      ? { kind: 'open', operation: name, facts: open }
      : wrongMethod(name)
  }

  #admitQuery(request: ApiRequest, route: RouteName, owner: KeyOwner | undefined): Admission {
    const rateLimit = limitOf(route, this.#context)
    const served = this.#context.served()
    if (served === undefined) {
      return refused(refusalForNow({ code: 'no-snapshot', detail: 'try again in a moment' }))
    }
    const query = queryWithPath(request.path, request.query)
    const isPosted = request.method === 'POST'
    const { value: ask, problem } = this.#read(request, route, served, query)
    if (owner === undefined || rateLimit === undefined || request.isCounted === true) {
      if (problem !== undefined) return refused({ problem })
      const understood = { route, isPosted, served, ask, query }
      return this.#pay(request.ifNoneMatch, understood, owner, 0)
    }
    // A request that is wrong counts too, so that nobody asks without limit.
    const takenNs = rateLimit.take(owner.accountSlot)
    if (takenNs < 0) return refused(withLimit(this.#refusalOfRate(takenNs), rateLimit, takenNs))
    if (problem !== undefined) return refused(withLimit({ problem }, rateLimit, takenNs))
    const understood = { route, isPosted, served, ask, query }
    const admission = this.#pay(request.ifNoneMatch, understood, owner, takenNs)
    return withHeaders(admission, rateLimit, takenNs)
  }

  /** What was read last is held by the list of handles, and by the reader of query strings. */
  #read(request: ApiRequest, route: RouteName, served: Served, query: string): Parsed<Ask> {
    if (request.method === 'POST') {
      return readBodyAsk(route as PostRouteName, request, served, this.#handles)
    }
    const reader = this.#readers[route as GetRouteName]
    const problem = reader.read(served, query)
    return problem === undefined ? { value: reader } : { problem }
  }

  #pay(
    ifNoneMatch: string | undefined,
    understood: UnderstoodQuery,
    owner: KeyOwner | undefined,
    takenNs: number,
  ): Admission {
    const { route, isPosted, served, ask, query } = understood
    if (!isPosted && ifNoneMatch !== undefined && ifNoneMatch !== '') {
      const { id } = served.catalog
      const etag = etagOf(id, hashPath(operations[route].paths[0]), query)
      if (etagMatches(ifNoneMatch, etag)) {
        return {
          kind: 'not-modified',
          headers: [['X-Snapshot-Id', id], ['ETag', etag], ownCache],
        }
      }
    }
    const { reservations } = this.#context
    if (reservations === undefined || owner === undefined) {
      return { kind: 'query', ...understood, charge: undefined, balanceMicroUsd: 0, takenNs }
    }
    const reservation = reservations.reserve(owner, route, ask.queries)
    if (reservation.charge === undefined) {
      return this.#refusePayment(reservation.unpaid, reservations, owner)
    }
    const { charge, leftMicroUsd: balanceMicroUsd } = reservation
    return { kind: 'query', ...understood, charge, balanceMicroUsd, takenNs }
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
    const detail = `this request costs ${formatUsd(costMicroUsd)} USD, the balance is ${formatUsd(balanceMicroUsd)} USD`
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

/** What is not a 200 says of the limit in headers of its own. */
function withHeaders(admission: Admission, rateLimit: RateLimit, takenNs: number): Admission {
  if (admission.kind === 'not-modified') {
    return { ...admission, headers: [...admission.headers, ...rateLimit.headers(takenNs)] }
  }
  if (admission.kind !== 'refused') return admission
  return refused(withLimit(admission.refusal, rateLimit, takenNs))
}

function withLimit({ headers = [], ...rest }: Refusal, rateLimit: RateLimit, takenNs: number) {
  return { ...rest, headers: [...headers, ...rateLimit.headers(takenNs)] }
}
