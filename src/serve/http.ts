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
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'

/** A listening server. */
export interface HttpServer {
  readonly port: number
  /**
   * Takes no more connections, answers what still arrives on those that are open and asks them to
   * close, and cuts those that stay idle. Takes less than 3 seconds.
   */
  readonly close: () => Promise<void>
}

/** A closing server cuts its connections when none has asked for anything this long, or at last. */
const quietMs = 250
const drainMsMax = 2_500

/** Status lines as uWebSockets.js wants them. */
const statusLines: Readonly<Record<number, string>> = {
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  402: '402 Payment Required',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/**
 * Listens and answers every request from the API. Several servers of one process may listen on one
 * port; the kernel spreads the connections over them.
 * @param port 0 takes a free one.
 * @returns undefined when the address cannot be listened on.
 */
export function listen(api: Api, host: string, port: number): Promise<HttpServer | undefined> {
  const server = new Server(api)
  return new Promise((resolve) => {
    server.app.listen(host, port, (socket) => {
      if (socket === false) return resolve(undefined)
      const close = () => server.close(socket)
      resolve({ port: us_socket_local_port(socket), close })
    })
  })
}

class Server {
  readonly app = App()
  readonly #api: Api
  #connections = 0
  #closing = false
  #answeredAtMs = 0

  constructor(api: Api) {
    this.#api = api
    this.app.any('/*', (response, request) => this.#answer(response, request))
    this.app.filter((_, change) => this.#countConnections(change))
  }

  async close(socket: us_listen_socket): Promise<void> {
    us_listen_socket_close(socket)
    this.#closing = true
    const startedMs = performance.now()
    this.#answeredAtMs = startedMs
    while (this.#connections > 0) {
      const nowMs = performance.now()
      if (nowMs - this.#answeredAtMs > quietMs || nowMs - startedMs > drainMsMax) break
      await sleep(10)
    }
    this.app.close()
  }

  #countConnections(change: number): void {
    this.#connections += change
  }

  #answer(response: HttpResponse, request: HttpRequest): void {
    const method = request.getCaseSensitiveMethod()
    const ifNoneMatch = request.getHeader('if-none-match')
    const reply = this.#api.answer({
      method,
      path: request.getUrl(),
      // Undefined where there is no `?`, whatever its type says.
      query: request.getQuery() ?? '',
      authorization: request.getHeader('authorization'),
      ...(ifNoneMatch === '' ? {} : { ifNoneMatch }),
    })
    if (reply.status !== 200) {
      response.writeStatus(statusLines[reply.status] ?? String(reply.status))
    }
    for (const [name, value] of reply.headers) response.writeHeader(name, value)
    if (this.#closing) this.#answeredAtMs = performance.now()
    if (method === 'HEAD' || reply.status === 304) response.endWithoutBody()
    else response.end(reply.body, this.#closing)
    this.#api.written(reply)
  }
}
