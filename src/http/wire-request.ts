/**
 * Requests as uWebSockets.js has them while their handler runs, for those who take them: the API at
 * once, a route that takes its time as a copy of the head.
 */
import type { ApiRequest } from '../api/exchange.ts'
import type { RouteName } from '../operations.ts'
import type { WireHead } from './async-route.ts'
import type { HttpRequest, HttpResponse } from './wire-library.ts'

/** A request on the wire; one for all requests of a server, because each is answered in one step. */
export class WireRequest implements ApiRequest {
  method = ''
  path = ''
  route: RouteName | undefined
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

  acceptEncoding(): string {
    return this.request!.getHeader('accept-encoding')
  }
}

/** A proxy may add a header of its own behind the one that it was sent, so all of them count. */
export function forwardedForOf(request: HttpRequest): string {
  const values: string[] = []
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') values.push(value)
  })
  return values.join(',')
}

/** The head of a request, to be taken before its handler returns. */
export function headOf(request: HttpRequest, address: string): WireHead {
  const headers: [string, string][] = []
  request.forEach((name, value) => {
    headers.push([name, value])
  })
  // Undefined where there is no `?`, whatever its type says.
  const query = request.getQuery() ?? ''
  const target = query === '' ? request.getUrl() : `${request.getUrl()}?${query}`
  return { method: request.getCaseSensitiveMethod(), target, address, headers }
}

/** As bytes, because of a text uWebSockets.js makes a copy. */
const contentLength = Buffer.from('content-length')
const transferEncoding = Buffer.from('transfer-encoding')

/**
 * What keeps it from being certain where a request ends (RFC 9112 §6.3), in words; undefined where
 * nothing does. What stands in front of this service may have understood the request in another way.
 * @param isEach whether each header is looked at: 400 ns. Else two are looked up, 100 ns, and only a
 * request whose first length or encoding is empty is not recognized: it harms only behind a proxy.
 */
export function framingFault(request: HttpRequest, isEach: boolean): string | undefined {
  if (isEach) return bodyFault(request)
  const hasLength = request.getHeader(contentLength) !== ''
  if (!hasLength && request.getHeader(transferEncoding) === '') return undefined
  return bodyFault(request)
}

function bodyFault(request: HttpRequest): string | undefined {
  const lengths: string[] = []
  const encodings: string[] = []
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value)
    else if (name === 'transfer-encoding') encodings.push(value)
  })
  if (lengths.length > 1) return 'the length of the body is given more than once'
  if (encodings.length > 1) return 'the encoding of the body is given more than once'
  if (lengths.length + encodings.length > 1) return 'the body has a length and an encoding, too'
  if (lengths.length === 1 && !/^\d+$/.test(lengths[0]!))
    return 'the length of the body is no number'
  if (encodings.length === 1 && encodings[0]!.toLowerCase() !== 'chunked') {
    return 'the encoding of the body is not chunked'
  }
  return undefined
}
