/**
 * HTTP on uWebSockets.js: the only file that knows it. A request is read, answered and written in
 * one synchronous step, so that a connection cannot be aborted in between and nothing is kept of a
 * request: uWebSockets.js itself drops what an aborted connection still sends, and hands pipelined
 * requests over one after the other.
 */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, ApiReply } from '../api/api.ts'
import type { HotRoute } from '../api/fast/hot-path.ts'
import { routeOf } from '../api/routes.ts'
import type { ThreadMetrics } from '../telemetry/metrics.ts'
import { type AsyncRoute, serveAsync, type WireHead } from './async-route.ts'
import { ClientAddresses } from './client-address.ts'
import { Cors } from './cors.ts'
import type { TlsFiles } from './tls.ts'

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
 * Names of headers on the hot path. As bytes, because of a text uWebSockets.js makes a copy: 0.5 µs
 * less for a request that asks for two headers and writes one (measured; 3.3 µs instead of 3.8).
 */
const headerNames = {
  ifNoneMatch: Buffer.from('if-none-match'),
  authorization: Buffer.from('authorization'),
  requestId: Buffer.from('X-Request-Id'),
}

/** Who answers requests. */
export interface Answerers {
  /** Every request that nobody else answers. */
  readonly api: Api
  /** Requests that will be answered with 200; absent where every request is to pass the API. */
  readonly hotRoutes?: readonly HotRoute[] | undefined
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
export function listen(
  answerers: Answerers,
  host: string,
  port: number,
  watch: Watch = {},
): Promise<HttpServer | undefined> {
  const server = new Server(answerers, watch)
  return new Promise((resolve) => {
    server.app.listen(host, port, (socket) => {
      if (socket === false) return resolve(undefined)
      const close = () => server.close(socket)
      const cut = () => void server.app.close()
      resolve({ port: us_socket_local_port(socket), close, cut })
    })
  })
}

class Server {
  readonly app: TemplatedApp
  readonly #api: Api
  readonly #metrics: ThreadMetrics | undefined
  readonly #connectionsMax: number
  readonly #cors: Cors
  readonly #addresses: ClientAddresses
  #connections = 0
  #closing = false
  #parting = false
  #answeredAtMs = 0

  constructor({ api, hotRoutes = [], asyncRoute }: Answerers, watch: Watch) {
    this.app = appOf(watch.tls)
    this.#api = api
    this.#metrics = watch.metrics
    this.#connectionsMax = watch.connectionsMax ?? 0
    this.#cors = new Cors(watch.corsOrigins ?? [])
    this.#addresses = new ClientAddresses(watch.trustedProxies ?? [])
    for (const hotRoute of hotRoutes) {
      const answer = (response: HttpResponse, request: HttpRequest) =>
        this.#answerHot(hotRoute, response, request)
      const { path } = hotRoute.route
      this.app.get(path, answer).get(`${path}/`, answer)
    }
    if (asyncRoute !== undefined) {
      this.app.any(asyncRoute.path, (response, request) =>
        this.#answerAsync(asyncRoute, response, request),
      )
    }
    this.app.any('/*', (response, request) => this.#answer(response, request))
    this.app.filter((response, change) => this.#countConnections(response, change))
  }

  async close(socket: us_listen_socket): Promise<void> {
    us_listen_socket_close(socket)
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

  /** Answers with two calls to the wire what will be a 200; leaves anything else to the API. */
  #answerHot(hotRoute: HotRoute, response: HttpResponse, request: HttpRequest): void {
    const isAnswered =
      !this.#closing &&
      request.getHeader(headerNames.ifNoneMatch) === '' &&
      !(this.#cors.isOn && request.getHeader('origin') !== '') &&
      hotRoute.answer(request.getQuery() ?? '', request.getHeader(headerNames.authorization))
    if (!isAnswered) {
      this.#answer(response, request)
      return
    }
    response.writeHeader(headerNames.requestId, hotRoute.head)
    response.end(hotRoute.body)
    hotRoute.written()
    this.#metrics?.answered(hotRoute.route.name, 200, hotRoute.seconds)
  }

  #answer(response: HttpResponse, request: HttpRequest): void {
    const startedMs = performance.now()
    const method = request.getCaseSensitiveMethod()
    const ifNoneMatch = request.getHeader('if-none-match')
    const path = request.getUrl()
    const origin = this.#cors.isOn ? request.getHeader('origin') : ''
    const requestedMethod = request.getHeader('access-control-request-method')
    const reply =
      this.#cors.preflight(method, origin, requestedMethod) ??
      this.#api.answer({
        method,
        path,
        // Undefined where there is no `?`, whatever its type says.
        query: request.getQuery() ?? '',
        authorization: request.getHeader('authorization'),
        address: () => this.#addressOf(response, request),
        ...(ifNoneMatch === '' ? {} : { ifNoneMatch }),
      })
    this.#write(response, method, reply, this.#cors.headers(origin))
    const seconds = (performance.now() - startedMs) / 1000
    this.#metrics?.answered(routeOf(path)?.name ?? 'other', reply.status, seconds)
  }

  #write(response: HttpResponse, method: string, reply: ApiReply, more: ApiReply['headers']): void {
    if (reply.status !== 200) {
      response.writeStatus(statusLines[reply.status] ?? String(reply.status))
    }
    for (const [name, value] of reply.headers) response.writeHeader(name, value)
    for (const [name, value] of more) response.writeHeader(name, value)
    if (this.#closing) this.#answeredAtMs = performance.now()
    if (method === 'HEAD' || isBodiless(reply.status)) response.endWithoutBody()
    else response.end(reply.body, this.#parting)
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

function appOf(tls: TlsFiles | undefined): TemplatedApp {
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
