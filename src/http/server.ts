/**
 * HTTP on uWebSockets.js: the only file that uses it. A request is read, answered and written in
 * one synchronous step, so that a connection cannot be aborted in between and nothing is kept of a
 * request: uWebSockets.js itself drops what an aborted connection still sends, and hands pipelined
 * requests over one after the other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import type { ApiReply, ApiRequest, HeaderPairs } from '../api/exchange.ts'
import { isRoute, operationAt, operations, type RouteName, routeNames } from '../operations.ts'
import type { ThreadMetrics } from '../telemetry/metrics.ts'
import { type AsyncRoute, serveAsync, type WireHead } from './async-route.ts'
import { ClientAddresses } from './client-address.ts'
import { type Cors, routesCors } from './cors.ts'
import type { TlsFiles } from './tls.ts'
import {
  type HttpRequest,
  type HttpResponse,
  type ListenSocket,
  loadWireLibrary,
  type WireApp,
  type WireLibrary,
} from './wire-library.ts'

/** A listening server. */
export interface HttpServer {
  readonly port: number
  /**
   * Takes no more connections, answers what still arrives on those that are open, then asks them
   * to close, and cuts those that stay idle. Takes less than 3 seconds.
   */
  readonly close: () => Promise<void>
  /** Closes every socket at once. */
  readonly cut: () => void
}

/**
 * A closing server cuts its connections when none has asked for anything this long, or at last. It
 * asks none to close before: what a client had sent behind the request would be lost.
 */
const quietMs = 250
const drainMsMax = 2_500

/** Status lines as uWebSockets.js wants them. */
const statusLines: Readonly<Record<number, string>> = {
  204: '204 No Content',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  402: '402 Payment Required',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/**
 * Names of headers. As bytes, because of a text uWebSockets.js makes a copy: 0.5 µs
 * less for a request that asks for two headers and writes one (measured; 3.3 µs instead of 3.8).
 */
const headerNames = {
  ifNoneMatch: Buffer.from('if-none-match'),
  authorization: Buffer.from('authorization'),
  requestId: Buffer.from('X-Request-Id'),
  origin: Buffer.from('origin'),
  requestedMethod: Buffer.from('access-control-request-method'),
}

/** Who answers requests. */
export interface Answerers {
  /** Every request to the API. */
  readonly api: Api
  /** A path that is answered beside the API. */
  readonly asyncRoute?: AsyncRoute | undefined
}

/** What a server is watched and guarded by; nothing where nothing is given. */
export interface Watch {
  readonly metrics?: ThreadMetrics
  /** Connections of all servers that count in the same memory; 0 is no limit. */
  readonly connectionsMax?: number
  /** Web origins whose pages may read answers. */
  readonly corsOrigins?: readonly string[]
  /** Addresses and networks of proxies whose word is taken. */
  readonly trustedProxies?: readonly string[]
  /** Files that are known to be good; undefined for plain HTTP. */
  readonly tls?: TlsFiles | undefined
}

/**
 * Listens and answers every request. Several servers of one process may listen on one
 * port; the kernel spreads the connections over them.
 * @param port 0 takes a free one.
 * @returns undefined when the address cannot be listened on.
 */
export async function listen(
  answerers: Answerers,
  host: string,
  port: number,
  watch: Watch = {},
): Promise<HttpServer | undefined> {
  const wire = await loadWireLibrary()
  if (wire === undefined) throw new Error('no build of uWebSockets.js loads here')
  const server = new Server(answerers, watch, wire.library)
  return new Promise((resolve) => {
    server.app.listen(host, port, (socket) => {
      if (socket === false) return resolve(undefined)
      const close = () => server.close(socket)
      const cut = () => void server.app.close()
      resolve({ port: wire.library.us_socket_local_port(socket), close, cut })
    })
  })
}

class Server {
  readonly app: WireApp
  readonly #library: WireLibrary
  readonly #api: Api
  readonly #metrics: ThreadMetrics | undefined
  readonly #connectionsMax: number
  readonly #cors: Cors
  readonly #addresses: ClientAddresses
  readonly #wire = new WireRequest((response, request) => this.#addressOf(response, request))
  #connections = 0
  #closing = false
  #parting = false
  #answeredAtMs = 0

  constructor({ api, asyncRoute }: Answerers, watch: Watch, library: WireLibrary) {
    this.app = appOf(library, watch.tls)
    this.#library = library
    this.#api = api
    this.#metrics = watch.metrics
    this.#connectionsMax = watch.connectionsMax ?? 0
    this.#cors = routesCors(watch.corsOrigins ?? [])
    this.#addresses = new ClientAddresses(watch.trustedProxies ?? [])
    for (const name of routeNames) {
      for (const path of operations[name].paths) {
        this.app.get(path, (response, request) => this.#answerRoute(name, path, response, request))
      }
    }
    if (asyncRoute !== undefined) {
      this.app.any(asyncRoute.path, (response, request) =>
        this.#answerAsync(asyncRoute, response, request),
      )
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
      if (nowMs - this.#answeredAtMs > quietMs || nowMs - startedMs > drainMsMax) break
      this.#parting = nowMs - startedMs > quietMs
      await sleep(10)
    }
    this.app.close()
  }

  /** A connection too many is closed before anything is read from it. */
  #countConnections(response: HttpResponse, change: number): void {
    this.#connections += change
    const metrics = this.#metrics
    metrics?.change('connections', change)
    if (change < 0 || this.#connectionsMax === 0) return
    const open = metrics?.connectionsOpen() ?? this.#connections
    if (open <= this.#connectionsMax) return
    metrics?.count('connectionsRefused')
    response.close()
  }

  /** A GET of a route: what is known of it need not be asked of the wire. */
  #answerRoute(name: RouteName, path: string, response: HttpResponse, request: HttpRequest): void {
    const origin = this.#cors.isOn ? request.getHeader(headerNames.origin) : ''
    const reply = this.#api.answer(this.#take('GET', path, response, request))
    this.#write(response, 'GET', reply, this.#cors.headers(origin))
    this.#metrics?.answered(name, reply.status, reply.seconds)
  }

  #answer(response: HttpResponse, request: HttpRequest): void {
    const method = request.getCaseSensitiveMethod()
    const path = request.getUrl()
    const origin = this.#cors.isOn ? request.getHeader(headerNames.origin) : ''
    const requestedMethod = request.getHeader(headerNames.requestedMethod)
    const reply =
      this.#cors.preflight(method, origin, requestedMethod) ??
      this.#api.answer(this.#take(method, path, response, request))
    this.#write(response, method, reply, this.#cors.headers(origin))
    const name = operationAt(path)
    const counted = name !== undefined && isRoute(name) ? name : 'other'
    this.#metrics?.answered(counted, reply.status, reply.seconds)
  }

  /** The request as the API takes it; valid until the next. */
  #take(method: string, path: string, response: HttpResponse, request: HttpRequest): ApiRequest {
    const wire = this.#wire
    wire.method = method
    wire.path = path
    // Undefined where there is no `?`, whatever its type says.
    wire.query = request.getQuery() ?? ''
    wire.authorization = request.getHeader(headerNames.authorization)
    wire.ifNoneMatch = request.getHeader(headerNames.ifNoneMatch)
    wire.response = response
    wire.request = request
    return wire
  }

  #write(response: HttpResponse, method: string, reply: ApiReply, more: HeaderPairs): void {
    if (reply.status !== 200) {
      response.writeStatus(statusLines[reply.status] ?? String(reply.status))
    }
    if (reply.head !== undefined) response.writeHeader(headerNames.requestId, reply.head)
    for (const [name, value] of reply.headers) response.writeHeader(name, value)
    for (const [name, value] of more) response.writeHeader(name, value)
    if (this.#closing) this.#answeredAtMs = performance.now()
    if (method === 'HEAD' || isBodiless(reply.status)) response.endWithoutBody()
    else if (this.#parting) response.end(reply.body, true)
    else response.end(reply.body)
    this.#api.written(reply)
  }

  #answerAsync(route: AsyncRoute, response: HttpResponse, request: HttpRequest): void {
    const startedMs = performance.now()
    const metrics = this.#metrics
    metrics?.change('inFlight', 1)
    const head = headOf(request, this.#addressOf(response, request))
    serveAsync(this.#api, route, response, head, (status) => {
      metrics?.change('inFlight', -1)
      metrics?.answered('other', status, (performance.now() - startedMs) / 1000)
    })
  }

  /** To be asked before the handler returns. */
  #addressOf(response: HttpResponse, request: HttpRequest): string {
    const addresses = this.#addresses
    const forwardedFor = addresses.hasProxies ? forwardedForOf(request) : ''
    return addresses.of(response.getRemoteAddress(), forwardedFor)
  }
}

/** A request on the wire; one for all requests of a server, because each is answered in one step. */
class WireRequest implements ApiRequest {
  method = ''
  path = ''
  query = ''
  authorization = ''
  ifNoneMatch = ''
  response: HttpResponse | undefined
  request: HttpRequest | undefined
  readonly #addressOf: (response: HttpResponse, request: HttpRequest) => string

  constructor(addressOf: (response: HttpResponse, request: HttpRequest) => string) {
    this.#addressOf = addressOf
  }

  address(): string {
    return this.#addressOf(this.response!, this.request!)
  }
}

function appOf({ App, SSLApp }: WireLibrary, tls: TlsFiles | undefined): WireApp {
  return tls === undefined ? App() : SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key })
}

function isBodiless(status: number): boolean {
  return status === 304 || status === 204
}

/** A proxy may add a header of its own behind the one that it was sent, so all of them count. */
function forwardedForOf(request: HttpRequest): string {
  const values: string[] = []
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') values.push(value)
  })
  return values.join(',')
}

function headOf(request: HttpRequest, address: string): WireHead {
  const headers: [string, string][] = []
  request.forEach((name, value) => {
    headers.push([name, value])
  })
  // Undefined where there is no `?`, whatever its type says.
  const query = request.getQuery() ?? ''
  const target = query === '' ? request.getUrl() : `${request.getUrl()}?${query}`
  return { method: request.getCaseSensitiveMethod(), target, address, headers }
}
