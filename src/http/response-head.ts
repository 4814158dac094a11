/** The heads of responses: what stands before the body of a reply on the wire. */
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import type { HttpResponse } from './wire-library.ts'

/** Status lines as uWebSockets.js wants them. */
const statusLines: Readonly<Record<number, string>> = {
  204: '204 No Content',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  402: '402 Payment Required',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  410: '410 Gone',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** As bytes, because of a text uWebSockets.js makes a copy. */
const requestId = Buffer.from('X-Request-Id')

/** The status line and the headers, those of all answers that a reply does not have itself last. */
export function writeHead(response: HttpResponse, reply: ApiReply, more: HeaderPairs): void {
  if (reply.status !== 200) {
    response.writeStatus(statusLines[reply.status] ?? String(reply.status))
  }
  if (reply.head !== undefined) response.writeHeader(requestId, reply.head)
  for (const [name, value] of reply.headers) response.writeHeader(name, value)
  for (const [name, value] of more) response.writeHeader(name, value)
}

/** Whether replies of a status have no body, not even an empty one. */
export function isBodiless(status: number): boolean {
  return status === 304 || status === 204
}
