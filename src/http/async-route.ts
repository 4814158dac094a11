/**
 * A path that is answered asynchronously, for operations off the hot path. The body of a request is
 * bounded and read only after its head was admitted; a connection that ends cancels its
 * requests and is not written to again.
 */
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Api } from '../api/api.ts'
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { noSniff } from '../api/pipeline/response-headers.ts'
import type { KeyOwner } from '../ledger/live/keyring.ts'
import { ownTurn } from '../process/loop-turn.ts'
import type { Cors } from './cors.ts'
import { type FairPlaces, refuseForNow } from './fair-places.ts'
import {
  type BodyBounds,
  type BodySource,
  readBody,
  type UnfinishedBodies,
} from './request-body.ts'
import type { OfferedResponse, OnOffered, UnreadAnswers } from './unread.ts'

type Headers = readonly (readonly [name: string, value: string])[]

/** A request, as the route gets it: HTTP allows the names and values of its headers. */
export interface RouteRequest extends Pick<WireHead, 'method' | 'target' | 'headers'> {
  /** Valid until `answer` first awaits anything. */
  readonly body: Uint8Array
  readonly signal: AbortSignal
  readonly address?: string
  readonly owner?: KeyOwner | undefined
}

export interface RouteResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
  /**
   * Called once when the response is over: without a part if all of it was handed to a connection that
   * was still open, as far as the server knew, else with the bytes that were, from its beginning.
   */
  readonly settle?: OnOffered
}

export interface AsyncRoute {
  readonly paths: readonly string[]
  readonly bodyBounds: BodyBounds
  /** Requests that are answered at once, and as many whose bodies are unfinished. */
  readonly inFlightMax: number
  /** The web pages that may ask; undefined where only pages of the service itself may. @param path of the request. */
  readonly cors?: (path: string) => Cors | undefined
  /**
   * Checks the head before the body is read; a preflight was answered before.
   * @param canWait whether it is called again when the reply says `soon`, once the body is read.
   */
  readonly admit: (head: WireHead, canWait: boolean) => AdmittedHead
  /** To reject is a bug: it is logged, and the request is answered with 500. */
  readonly answer: (request: RouteRequest) => Promise<RouteResponse | RefusedRoute>
}

export interface RefusedRoute {
  readonly refusal: ApiReply
}

/** The outcome of `admit` for a head: a reply refuses the request, or answers it. */
interface AdmittedHead {
  readonly reply?: ApiReply | undefined
  /** The account that the request counts for; undefined if it needs no key. */
  readonly account?: number | undefined
  readonly owner?: KeyOwner | undefined
}

/** The head of a request, taken before its handler returns. */
export interface WireHead {
  readonly method: string
  /** The path with the query string. */
  readonly target: string
  readonly address: string
  readonly headers: Headers
}

/** A response of the HTTP server. After `onAborted` it must not be used. */
interface WireResponse extends OfferedResponse, BodySource {
  writeStatus(line: string): unknown
  writeHeader(name: string, value: string): unknown
  write(chunk: Uint8Array): unknown
  end(body?: Uint8Array, closesConnection?: boolean): unknown
  endWithoutBody(): unknown
}

/** The status in metrics of a request whose connection ended before it was answered. */
export const abandonedStatus = 499

interface ServingContext {
  readonly api: Api
  readonly unread: UnreadAnswers
  readonly bodies: UnfinishedBodies
  readonly places: RoutePlaces
  /** Called once with the status of the answer. */
  readonly onEnd: (status: number) => void
}

export interface RoutePlaces {
  /** Places of requests whose bodies are not complete yet. */
  readonly bodies: FairPlaces
  /** Places of requests whose bodies are complete, until their answers are taken. */
  readonly calls: FairPlaces
}

/** One request of a route, from its head to the end of its answer. */
export class Exchange {
  readonly #context: ServingContext
  readonly #route: AsyncRoute
  readonly #wire: WireResponse
  readonly #head: WireHead
  readonly #connection = new AbortController()
  #leave = () => {}
  #status = abandonedStatus
  #isOver = false

  constructor(context: ServingContext, route: AsyncRoute, wire: WireResponse, head: WireHead) {
    this.#context = context
    this.#route = route
    this.#wire = wire
    this.#head = head
  }

  begin(): void {
    const { api, bodies, places } = this.#context
    const { address, headers } = this.#head
    const route = this.#route
    const isInTurn = ownTurn()
    let account: number | undefined
    this.#wire.onAborted(() => {
      this.#connection.abort()
      if (isInTurn()) api.lostBefore(account)
      this.#end()
    })
    const early = refuseMalformed(api, this.#head) ?? this.#preflight()
    const admitted = early === undefined ? route.admit(this.#head, true) : { reply: early }
    const { reply } = admitted
    account = admitted.account
    if (reply !== undefined && reply.soon === undefined) {
      this.#refuse(reply)
      return
    }
    const contentLength = requestHeaderOf(headers, 'content-length')
    this.#leave = readBody(
      {
        ...{ api, bodies, places: places.bodies, source: this.#wire },
        bounds: { ...route.bodyBounds, contentLength },
        occupant: { account, address },
        soon: reply?.soon,
      },
      (refusal) => {
        this.#leave()
        this.#refuse(refusal)
      },
      (body, isLate) => {
        if (!isLate) this.#answerAs(admitted, body)
        else if (!this.#connection.signal.aborted) {
          this.#answerAs(route.admit(this.#head, false), body)
        }
      },
    )
  }

  #answerAs({ reply, account, owner }: AdmittedHead, body: Uint8Array): void {
    this.#leave()
    if (reply !== undefined) {
      this.#refuse(reply)
      return
    }
    const { api, places } = this.#context
    const leaveCalls = places.calls.take({ account, address: this.#head.address })
    if (leaveCalls === undefined) {
      this.#refuse(refuseForNow(api, 'requests are being answered'))
      return
    }
    this.#leave = leaveCalls
    void this.#answer({ ...this.#head, body, signal: this.#connection.signal, owner })
  }

  async #answer(request: RouteRequest): Promise<void> {
    const { api } = this.#context
    let answered: RouteResponse | undefined
    let part: Uint8Array | undefined = nothing
    try {
      const given = await this.#route.answer(request)
      if ('refusal' in given) return this.#refuse(given.refusal)
      answered = given
      part = await this.#write(answered)
    } catch (error) {
      // A cancelled request may fail in any way: its client is gone.
      if (request.signal.aborted) return
      this.#refuse(api.failed(error))
    } finally {
      answered?.settle?.(part)
    }
  }

  /** Returns undefined if all was written, else the part of a body at hand that was. */
  async #write({ status, headers, body }: RouteResponse): Promise<Uint8Array | undefined> {
    const { signal } = this.#connection
    if (signal.aborted) return nothing
    const wire = this.#wire
    const id = ['x-request-id', this.#context.api.nextRequestId()] as const
    const all = [noSniff, id, ...headers, ...this.#corsHeaders()].filter(isOfAnswer)
    if (body instanceof Uint8Array) {
      return new Promise((resolve) => {
        wire.cork(() => {
          this.#writeHead(status, all)
          if (this.#head.method !== 'HEAD') return this.#offer(body, resolve)
          wire.endWithoutBody()
          this.#end()
          resolve(undefined)
        })
      })
    }
    wire.cork(() => this.#writeHead(status, all))
    try {
      // Streams carry a few small events: a slow reader costs little and is not waited for.
      for await (const event of body) {
        // Leaving the loop cancels the stream.
        if (signal.aborted) return nothing
        wire.cork(() => wire.write(event))
      }
      if (signal.aborted) return nothing
      wire.cork(() => wire.end())
      this.#end()
      return undefined
    } catch (error) {
      if (signal.aborted) return nothing
      this.#context.api.failed(error)
      // A status was written already; closing the connection shows the client that the answer is cut.
      wire.close()
      this.#end()
      return nothing
    }
  }

  #refuse(reply: ApiReply): void {
    const wire = this.#wire
    wire.cork(() => {
      this.#writeHead(reply.status, [...reply.headers, ...this.#corsHeaders()])
      if (this.#head.method === 'HEAD' || reply.status === 204) wire.endWithoutBody()
      else if (reply.isLast === true) wire.end(reply.body, true)
      else return this.#offer(reply.body, () => {})
      this.#end()
    })
  }

  #writeHead(status: number, headers: HeaderPairs): void {
    this.#status = status
    this.#wire.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
    for (const [name, value] of headers) this.#wire.writeHeader(name, value)
  }

  #offer(body: Uint8Array, onOver: OnOffered): void {
    this.#context.unread.offer(this.#wire, body, (part) => {
      this.#end()
      onOver(part)
    })
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#leave()
    this.#context.onEnd(this.#status)
  }

  get #cors(): Cors | undefined {
    return this.#route.cors?.(targetPathOf(this.#head))
  }

  #preflight(): ApiReply | undefined {
    const requested = headerOf(this.#head, 'access-control-request-method')
    const origin = headerOf(this.#head, 'origin')
    const reply = this.#cors?.preflight(this.#head.method, origin, requested)
    return reply && this.#context.api.named(reply)
  }

  #corsHeaders(): HeaderPairs {
    return this.#cors?.headers(headerOf(this.#head, 'origin')) ?? []
  }
}

const nothing = new Uint8Array(0)

/** The HTTP server itself writes those about the connection. */
function isOfAnswer([name]: readonly [string, string]): boolean {
  return name !== 'content-length' && name !== 'connection'
}

/** The values of a header, joined with commas as HTTP specifies; undefined without any. */
export function requestHeaderOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter((header) => header[0] === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

export function headerOf({ headers }: Pick<WireHead, 'headers'>, name: string): string {
  return requestHeaderOf(headers, name) ?? ''
}

export function wrongMethod(api: Api, path: string, methods: readonly string[]): ApiReply {
  const allowed = methods.join(', ')
  const detail = `${path} answers ${allowed} only`
  return api.refuse({ code: 'method-not-allowed', detail }, [['Allow', allowed]])
}

export function targetPathOf({ target }: Pick<WireHead, 'target'>): string {
  const question = target.indexOf('?')
  return question < 0 ? target : target.slice(0, question)
}

/** Refuses a head that the HTTP server admits but of which no `Request` can be made. */
function refuseMalformed(api: Api, { method, target, headers }: WireHead): ApiReply | undefined {
  const refuse = (detail: string) => api.refuse({ code: 'malformed-request', detail })
  if (!areHeaders(headers)) return refuse('a header holds characters that no header may hold')
  const isAddressed = URL.canParse(`http://localhost${target}`)
  if (isAddressed && methodShape.test(method) && !forbiddenMethods.has(method)) return undefined
  return refuse('no request can have this method or this address')
}

/** A token, as HTTP spells a method; and the methods that the fetch standard forbids. */
const methodShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const forbiddenMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

function areHeaders(headers: Headers): boolean {
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return true
  } catch {
    return false
  }
}
