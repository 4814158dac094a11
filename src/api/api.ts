/**
 * The API without a wire: a request in, a reply out, in one synchronous step. HTTP, the `get`
 * command, MCP and the tests all ask here. A request uses the one catalog it began with.
 *
 *   path → 404 · method → 405 · key → 401 · rate → 429 · no snapshot → 503 · parameters → 400
 *   · ETag → 304 · balance → 402, ledger → 503 · answer → 200
 */

import { limitedNetwork } from '../http/client-address.ts'
import { withoutKeys } from '../ledger/key.ts'
import type { KeyOwner } from '../ledger/live/keyring.ts'
import type { Charge, Reservations, Unpaid } from '../ledger/live/reservations.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { type Problem, problems, problemType } from '../problems.ts'
import type { Status } from '../service/protocol.ts'
import type { OnReply } from '../telemetry/log.ts'
import type { ThreadMetrics } from '../telemetry/metrics.ts'
import { metricsPath } from '../telemetry/metrics-text.ts'
import { type Ask, readAsk } from './answers.ts'
import { openApiPath } from './describe/openapi.ts'
import { Envelope } from './envelope.ts'
import { etagMatches, etagOf, hashPath } from './etag.ts'
import { healthOf } from './health.ts'
import { type FailedKeyLimit, type RateLimit, retrySeconds } from './rate-limit.ts'
import { noSniff, noStore } from './response-headers.ts'
import { type Route, routeOf } from './routes.ts'
import type { Served } from './served.ts'

/** A request, as far as the API is concerned. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  /** The query string without `?`, still encoded. */
  readonly query: string
  readonly ifNoneMatch?: string
  /** The `Authorization` header. */
  readonly authorization?: string
  /** Where it comes from; to be called while it is being answered only. */
  readonly address?: () => string
}

/** A reply; `body` is valid until the next request to the same API. */
export interface ApiReply {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** Reserved for this reply, to be charged by `written`. */
  readonly charge?: Charge
}

/** What the API depends on. */
export interface ApiContext {
  /** What is served at the moment; undefined when there is no snapshot yet. */
  readonly served: () => Served | undefined
  /** Who pays, and what; without one, requests need no key and cost nothing. */
  readonly till?: Reservations
  /** How the service is; without one, there is nothing to ask about. */
  readonly status?: () => Status
  /** The reply for `/openapi.json`; without one, there is no such path. */
  readonly openApi?: ApiReply
  /** The reply for `/metrics`; without one, there is no such path. */
  readonly metricsReply?: () => ApiReply
  /** Where refusals are counted. */
  readonly metrics?: ThreadMetrics
  /** How often an account may ask; undefined where there is no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** How often an address may come without a valid key; undefined where there is no limit. */
  readonly failedKeys?: FailedKeyLimit | undefined
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  readonly requestId: () => string
  /** Told of an error that nobody expected; the request was answered with 500. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Told of every reply; undefined when nobody is to be told. */
  readonly onReply?: OnReply | undefined
}

/** What is known of every request, whatever it asks for. */
interface Begun {
  readonly requestId: string
  readonly startedMs: number
}

/** What is known of a request while it is being answered. */
interface Exchange extends Begun {
  readonly request: ApiRequest
}

/** What a refusal says beside its problem. */
interface Extras {
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly members?: Readonly<Record<string, unknown>>
}

const empty = new Uint8Array(0)

export class Api {
  readonly #context: ApiContext
  readonly #envelopes = { with: new Envelope(true), without: new Envelope(false) }

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** Answers every request, never throws: a serving thread must outlive a bug in one answer. */
  answer(request: ApiRequest): ApiReply {
    const startedMs = this.#context.clock()
    const exchange = { request, requestId: this.#context.requestId(), startedMs }
    const reply = this.#answerSafely(exchange)
    this.#context.onReply?.(request, reply, this.#context.clock() - startedMs)
    return reply
  }

  #answerSafely(exchange: Exchange): ApiReply {
    try {
      return this.#answer(exchange)
    } catch (error) {
      this.#context.onError(error, exchange.requestId)
      const detail = 'the error was logged with this request_id'
      return this.#refuse(exchange, { code: 'internal-error', detail })
    }
  }

  /** To be called when a reply was written: only then is it charged. */
  written({ charge }: ApiReply): void {
    if (charge !== undefined) this.#context.till?.record(charge)
  }

  /** The reply to a request that was refused on its way here. */
  refuse(problem: Problem, headers: ApiReply['headers'] = []): ApiReply {
    return this.#refuse(this.#begin(), problem, { headers })
  }

  /**
   * The 401, or 429, to an `Authorization` header without a valid key; undefined when the key is
   * valid.
   */
  refuseUnlessKnown(authorization: string, address: string): ApiReply | undefined {
    const { till } = this.#context
    if (till === undefined || till.ownerOf(authorization) !== undefined) return undefined
    return this.#refuseKey(this.#begin(), address)
  }

  #begin(): Begun {
    return { requestId: this.#context.requestId(), startedMs: this.#context.clock() }
  }

  #answer(exchange: Exchange): ApiReply {
    const { path, method, authorization } = exchange.request
    const route = routeOf(path)
    if (route === undefined) {
      const health = this.#context.status && healthOf(path, this.#context.status())
      if (health !== undefined) return health
      const { openApi, metricsReply } = this.#context
      if (path === openApiPath && openApi !== undefined) return openApi
      if (path === metricsPath && metricsReply !== undefined) return metricsReply()
      const detail = `${path.slice(0, 100)} is not a path of this service`
      return this.#refuse(exchange, { code: 'not-found', detail })
    }
    if (method !== 'GET') {
      const problem = {
        code: 'method-not-allowed',
        detail: `${route.path} answers GET only`,
      } as const
      return this.#refuse(exchange, problem, { headers: [['Allow', 'GET']] })
    }
    const { till } = this.#context
    const owner = till?.ownerOf(authorization ?? '')
    if (till !== undefined && owner === undefined) {
      return this.#refuseKey(exchange, exchange.request.address?.())
    }
    const { rateLimit } = this.#context
    if (owner === undefined || rateLimit === undefined) {
      return this.#answerAdmitted(exchange, route, owner)
    }
    const takenNs = rateLimit.take(owner.accountSlot)
    const reply =
      takenNs < 0
        ? this.#refuseRate(exchange, takenNs)
        : this.#answerAdmitted(exchange, route, owner)
    return { ...reply, headers: [...reply.headers, ...rateLimit.headers(takenNs)] }
  }

  #answerAdmitted(exchange: Exchange, route: Route, owner: KeyOwner | undefined): ApiReply {
    const served = this.#context.served()
    if (served === undefined) {
      return this.#refuseForNow(exchange, { code: 'no-snapshot', detail: 'try again in a moment' })
    }
    return this.#serve(exchange, route, served, owner)
  }

  #serve(exchange: Exchange, route: Route, served: Served, owner: KeyOwner | undefined): ApiReply {
    const { query, ifNoneMatch } = exchange.request
    const ask = readAsk(route.name, query)
    if (ask.problem !== undefined) return this.#refuse(exchange, ask.problem)
    const etag = etagOf(served.catalog.id, hashPath(route.path), query)
    const headers: [string, string][] = [
      ['X-Request-Id', exchange.requestId],
      ['X-Snapshot-Id', served.catalog.id],
      ['ETag', etag],
    ]
    if (ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag)) {
      return { status: 304, headers, body: empty }
    }
    headers.push(['Content-Type', 'application/json'], [...noSniff])
    const { till } = this.#context
    if (till === undefined || owner === undefined) {
      return { status: 200, headers, body: this.#write(exchange, route, served, ask.value) }
    }
    const { charge, unpaid } = till.reserve(owner, route.name, ask.value.queries)
    if (unpaid !== undefined) return this.#refusePayment(exchange, unpaid, till, owner)
    try {
      headers.push(['X-Cost-Usd', formatUsd(charge.costMicroUsd)])
      headers.push(['X-Balance-Usd', formatUsd(till.balanceMicroUsd(owner))])
      return { status: 200, headers, body: this.#write(exchange, route, served, ask.value), charge }
    } catch (error) {
      till.release(charge)
      throw error
    }
  }

  #write({ requestId, startedMs }: Exchange, route: Route, served: Served, ask: Ask): Uint8Array {
    const envelope = route.requestIdInBody ? this.#envelopes.with : this.#envelopes.without
    envelope.begin(requestId)
    ask.write(served, envelope.body)
    return envelope.end((this.#context.clock() - startedMs) / 1000)
  }

  /** One answer for every reason why a key is not valid, so that it tells nobody which it was. */
  #refuseKey(exchange: Begun, address: string | undefined): ApiReply {
    const { failedKeys } = this.#context
    if (failedKeys !== undefined && address !== undefined) {
      const takenNs = failedKeys.take(limitedNetwork(address))
      if (takenNs < 0) return this.#refuseAddress(exchange, takenNs)
    }
    const detail = 'send your key as: Authorization: Bearer <API_KEY>'
    const headers = [['WWW-Authenticate', 'Bearer']] as const
    return this.#refuse(exchange, { code: 'unauthorized', detail }, { headers })
  }

  #refuseAddress(exchange: Begun, takenNs: number): ApiReply {
    this.#context.metrics?.count('failedKeysLimited')
    const detail = 'too many requests without a valid key came from this address'
    return this.#refuseForNow(exchange, { code: 'rate-limited', detail }, retrySeconds(takenNs))
  }

  #refuseRate(exchange: Exchange, takenNs: number): ApiReply {
    this.#context.metrics?.count('rateLimited')
    const detail = 'this account asks more often than it may; nothing was charged'
    return this.#refuseForNow(exchange, { code: 'rate-limited', detail }, retrySeconds(takenNs))
  }

  #refusePayment(
    exchange: Exchange,
    { costMicroUsd, unavailable }: Unpaid,
    till: Reservations,
    owner: KeyOwner,
  ): ApiReply {
    if (unavailable) {
      const detail = 'nothing is served that could not be charged; nothing was charged'
      return this.#refuseForNow(exchange, { code: 'ledger-unavailable', detail })
    }
    this.#context.metrics?.count('insufficientBalance')
    const balanceMicroUsd = till.balanceMicroUsd(owner)
    const detail = `this request costs ${formatUsd(costMicroUsd)} USD, the balance is ${formatUsd(balanceMicroUsd)} USD`
    const members = { cost_usd: usdNumber(costMicroUsd), balance_usd: usdNumber(balanceMicroUsd) }
    return this.#refuse(exchange, { code: 'insufficient-balance', detail }, { members })
  }

  #refuseForNow(exchange: Begun, problem: Problem, waitSeconds = 1): ApiReply {
    return this.#refuse(exchange, problem, { headers: [['Retry-After', String(waitSeconds)]] })
  }

  /** A problem document (RFC 9457) that is an envelope too, so that a client can read it as one. */
  #refuse({ requestId, startedMs }: Begun, problem: Problem, extras: Extras = {}): ApiReply {
    const { status, title } = problems[problem.code]
    const duration = Math.round((this.#context.clock() - startedMs) * 1000) / 1e6
    const document = {
      type: `${problemType}${problem.code}`,
      title,
      status,
      detail: withoutKeys(problem.detail),
      ...extras.members,
      duration,
      request_id: requestId,
      results: [],
    }
    const headers = [
      ['X-Request-Id', requestId],
      ['Content-Type', 'application/problem+json'],
      noSniff,
      noStore,
      ...(extras.headers ?? []),
    ] as const
    return { status, headers, body: Buffer.from(JSON.stringify(document)) }
  }
}
