/** The heads of responses: the lines before the body of a reply on the wire. */
import { STATUS_CODES } from 'node:http'
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { type HttpResponse, headerName } from './wire-library.ts'

const requestId = headerName('X-Request-Id')

/** Writes the status line and the headers; `more` are those that the reply does not have itself, and come last. */
export function writeHead(response: HttpResponse, reply: ApiReply, more: HeaderPairs): void {
  if (reply.status !== 200) {
    response.writeStatus(`${reply.status} ${STATUS_CODES[reply.status] ?? ''}`)
  }
  if (reply.head !== undefined) response.writeHeader(requestId, reply.head)
  for (const [name, value] of reply.headers) response.writeHeader(name, value)
  for (const [name, value] of more) response.writeHeader(name, value)
}

export function isBodiless(status: number): boolean {
  return status === 304 || status === 204
}
