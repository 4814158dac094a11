/**
 * The steps of a request before its answer is written. Each step can refuse the request. The limit comes
 * before anything of the parameters or of a body is read, so that requests beyond it cost little; the
 * money comes last, so that nothing is reserved for a request that another step refuses, nor while items are made:
 *
 *   admit: operation → 404, 405 · key → 401, 429 of the address · terms → 403 · snapshot → 503
 *   limit → 429 · parse → 400, 404, 410, 415 · revalidate → 304
 *   reserve → 400, 422, 402, 503 · begin under a key → 422, 429 · free answers → 429
 *   release, make items, reserve for them → 402, 503
 */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { Reservations } from '../../ledger/live/reservations.ts'
import { limits } from '../../limits.ts'
import type { OpenOperation } from '../../operation.ts'
import { operationAt, queryWithPath } from '../../operation-paths.ts'
import {
  byRoute,
  isAnswered,
  isRoute,
  type OpenOperationName,
  type OperationName,
  operations,
  type RouteName,
} from '../../operations.ts'
import { type Problem, problems } from '../../problems.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { ApiRequest, CountedRefusal } from '../exchange.ts'
import {
  type AddressLimit,
  limitOf,
  type RateLimit,
  type RateLimits,
  resetSeconds,
} from '../limits/rate-limit.ts'
import { etagMatches, etagOf, hashPath } from './etag.ts'
import { type Door, KeyTermsCheck } from './key-terms.ts'
import type { AdmittedQuery, OperationHandler } from './operation-handler.ts'
import { askedAndLost, askedUnder, keyReused } from './question-id.ts'
import {
  type NotModified,
  paymentRefusal,
  type RefusedRequest,
  refusalForNow,
  unknownPath,
  withLimit,
  wrongMethod,
} from './refusals.ts'
import { ownCache } from './response-headers.ts'

export interface AdmissionContext extends RateLimits {
  /** The snapshot that is served; undefined before the first one. */
  readonly served: () => ActiveSnapshot | undefined
  /** Keys, balances and prices; without them, requests need no key and cost nothing. */
  readonly reservations?: Reservations
  readonly open?: object
  /** The operations that are answered; undefined for all. Any other has no path. */
  readonly answers?: ReadonlySet<OperationName> | undefined
  /** Of requests without a valid key. */
  readonly failedKeys?: AddressLimit | undefined
  /** Of requests for a limited public endpoint. */
  readonly scrapes?: AddressLimit | undefined
  readonly onRefusal?: ((refusal: CountedRefusal) => void) | undefined
}

/** The outcome of the checks before a body is read: the caller is refused, or counted for an account. */
export type Admitted =
  | { readonly refusal: RefusedRequest }
  | {
      readonly refusal?: undefined
      /** Undefined if no key is needed. */
      readonly account: number | undefined
      /** Owner of the key, if a caller was checked. */
      readonly owner?: KeyOwner
      /** The answer of the limit; 0 without a limit. */
      readonly takenNs: number
    }

type Admission =
  | AdmittedQuery
  | { readonly kind: 'public'; readonly operation: OpenOperationName }
  | NotModified
  | RefusedRequest

export interface CallerCheck {
  readonly isLookup?: boolean
  readonly withoutKey?: string | undefined
  /** Whether the caller is checked again when the refusal says `soon`. */
  readonly canWait?: boolean | undefined
}

export class RequestAdmission {
  readonly #context: AdmissionContext
  readonly #handlers: Readonly<Record<RouteName, OperationHandler>>
  readonly #limits: Readonly<Record<RouteName, RateLimit | undefined>>
  readonly #terms: KeyTermsCheck
  readonly #makeItems: (query: AdmittedQuery) => Problem | undefined

  /** @param makeItems makes items before they are paid; the problem if texts cannot be read. */
  constructor(
    context: AdmissionContext,
    handlers: Readonly<Record<RouteName, OperationHandler>>,
    makeItems: (query: AdmittedQuery) => Problem | undefined,
  ) {
    this.#context = context
    this.#handlers = handlers
    this.#makeItems = makeItems
    this.#limits = byRoute((route) => limitOf(route, context))
    this.#terms = new KeyTermsCheck(context.keyLimits)
  }

  /** Takes a request through every step. At the end its price is reserved once, or nothing is. */
  admit(request: ApiRequest, nowMs: number): Admission {
    const route = this.#routeOf(request)
    if (typeof route !== 'string') return route
    const entered = this.#enter(request, route, nowMs)
    if ('problem' in entered) return entered
    const exit =
      this.#parse(request, entered) ??
      this.#revalidate(request, entered) ??
      this.#reserveMost(request, entered) ??
      this.#begin(entered)
    const end = this.#refusalOfFree(exit, request, entered) ?? exit ?? this.#make(entered)
    return end === undefined ? entered : withLimit(end, entered.rateLimit, entered.takenNs)
  }

  /**
   * Counts as a lookup, where no limit counts requests, what is free although its route has a price (a 304, a repeat under
   * a key, a rank of nothing that is a source) or is part of a message of MCP; refuses one too many.
   */
  #refusalOfFree(
    exit: RefusedRequest | NotModified | undefined,
    request: ApiRequest,
    { owner, route, charge, askedMs }: AdmittedQuery,
  ): RefusedRequest | undefined {
    const { reservations, rateLimit, lookupLimit } = this.#context
    if (rateLimit !== undefined || lookupLimit === undefined) return undefined
    if (reservations === undefined || owner === undefined) return undefined
    const isFree = exit === undefined ? charge?.costMicroUsd === 0 : 'kind' in exit
    if (!isFree) return undefined
    const isUncounted =
      this.#limits[route] === lookupLimit
        ? request.isCounted === true
        : reservations.priceMicroUsd(route) > 0
    if (!isUncounted) return undefined
    const taken = this.#take(lookupLimit, owner.accountSlot, askedMs)
    return typeof taken === 'number' ? undefined : taken
  }

  /** Whether a key may see its account, not its own part only. */
  seesAccount(owner: KeyOwner): boolean {
    return this.#terms.seesAccount(owner)
  }

  /** The steps of a POST before its body is read. The whole request then repeats them with the answer of the limit. */
  admitHead(head: ApiRequest, nowMs: number): Admitted {
    const route = this.#routeOf(head)
    if (typeof route !== 'string') {
      if ('problem' in route) return { refusal: route }
      return { account: undefined, takenNs: 0 }
    }
    const entered = this.#enter(head, route, nowMs)
    if ('problem' in entered) return { refusal: entered }
    return { account: entered.owner?.accountSlot, takenNs: entered.takenNs }
  }

  /**
   * Checks the key of messages before their bodies are read, and counts each as a request of its account.
   * @param address of the client; undefined if a missing key was counted before.
   */
  checkCaller(
    authorization: string,
    messages: number,
    address: string | undefined,
    nowMs: number,
    { isLookup = false, ...more }: CallerCheck = {},
  ): Admitted {
    const { lookupLimit } = this.#context
    const rateLimit = isLookup ? lookupLimit : this.#context.rateLimit
    const addressOf = address === undefined ? undefined : () => address
    const door = isLookup ? 'account' : 'messages'
    const owner = this.#ownerOf(authorization, addressOf, door, undefined, more)
    if (owner === undefined) return { account: undefined, takenNs: 0 }
    if ('problem' in owner) return { refusal: owner }
    const counted = this.#count(owner, rateLimit, nowMs, messages)
    if (typeof counted !== 'number') return { refusal: counted }
    return { account: owner.accountSlot, owner, takenNs: counted }
  }

  /** One refusal for every reason why a key is not valid, so that it does not reveal the reason. @param address '' if unknown. */
  #refusalOfKey(
    address: string,
    detail = 'send your key as: Authorization: Bearer <API_KEY>',
  ): RefusedRequest {
    const { failedKeys } = this.#context
    const takenNs = address === '' ? 0 : (failedKeys?.(address) ?? 0)
    if (takenNs < 0) {
      const detail = 'too many requests without a valid key came from this address'
      // A thousand guesses sent ahead on one connection must not delay other clients.
      return { ...this.#limited('failed_keys_limited_total', takenNs, detail), isLast: true }
    }
    return {
      problem: { code: 'unauthorized', detail },
      headers: [['WWW-Authenticate', 'Bearer']],
    }
  }

  /**
   * The owner of a key that may be used in some way; undefined where no key is needed. 503 while the key is looked up: only
   * a key that is known not to be good counts against its address.
   * @param addressOf of the client; undefined if its address was checked and a missing key counted before.
   */
  #ownerOf(
    authorization: string,
    addressOf: (() => string) | undefined,
    door: Door,
    route: RouteName | undefined,
    { withoutKey, canWait = false }: CallerCheck,
  ): KeyOwner | RefusedRequest | undefined {
    const { reservations } = this.#context
    if (reservations === undefined) return undefined
    const owner = reservations.keyring.ownerOf(authorization)
    if (owner?.terms !== undefined) {
      return this.#terms.refusalOf(owner.terms, route, door, addressOf) ?? owner
    }
    if (owner !== undefined) return owner
    const soon = reservations.keyring.seek(authorization)
    if (soon === undefined) return this.#refusalOfKey(addressOf?.() ?? '', withoutKey)
    const detail = 'the account of this key is on its way to this node; nothing was charged'
    const refusal = refusalForNow({ code: 'balance-elsewhere', detail })
    return canWait ? { ...refusal, soon } : refusal
  }

  /** The route of a request, or the exit of a request that asks none. */
  #routeOf(request: ApiRequest): RouteName | Exclude<Admission, AdmittedQuery> {
    const { path, method, route } = request
    const { open, answers } = this.#context
    const name = route ?? operationAt(path)
    if (name === undefined || answers?.has(name) === false) return unknownPath(path)
    if (route !== undefined) return route
    if (isRoute(name)) return isAnswered(name, method) ? name : wrongMethod(name)
    // Operations that are answered asynchronously have endpoints of their own, which call `checkCaller`.
    if (open === undefined || name === 'mcp' || name === 'account') return unknownPath(path)
    if (!isAnswered(name, method)) return wrongMethod(name)
    const { isLimited = false }: OpenOperation = operations[name]
    const refusal = isLimited ? this.refusalOfAddress(request.address?.()) : undefined
    return refusal === undefined ? { kind: 'public', operation: name } : refusal
  }

  refusalOfAddress(address: string | undefined): RefusedRequest | undefined {
    const takenNs = address === undefined ? 0 : (this.#context.scrapes?.(address) ?? 0)
    if (takenNs >= 0) return undefined
    const detail = 'too many requests without a key came from this address'
    return this.#limited('failed_keys_limited_total', takenNs, detail)
  }

  #enter(request: ApiRequest, route: RouteName, nowMs: number): AdmittedQuery | RefusedRequest {
    const isPart = request.isCounted === true
    const { authorization = '', canWait } = request
    const addressOf = isPart ? undefined : () => request.address?.() ?? ''
    const door = isPart ? 'tool' : 'http'
    const owner = this.#ownerOf(authorization, addressOf, door, route, { canWait })
    if (owner !== undefined && 'problem' in owner) return owner
    const served = this.#context.served()
    if (served === undefined) {
      return refusalForNow({ code: 'no-snapshot', detail: 'try again in a moment' })
    }
    const isLimited = owner !== undefined && !isPart
    const rateLimit = isLimited ? this.#limits[route] : undefined
    const takenNs = request.takenNs ?? (isLimited ? this.#count(owner, rateLimit, nowMs) : 0)
    if (typeof takenNs !== 'number') return takenNs
    const isPosted = request.method === 'POST'
    return {
      kind: 'query',
      ...{ route, isPosted, askedMs: nowMs, served, takenNs, owner, rateLimit },
      ...{ query: undefined, cached: undefined, search: '', profiles: 0 },
      ...{ asked: undefined, charge: undefined, written: undefined, answeredValues: undefined },
      ...{ balanceMicroUsd: 0, leftOfCapMicroUsd: undefined },
    }
  }

  #parse(request: ApiRequest, entered: AdmittedQuery): RefusedRequest | undefined {
    const { served, isPosted } = entered
    const handler = this.#handlers[entered.route]
    const search =
      request.route === undefined ? queryWithPath(request.path, request.query) : request.query
    entered.search = search
    if (!isPosted && handler.isCached === true) {
      entered.cached = served.cache.get(search)
      if (entered.cached !== undefined) {
        entered.profiles = entered.cached.profilesMax
        return undefined
      }
    }
    let query = isPosted ? undefined : handler.fastParse?.(search)
    if (query === undefined) {
      const parsed = handler.parse(isPosted ? request : search, served)
      if (parsed.problem !== undefined) return parsed
      query = parsed.value
    }
    entered.query = query
    entered.profiles = handler.profilesMax?.(query) ?? 0
    return undefined
  }

  /** The tag of a POST stands for snapshot and operation: it holds while nothing of the snapshot has changed. */
  #revalidate({ ifNoneMatch }: ApiRequest, entered: AdmittedQuery): NotModified | undefined {
    if (ifNoneMatch === undefined || ifNoneMatch === '') return undefined
    const { id } = entered.served.catalog
    const etag = etagOf(id, hashPath(operations[entered.route].paths[0]), entered.search)
    if (!etagMatches(ifNoneMatch, etag)) return undefined
    return { kind: 'not-modified', headers: [['X-Snapshot-Id', id], ['ETag', etag], ownCache] }
  }

  /** Reserves the most that a request may cost; a repeat of what was paid needs no balance for profiles. */
  #reserveMost(request: ApiRequest, entered: AdmittedQuery): RefusedRequest | undefined {
    const { reservations } = this.#context
    const { owner } = entered
    if (reservations === undefined || owner === undefined) return undefined
    const key = request.idempotencyKey?.() ?? ''
    const asked =
      key === ''
        ? askedAndLost(entered, reservations, owner)
        : askedUnder(key, request, entered, reservations, owner)
    if (asked !== undefined && 'problem' in asked) return asked
    entered.asked = asked
    return this.#reserve(entered, asked !== undefined && asked.paid > 0 ? 0 : entered.profiles)
  }

  #reserve(entered: AdmittedQuery, profiles: number): RefusedRequest | undefined {
    const { reservations } = this.#context
    const { owner, query, asked, askedMs: nowMs } = entered
    if (reservations === undefined || owner === undefined) return undefined
    const reservation = reservations.reserve(owner, entered, query?.count ?? 1, asked, profiles)
    const seesAccount = this.#terms.seesAccount(owner)
    if (reservation.charge === undefined) {
      const { unpaid } = reservation
      const refusal = paymentRefusal(unpaid, { reservations, owner, seesAccount, nowMs })
      const { status } = problems[refusal.problem.code]
      if (status === 402) this.#context.onRefusal?.('insufficient_balance_total')
      return refusal
    }
    entered.charge = reservation.charge
    entered.leftOfCapMicroUsd = reservation.leftOfCapMicroUsd
    entered.balanceMicroUsd = seesAccount ? reservation.leftMicroUsd : reservation.leftOfCapMicroUsd
    return undefined
  }

  /**
   * Makes the items before they are paid, so that texts that cannot be read cost nothing, and that the number of profiles
   * is known. Nothing is reserved meanwhile, so that a slow disk keeps no money from other threads.
   */
  #make(entered: AdmittedQuery): RefusedRequest | undefined {
    if (entered.charge !== undefined) this.#context.reservations!.release(entered.charge)
    const problem = this.#makeItems(entered)
    if (problem === undefined) return this.#reserve(entered, entered.profiles)
    this.#context.onRefusal?.('text_errors_total')
    return refusalForNow(problem)
  }

  /** Counts a question under a key, once a request; refuses it, and gives its price back, where it may not be asked. */
  #begin({ charge }: AdmittedQuery): RefusedRequest | undefined {
    if (charge?.asked === undefined) return undefined
    const reservations = this.#context.reservations!
    const { id, paid } = charge.asked
    const notBegun = reservations.questions?.begin(id, paid)
    if (notBegun === undefined) return undefined
    reservations.release(charge)
    if (notBegun === 'reused') return keyReused
    return this.#refusalOfRepeat(notBegun.forgottenInSeconds)
  }

  /** Counts requests of a key and of its account; the refusal if either has sent too many. */
  #count(
    { terms, accountSlot }: KeyOwner,
    rateLimit: RateLimit | undefined,
    nowMs: number,
    requests = 1,
  ): number | RefusedRequest {
    if (terms !== undefined) {
      const who = 'this key is used more often than it may be'
      const ofKey = this.#take(this.#terms.limitOf(terms), terms.place, nowMs, requests, who)
      if (typeof ofKey !== 'number') return ofKey
    }
    return this.#take(rateLimit, accountSlot, nowMs, requests)
  }

  /** Counts requests for one limit; returns its answer, 0 without a limit, or the refusal. */
  #take(
    limit: RateLimit | undefined,
    place: number,
    nowMs: number,
    requests = 1,
    who = 'this account asks more often than it may',
  ): number | RefusedRequest {
    const takenNs = limit?.take(place, nowMs, requests) ?? 0
    if (takenNs >= 0) return takenNs
    const refusal = this.#limited('rate_limited_total', takenNs, `${who}; nothing was charged`)
    return withLimit(refusal, limit, takenNs)
  }

  #refusalOfRepeat(waitSeconds: number): RefusedRequest {
    this.#context.onRefusal?.('rate_limited_total')
    const detail = `this Idempotency-Key was repeated ${limits.idempotencyRepeatsMax} times, the maximum; another key asks again for the price; nothing was charged`
    return refusalForNow({ code: 'rate-limited', detail }, waitSeconds)
  }

  /** @param takenNs the answer of the limit, below 0. */
  #limited(counted: CountedRefusal, takenNs: number, detail: string): RefusedRequest {
    this.#context.onRefusal?.(counted)
    return refusalForNow({ code: 'rate-limited', detail }, resetSeconds(takenNs))
  }
}
