/**
 * A path that is answered asynchronously, for operations off the hot path. The body of a request is
 * bounded and read only after its head was admitted; a connection that ends cancels its
 * requests and is not written to again.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Api } from '../api/api.ts'
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { noSniff } from '../api/pipeline/response-headers.ts'
import type { KeyOwner } from '../ledger/live/keyring.ts'
import { ownTurn } from '../process/loop-turn.ts'
import type { Cors } from './cors.ts'
import { type FairPlaces, refuseForNow } from './fair-places.ts'
import { abandonedStatus, type ReplyWriter, type WrittenReply, writeHead } from './reply-writer.ts'
import { type BodyBounds, readBody, type UnfinishedBodies } from './request-body.ts'
import type { HttpResponse } from './wire-library.ts'

/** A request, as the route gets it: HTTP allows the names and values of its headers. */
export interface RouteRequest extends Pick<WireHead, 'method' | 'target' | 'headers'> {
  /** Valid until `answer` first awaits anything. */
  readonly body: Uint8Array
  readonly signal: AbortSignal
  readonly address?: string
  readonly owner?: KeyOwner | undefined
}

/** A reply whose body may come as events. */
export interface RouteReply extends Omit<WrittenReply, 'body'> {
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
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
  readonly answer: (request: RouteRequest) => Promise<RouteReply>
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
  readonly headers: HeaderPairs
}

interface ServingContext {
  readonly api: Api
  readonly replies: ReplyWriter
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
  readonly #wire: HttpResponse
  readonly #head: WireHead
  readonly #connection = new AbortController()
  readonly #cors: Cors | undefined
  #leave = () => {}
  #status = abandonedStatus

  constructor(context: ServingContext, route: AsyncRoute, wire: HttpResponse, head: WireHead) {
    this.#context = context
    this.#route = route
    this.#wire = wire
    this.#head = head
    this.#cors = route.cors?.(targetPathOf(head))
  }

  begin(): void {
    const { api, bodies, places } = this.#context
    const { address, headers } = this.#head
    const { signal } = this.#connection
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
      this.#reply(reply)
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
      (refusal) => this.#reply(refusal),
      (body, isLate) => {
        if (!isLate) this.#answerAs(admitted, body)
        else if (!signal.aborted) this.#answerAs(route.admit(this.#head, false), body)
      },
    )
  }

  #answerAs({ reply, account, owner }: AdmittedHead, body: Uint8Array): void {
    this.#leave()
    if (reply !== undefined) {
      this.#reply(reply)
      return
    }
    const { api, places } = this.#context
    const leaveCalls = places.calls.take({ account, address: this.#head.address })
    if (leaveCalls === undefined) {
      this.#reply(refuseForNow(api, 'requests are being answered'))
      return
    }
    this.#leave = leaveCalls
    void this.#answer({ ...this.#head, body, signal: this.#connection.signal, owner })
  }

  async #answer(request: RouteRequest): Promise<void> {
    let reply: RouteReply
    try {
      reply = await this.#route.answer(request)
    } catch (error) {
      // A cancelled request may fail in any way: its client is gone.
      if (request.signal.aborted) return
      reply = this.#context.api.failed(error)
    }
    if (request.signal.aborted) reply.settle?.(nothing)
    else this.#reply(reply)
  }

  #reply(reply: RouteReply): void {
    const { body, settle } = reply
    this.#status = reply.status
    const cors = this.#cors?.headers(headerOf(this.#head, 'origin')) ?? []
    const onOver = (part?: Uint8Array) => {
      this.#end()
      settle?.(part)
    }
    if (body instanceof Uint8Array) {
      const written = { ...reply, body, settle: onOver }
      this.#wire.cork(() => {
        this.#context.replies.write(this.#wire, this.#head.method, written, cors)
      })
      return
    }
    this.#wire.cork(() => writeHead(this.#wire, { ...reply, body: nothing }, cors))
    void this.#sendEvents(body).then((isWhole) => (isWhole ? onOver() : settle?.(nothing)))
  }

  /** Returns whether all were sent. They are small and few: a slow reader costs little and is not waited for. */
  async #sendEvents(events: AsyncIterable<Uint8Array>): Promise<boolean> {
    const wire = this.#wire
    const { signal } = this.#connection
    try {
      for await (const event of events) {
        // Leaving the loop cancels the stream.
        if (signal.aborted) return false
        wire.cork(() => wire.write(event))
      }
      if (!signal.aborted) wire.cork(() => wire.end())
    } catch (error) {
      if (signal.aborted) return false
      this.#context.api.failed(error)
      // A status was written already; closing the connection shows the client that the answer is cut.
      wire.close()
    }
    return !signal.aborted
  }

  #end(): void {
    this.#leave()
    this.#context.onEnd(this.#status)
  }

  #preflight(): ApiReply | undefined {
    const requested = headerOf(this.#head, 'access-control-request-method')
    const origin = headerOf(this.#head, 'origin')
    const reply = this.#cors?.preflight(this.#head.method, origin, requested)
    return reply && this.#context.api.named(reply)
  }
}

const nothing = new Uint8Array(0)

/** Names the reply of an application, whose headers about the connection the HTTP server itself writes. */
export function namedReply<R extends RouteReply>(api: Api, given: R): R {
  const id = ['x-request-id', api.nextRequestId()] as const
  const headers = [noSniff, id, ...given.headers].filter(
    ([name]) => name !== 'content-length' && name !== 'connection',
  )
  return { ...given, headers }
}

/** The values of a header, joined with commas as HTTP specifies; undefined without any. */
export function requestHeaderOf(headers: HeaderPairs, name: string): string | undefined {
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

function areHeaders(headers: HeaderPairs): boolean {
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
