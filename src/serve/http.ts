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
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import type { Api } from './api.ts'

/** A listening server. */
export interface HttpServer {
  readonly port: number
  /** Takes no more connections and closes those that are idle. */
  readonly close: () => void
}

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
  const app = App()
  app.any('/*', (response, request) => answer(api, response, request))
  return new Promise((resolve) => {
    app.listen(host, port, (socket) => {
      if (socket === false) return resolve(undefined)
      resolve({
        port: us_socket_local_port(socket),
        close: () => {
          us_listen_socket_close(socket)
          app.close()
        },
      })
    })
  })
}

function answer(api: Api, response: HttpResponse, request: HttpRequest): void {
  const method = request.getCaseSensitiveMethod()
  const ifNoneMatch = request.getHeader('if-none-match')
  const reply = api.answer({
    method,
    path: request.getUrl(),
    // Undefined where there is no `?`, whatever its type says.
    query: request.getQuery() ?? '',
    authorization: request.getHeader('authorization'),
    ...(ifNoneMatch === '' ? {} : { ifNoneMatch }),
  })
  if (reply.status !== 200) response.writeStatus(statusLines[reply.status] ?? String(reply.status))
  for (const [name, value] of reply.headers) response.writeHeader(name, value)
  if (method === 'HEAD' || reply.status === 304) response.endWithoutBody()
  else response.end(reply.body)
  api.written(reply)
}
