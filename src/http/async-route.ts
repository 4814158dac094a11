/**
 * A path that is answered asynchronously, for operations off the hot path. The body of a request is
 * bounded and read only after its head was admitted; a connection that ends cancels its
 * requests and is not written to again.
 */
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Api } from '../api/api.ts'
import { type ApiReply, copiedBytes, type HeaderPairs } from '../api/exchange.ts'
import { noSniff } from '../api/pipeline/response-headers.ts'
import type { KeyOwner } from '../ledger/live/keyring.ts'
import { ownTurn } from '../process/loop-turn.ts'
import type { Cors } from './cors.ts'
import { FairPlaces, refuseForNow } from './fair-places.ts'
import type { BodyBounds, BodySource, UnfinishedBodies } from './request-body.ts'
import type { OfferedResponse, OnOffered, UnreadAnswers } from './unread.ts'

/** Names and values in their order. */
type Headers = readonly (readonly [name: string, value: string])[]

/** A request, as the route gets it: HTTP allows the names and values of its headers. */
export interface RouteRequest extends Pick<WireHead, 'method' | 'target' | 'headers'> {
  /** Valid until `answer` first awaits anything. */
  readonly body: Uint8Array
  /** Fires when the connection ends before the request was answered. */
  readonly signal: AbortSignal
  /** The address of the client. */
  readonly address?: string
  /** The owner of its key, as `admit` returned it. */
  readonly owner?: KeyOwner | undefined
}

/** A response; its body is at hand, or comes piece by piece. */
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

/** Paths and the functions that serve them. */
export interface AsyncRoute {
  readonly paths: readonly string[]
  readonly bodyBounds: BodyBounds
  /**
   * Maximum of the requests that a server answers at once, and of those whose bodies are unfinished; one
   * more is refused.
   */
  readonly inFlightMax: number
  /** The web pages that may ask; undefined where only pages of the service itself may. @param path of the request. */
  readonly cors?: (path: string) => Cors | undefined
  /**
   * Checks the head before the body is read; a preflight was answered before.
   * @param canWait whether it is called again when the reply says `soon`, once the body is read.
   */
  readonly admit: (head: WireHead, canWait: boolean) => AdmittedHead
  readonly answer: (request: RouteRequest) => Promise<RouteResponse | RefusedRoute>
  /** Called when `answer` rejects, which is a bug; the request is answered with 500. */
  readonly onError: (error: unknown) => void
}

/** A refusal that came after the head was admitted. */
export interface RefusedRoute {
  readonly refusal: ApiReply
}

/** The outcome of `admit` for a head: a reply refuses the request, or answers it. */
interface AdmittedHead {
  readonly reply?: ApiReply | undefined
  /** The account that the request counts for; undefined if it needs no key. */
  readonly account?: number | undefined
  /** The owner of its key, if the route needs the owner. */
  readonly owner?: KeyOwner | undefined
}

/** The head of a request, taken before its handler returns. */
export interface WireHead {
  readonly method: string
  /** The path with the query string. */
  readonly target: string
  /** The address of the client. */
  readonly address: string
  readonly headers: Headers
}

/** A response of the HTTP server. After `onAborted` it must not be used. */
interface WireResponse extends OfferedResponse, BodySource {
  writeStatus(line: string): unknown
  writeHeader(name: string, value: string): unknown
  write(chunk: Uint8Array): unknown
  /** Ends it, and the connection too if the reply says so. */
  end(body?: Uint8Array, closesConnection?: boolean): unknown
  endWithoutBody(): unknown
}

/** Called once for every request when it is over, with the status of its answer. */
type OnEnd = (status: number) => void

/** The status in metrics of a request whose connection ended before it was answered. */
export const abandonedStatus = 499

/** Dependencies of serving a route. */
interface ServingContext {
  readonly api: Api
  readonly unread: UnreadAnswers
  readonly bodies: UnfinishedBodies
  readonly places: RoutePlaces
  readonly onEnd: OnEnd
}

/** The places of a route on one server. */
export class RoutePlaces {
  /** Places of requests whose bodies are not complete yet. */
  readonly bodies: FairPlaces
  /** Places of requests whose bodies are complete, until their answers are taken. */
  readonly calls: FairPlaces

  constructor({ inFlightMax }: Pick<AsyncRoute, 'inFlightMax'>) {
    this.bodies = new FairPlaces(inFlightMax)
    this.calls = new FairPlaces(inFlightMax)
  }
}

/** Answers one request of a route. */
export function serveAsync(
  { api, unread, bodies, places, onEnd }: ServingContext,
  route: AsyncRoute,
  wire: WireResponse,
  head: WireHead,
): void {
  const connection = new AbortController()
  let leave = () => {}
  const response = watched(wire, unread, (status) => {
    leave()
    onEnd(status)
  })
  const isInTurn = ownTurn()
  let account: number | undefined
  response.onAborted(() => {
    connection.abort()
    if (isInTurn()) api.lostBefore(account)
  })
  const refuse = (reply: ApiReply) => writeReply(route, response, head, reply)
  const early = refuseMalformed(api, head) ?? preflightReply(api, route, head)
  const admitted: AdmittedHead = early === undefined ? route.admit(head, true) : { reply: early }
  const { reply } = admitted
  account = admitted.account
  if (reply !== undefined && reply.soon === undefined) {
    refuse(reply)
    return
  }
  const leaveBodies = places.bodies.take({ account, address: head.address })
  if (leaveBodies === undefined) {
    refuse(refuseForNow(api, 'bodies are being read'))
    return
  }
  const contentLength = requestHeaderOf(head.headers, 'content-length')
  const bounds = { ...route.bodyBounds, contentLength }
  const answerAs = ({ reply, account, owner }: AdmittedHead, body: Uint8Array) => {
    if (reply !== undefined) {
      refuse(reply)
      return
    }
    const leaveCalls = places.calls.take({ account, address: head.address })
    if (leaveCalls === undefined) {
      refuse(refuseForNow(api, 'requests are being answered'))
      return
    }
    leave = leaveCalls
    const request = { ...head, body, signal: connection.signal, owner }
    void answer(api, route, response, head, request)
  }
  const drop = bodies.gather(wire, bounds, ({ body, problem, isCostly }) => {
    // The rest of a refused body is not read.
    if (problem !== undefined) {
      leave()
      refuse({ ...api.refuse(problem), isLast: isCostly })
      return
    }
    if (reply?.soon === undefined) {
      leave()
      answerAs(admitted, body)
      return
    }
    const kept = copiedBytes(body)
    void reply.soon.then(() => {
      if (connection.signal.aborted) return
      leave()
      answerAs(route.admit(head, false), kept)
    })
  })
  leave = () => {
    drop()
    leaveBodies()
  }
}

/** The values of a header, joined with commas as HTTP specifies; undefined without any. */
export function requestHeaderOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter((header) => header[0] === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The same; '' without any. */
export function headerOf({ headers }: Pick<WireHead, 'headers'>, name: string): string {
  return requestHeaderOf(headers, name) ?? ''
}

/** The 405 of a path that takes other methods. */
export function wrongMethod(api: Api, path: string, methods: readonly string[]): ApiReply {
  const allowed = methods.join(', ')
  const detail = `${path} answers ${allowed} only`
  return api.refuse({ code: 'method-not-allowed', detail }, [['Allow', allowed]])
}

function preflightReply(api: Api, { cors }: AsyncRoute, head: WireHead): ApiReply | undefined {
  const requested = headerOf(head, 'access-control-request-method')
  const reply = cors?.(targetPathOf(head))?.preflight(
    head.method,
    headerOf(head, 'origin'),
    requested,
  )
  return reply && api.named(reply)
}

function corsHeaders({ cors }: AsyncRoute, head: WireHead): HeaderPairs {
  return cors?.(targetPathOf(head))?.headers(headerOf(head, 'origin')) ?? []
}

/** The path of a target, without its query string. */
export function targetPathOf({ target }: Pick<WireHead, 'target'>): string {
  const question = target.indexOf('?')
  return question < 0 ? target : target.slice(0, question)
}

/** A response while it is answered. */
interface WatchedResponse
  extends Omit<WireResponse, keyof Omit<OfferedResponse, 'onAborted' | 'cork' | 'close'>> {
  /** Ends it no faster than the client reads it. */
  readonly offer: (body: Uint8Array, onOver: OnOffered) => void
}

/** A response that calls back when it is over, and whose answer is written as fast as the client reads it. */
function watched(wire: WireResponse, unread: UnreadAnswers, onEnd: OnEnd): WatchedResponse {
  let status = abandonedStatus
  let isOver = false
  const end = () => {
    if (!isOver) onEnd(status)
    isOver = true
  }
  return {
    writeStatus: (line) => {
      status = Number.parseInt(line, 10)
      wire.writeStatus(line)
    },
    writeHeader: (name, value) => wire.writeHeader(name, value),
    write: (chunk) => wire.write(chunk),
    offer: (body, onOver) =>
      unread.offer(wire, body, (part) => {
        end()
        onOver(part)
      }),
    end: (body, closesConnection = false) => {
      wire.end(body, closesConnection)
      end()
    },
    endWithoutBody: () => {
      wire.endWithoutBody()
      end()
    },
    close: () => {
      wire.close()
      end()
    },
    cork: (write) => wire.cork(write),
    onData: (handler) => wire.onData(handler),
    onAborted: (handler) =>
      wire.onAborted(() => {
        handler()
        end()
      }),
  }
}

async function answer(
  api: Api,
  route: AsyncRoute,
  response: WatchedResponse,
  head: WireHead,
  request: RouteRequest,
): Promise<void> {
  const { signal } = request
  let answered: RouteResponse | undefined
  let part: Uint8Array | undefined = nothing
  try {
    const given = await route.answer(request)
    if ('refusal' in given) return writeReply(route, response, head, given.refusal)
    answered = given
    const id = ['x-request-id', api.nextRequestId()] as const
    const headers = [id, ...answered.headers, ...corsHeaders(route, head)]
    part = await writeResponse(response, { ...answered, headers }, request, route.onError)
  } catch (error) {
    // A cancelled request may fail in any way: its client is gone.
    if (signal.aborted) return
    route.onError(error)
    const detail = 'the error was logged'
    writeReply(route, response, head, api.refuse({ code: 'internal-error', detail }))
  } finally {
    answered?.settle?.(part)
  }
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

const nothing = new Uint8Array(0)

/**
 * Writes a response at once, or piece by piece as its body comes. Returns undefined if all of it was written, else the
 * part of a body at hand that was.
 */
async function writeResponse(
  response: WatchedResponse,
  answer: RouteResponse,
  { method, signal }: RouteRequest,
  onError: AsyncRoute['onError'],
): Promise<Uint8Array | undefined> {
  if (signal.aborted) return nothing
  const { body } = answer
  if (body instanceof Uint8Array) {
    return new Promise((resolve) => {
      response.cork(() => {
        writeHead(response, answer)
        if (method !== 'HEAD') return void response.offer(body, resolve)
        response.endWithoutBody()
        resolve(undefined)
      })
    })
  }
  response.cork(() => writeHead(response, answer))
  try {
    // Streams carry a few small events: a slow reader costs little and is not waited for.
    for await (const event of body) {
      // Leaving the loop cancels the stream.
      if (signal.aborted) return nothing
      response.cork(() => response.write(event))
    }
    if (signal.aborted) return nothing
    response.cork(() => response.end())
    return undefined
  } catch (error) {
    if (signal.aborted) return nothing
    onError(error)
    // A status was written already; closing the connection shows the client that the answer is cut.
    response.close()
    return nothing
  }
}

/** Writes status and headers, except those about the connection, which the HTTP server itself writes. */
function writeHead(response: WatchedResponse, { status, headers }: RouteResponse): void {
  response.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
  response.writeHeader(...noSniff)
  for (const [name, value] of headers) {
    if (name !== 'content-length' && name !== 'connection') response.writeHeader(name, value)
  }
}

function writeReply(
  route: AsyncRoute,
  response: WatchedResponse,
  head: WireHead,
  reply: ApiReply,
): void {
  const headers = [...reply.headers, ...corsHeaders(route, head)]
  response.cork(() => {
    response.writeStatus(`${reply.status} ${STATUS_CODES[reply.status]}`)
    for (const [name, value] of headers) response.writeHeader(name, value)
    if (head.method === 'HEAD' || reply.status === 204) response.endWithoutBody()
    else if (reply.isLast === true) response.end(reply.body, true)
    else response.offer(reply.body, () => {})
  })
}
