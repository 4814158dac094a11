/**
 * HTTP on uWebSockets.js: its routes and its connections. A request is read and answered in one
 * synchronous step, so that nothing is kept of a request: uWebSockets.js itself drops all that an
 * aborted connection still sends, and hands pipelined requests over one after the other. A
 * connection may be reset at any time, also within the step: `reply-writer.ts` takes care of that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import { codedReply } from '../api/content-coding.ts'
import type { ApiReply } from '../api/exchange.ts'
import type { AddressLimit } from '../api/limits/rate-limit.ts'
import { limits } from '../limits.ts'
import { operationAt } from '../operation-paths.ts'
import {
  getRouteNames,
  isRoute,
  operations,
  postRouteNames,
  type RouteName,
} from '../operations.ts'
import type { CountedRoute, ThreadMetrics } from '../telemetry/metrics.ts'
import { type AsyncRoute, beginExchange, type RoutePlaces } from './async-route.ts'
import { ClientAddresses } from './client-address.ts'
import { type Cors, routesCors } from './cors.ts'
import { FairPlaces } from './fair-places.ts'
import { answerPosted } from './posted-requests.ts'
import { abandonedStatus, ReplyWriter } from './reply-writer.ts'
import { UnfinishedBodies } from './request-body.ts'
import { appOf, type TlsFiles } from './tls.ts'
import { UnreadAnswers } from './unread.ts'
import {
  type HttpRequest,
  type HttpResponse,
  headerName,
  type ListenSocket,
  loadWireLibrary,
  type WireApp,
  type WireLibrary,
} from './wire-library.ts'
import {
  forwardedForOf,
  framingFault,
  headOf,
  isTrailer,
  keptRequestOf,
  postedHeadOf,
  WireRequest,
} from './wire-request.ts'

export interface HttpServer {
  readonly port: number
  /** Takes no more connections, answers what still arrives on open ones, asks those to close, cuts idle ones: within 3 s. */
  readonly close: () => Promise<void>
  readonly cut: () => void
}

/**
 * A closing server cuts its connections after this time without a request, or at the end of the drain. It
 * asks none to close earlier: requests that a client had sent behind the last one would be lost.
 */
const quietMs = 250
const drainMsMax = 2_500
const slowBodiesMs = 1_000

const headerNames = {
  ifNoneMatch: headerName('if-none-match'),
  authorization: headerName('authorization'),
  origin: headerName('origin'),
  requestedMethod: headerName('access-control-request-method'),
}

/** The reply of a page at a path of its own; undefined where there is none. @param header '' for one that is absent. */
export type Pages = (
  method: string,
  path: string,
  header: (name: string) => string,
) => ApiReply | undefined

/** Metrics, limits and options are off if they are not given. */
export interface ServerOptions {
  readonly api: Api
  readonly asyncRoutes?: readonly AsyncRoute[]
  /** Pages, answered beside the API, too; a published path has precedence. */
  readonly pages?: Pages | undefined
  readonly metrics?: ThreadMetrics
  /** Maximum of connections of all servers that count in the same memory; 0 is no limit. */
  readonly connectionsMax?: number
  readonly connectionLimit?: AddressLimit | undefined
  readonly corsOrigins?: readonly string[]
  readonly trustedProxies?: readonly string[]
  /** Files that are known to be good; undefined for plain HTTP. */
  readonly tls?: TlsFiles | undefined
  readonly unreadBytesMax?: number
}

/**
 * Listens and answers every request. Several servers of one process may listen on one
 * port; the kernel spreads the connections over them.
 * @param port 0 takes a free one.
 * @returns undefined when the address cannot be listened on.
 */
export async function listen(
  options: ServerOptions,
  host: string,
  port: number,
): Promise<HttpServer | undefined> {
  const wire = await loadWireLibrary()
  if (wire === undefined) throw new Error('no build of uWebSockets.js loads here')
  const server = new Server(options, wire.library)
  return new Promise((resolve) => {
    server.app.listen(host, port, (socket) => {
      if (socket === false) return resolve(undefined)
      const boundPort = wire.library.us_socket_local_port(socket)
      resolve({ port: boundPort, close: () => server.close(socket), cut: () => server.cut() })
    })
  })
}

class Server {
  readonly app: WireApp
  readonly #library: WireLibrary
  readonly #options: ServerOptions
  readonly #api: Api
  readonly #metrics: ThreadMetrics | undefined
  readonly #cors: Cors
  readonly #addresses: ClientAddresses
  readonly #replies: ReplyWriter
  readonly #bodies: UnfinishedBodies
  readonly #posted = new FairPlaces(limits.batchesInFlightMax)
  readonly #slowTimer = setInterval(() => this.#bodies.refuseSlow(), slowBodiesMs).unref()
  readonly #wire = new WireRequest((response, request) => this.#addressOf(response, request))
  readonly #acceptEncoding = () => this.#wire.acceptEncoding()
  #connections = 0
  #closing = false
  #answeredAtMs = 0

  constructor(options: ServerOptions, library: WireLibrary) {
    const { api, asyncRoutes = [], metrics, unreadBytesMax = Number.MAX_SAFE_INTEGER } = options
    this.app = appOf(library, options.tls)
    this.#library = library
    this.#options = options
    this.#api = api
    this.#metrics = metrics
    this.#cors = routesCors(options.corsOrigins ?? [])
    this.#addresses = new ClientAddresses(options.trustedProxies ?? [])
    const onGone = () => metrics?.count('untaken_total')
    const unread = new UnreadAnswers({
      bytesMax: unreadBytesMax,
      random: Math.random,
      clock: performance.now.bind(performance),
      onChange: (bytes) => metrics?.count('unread_bytes', bytes),
      onUntaken: onGone,
    })
    this.#bodies = new UnfinishedBodies(api, performance.now.bind(performance))
    this.#replies = new ReplyWriter({ api, unread, onGone })
    for (const name of getRouteNames) {
      for (const path of operations[name].paths) {
        // The API itself finds the route of a path that holds a value.
        if (path.includes('{')) continue
        this.app.get(path, (response, request) => this.#answerRoute(name, path, response, request))
      }
    }
    for (const name of postRouteNames) {
      for (const path of operations[name].paths) {
        this.app.post(path, (response, request) => this.#answerBody(name, path, response, request))
      }
    }
    for (const route of asyncRoutes) {
      const { inFlightMax } = route
      const places = { bodies: new FairPlaces(inFlightMax), calls: new FairPlaces(inFlightMax) }
      for (const path of route.paths) {
        this.app.any(path, (response, request) =>
          this.#answerAsync(route, places, response, request),
        )
      }
    }
    this.app.any('/*', (response, request) => this.#answer(response, request))
    this.app.filter((response, change) => this.#countConnections(response, change))
  }

  async close(socket: ListenSocket): Promise<void> {
    this.#library.us_listen_socket_close(socket)
    this.#closing = true
    const startedMs = performance.now()
    this.#answeredAtMs = startedMs
    while (this.#connections > 0) {
      const nowMs = performance.now()
      const isQuiet = nowMs - this.#answeredAtMs > quietMs
      if (isQuiet || nowMs - startedMs > drainMsMax) break
      this.#replies.isParting = nowMs - startedMs > quietMs
      await sleep(10)
    }
    this.cut()
  }

  cut(): void {
    clearInterval(this.#slowTimer)
    this.app.close()
  }

  /** Counts a connection; closes one beyond a limit before anything is read from it. */
  #countConnections(response: HttpResponse, change: number): void {
    this.#connections += change
    const metrics = this.#metrics
    metrics?.count('connections', change)
    if (change < 0 || !(this.#areTooMany() || this.#comesTooOften(response))) return
    metrics?.count('connections_refused_total')
    response.close()
  }

  #areTooMany(): boolean {
    const { connectionsMax = 0 } = this.#options
    if (connectionsMax === 0) return false
    return (this.#metrics?.connectionsOpen() ?? this.#connections) > connectionsMax
  }

  /** Whether an address connects too often; never of a trusted proxy, which connects for many clients. */
  #comesTooOften(response: HttpResponse): boolean {
    const { connectionLimit } = this.#options
    if (connectionLimit === undefined) return false
    const remote = response.getRemoteAddress()
    if (this.#addresses.isProxy(remote)) return false
    return connectionLimit(this.#addresses.of(remote, '')) < 0
  }

  /** Answers a GET of a route: its method and path are known and need not be read from the wire. */
  #answerRoute(name: RouteName, path: string, response: HttpResponse, request: HttpRequest): void {
    const origin = this.#cors.isOn ? request.getHeader(headerNames.origin) : ''
    if (this.#refuseAmbiguous(response, request, this.#addresses.hasProxies)) return
    const taken = this.#take('GET', path, name, response, request)
    this.#reply(name, response, taken, this.#api.answer(taken), origin, true)
  }

  /**
   * Writes a reply, or asks again when the key of its request was looked up, which is rare: uWebSockets.js ends a connection
   * that has sent more requests behind it.
   * @param isCoded whether it is compressed for a client that accepts that.
   */
  #reply(
    counted: CountedRoute,
    response: HttpResponse,
    wire: WireRequest,
    reply: ApiReply,
    origin: string,
    isCoded: boolean,
  ): void {
    if (reply.soon === undefined) {
      const accepted = isCoded ? this.#acceptEncoding : undefined
      this.#writeAnswer(counted, response, wire.method, reply, origin, accepted)
      return
    }
    const kept = keptRequestOf(wire)
    const accepted = isCoded ? kept.acceptEncoding : undefined
    let isGone = false
    response.onAborted(() => {
      isGone = true
    })
    void reply.soon.then(() => {
      if (isGone) return
      response.cork(() =>
        this.#writeAnswer(counted, response, kept.method, this.#api.answer(kept), origin, accepted),
      )
    })
  }

  /** @param acceptEncoding undefined for an answer that is never compressed here. */
  #writeAnswer(
    counted: CountedRoute,
    response: HttpResponse,
    method: string,
    reply: ApiReply,
    origin: string,
    acceptEncoding?: () => string,
  ): void {
    const coded = acceptEncoding === undefined ? reply : codedReply(reply, acceptEncoding)
    this.#write(response, method, coded, origin)
    this.#metrics?.answered(counted, reply.status, reply.seconds)
  }

  #answerBody(name: RouteName, path: string, response: HttpResponse, request: HttpRequest): void {
    const origin = this.#cors.isOn ? request.getHeader(headerNames.origin) : ''
    if (this.#refuseAmbiguous(response, request)) return
    const answered = this.#timed(name)
    const head = postedHeadOf(this.#take('POST', path, undefined, response, request))
    answerPosted(
      { api: this.#api, bodies: this.#bodies, places: this.#posted },
      response,
      head,
      (reply) =>
        response.cork(() => {
          this.#write(response, 'POST', codedReply(reply, head.acceptEncoding), origin)
          answered(reply.status)
        }),
      () => answered(abandonedStatus),
    )
  }

  #answer(response: HttpResponse, request: HttpRequest): void {
    if (this.#endAtTrailer(response, request) || this.#refuseAmbiguous(response, request)) return
    const method = request.getCaseSensitiveMethod()
    const path = request.getUrl()
    const origin = this.#cors.isOn ? request.getHeader(headerNames.origin) : ''
    const requestedMethod = request.getHeader(headerNames.requestedMethod)
    const preflight = this.#cors.preflight(method, origin, requestedMethod)
    const wire = this.#take(method, path, undefined, response, request)
    const reply =
      preflight === undefined
        ? (this.#options.pages?.(method, path, (header) => request.getHeader(header)) ??
          this.#api.answer(wire))
        : this.#api.named(preflight)
    const name = operationAt(path)
    const counted = name !== undefined && isRoute(name) ? name : 'other'
    this.#reply(counted, response, wire, reply, origin, false)
  }

  /** Ends the connection of a trailer, which is no request: an answer would reach the client of the next request. */
  #endAtTrailer(response: HttpResponse, request: HttpRequest): boolean {
    if (!isTrailer(request)) return false
    this.#replies.endUnanswered(response)
    return true
  }

  #refuseAmbiguous(response: HttpResponse, request: HttpRequest, isEach = true): boolean {
    const detail = framingFault(request, isEach)
    if (detail === undefined) return false
    const reply = this.#api.refuse({ code: 'malformed-request', detail })
    this.#replies.writeLast(response, reply)
    this.#metrics?.answered('other', reply.status, reply.seconds)
    return true
  }

  /** The request as the API takes it; valid until the next. */
  #take(
    method: string,
    path: string,
    route: RouteName | undefined,
    response: HttpResponse,
    request: HttpRequest,
  ): WireRequest {
    const wire = this.#wire
    wire.method = method
    wire.path = path
    wire.route = route
    // Undefined without a `?`, against its type.
    wire.query = request.getQuery() ?? ''
    wire.authorization = request.getHeader(headerNames.authorization)
    wire.ifNoneMatch = request.getHeader(headerNames.ifNoneMatch)
    wire.response = response
    wire.request = request
    return wire
  }

  #write(response: HttpResponse, method: string, reply: ApiReply, origin: string): void {
    if (this.#closing) this.#answeredAtMs = performance.now()
    this.#replies.write(response, method, reply, this.#cors.headers(origin))
  }

  #answerAsync(
    route: AsyncRoute,
    places: RoutePlaces,
    response: HttpResponse,
    request: HttpRequest,
  ): void {
    if (this.#endAtTrailer(response, request) || this.#refuseAmbiguous(response, request)) return
    const answered = this.#timed('other')
    this.#metrics?.count('in_flight')
    const head = headOf(request, this.#addressOf(response, request))
    const onEnd = (status: number) => {
      this.#metrics?.count('in_flight', -1)
      answered(status)
    }
    const parts = { api: this.#api, replies: this.#replies, bodies: this.#bodies, places }
    beginExchange({ ...parts, onEnd }, route, response, head)
  }

  /** Counts a request that begins now, when its status is known. */
  #timed(counted: CountedRoute): (status: number) => void {
    const startedMs = performance.now()
    return (status) =>
      this.#metrics?.answered(counted, status, (performance.now() - startedMs) / 1000)
  }

  /** The address of the client; to be called before the handler returns. */
  #addressOf(response: HttpResponse, request: HttpRequest): string {
    const addresses = this.#addresses
    const forwardedFor = addresses.hasProxies ? forwardedForOf(request) : ''
    return addresses.of(response.getRemoteAddress(), forwardedFor)
  }
}
