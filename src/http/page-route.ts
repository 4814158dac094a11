/** Pages beside the API, at paths of their own, as ready-made bytes. */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import type { FileRequest } from '../api/ready-file.ts'
import { wrongMethod } from './async-route.ts'
import type { HttpRequest } from './wire-library.ts'

export interface PageRequest extends FileRequest {
  readonly path: string
  /** The header `Host`: host and port, as the client calls them; '' without one. */
  readonly host: string
  readonly isForwarded: boolean
}

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

export interface PageAbsence {
  readonly absence: string
}

export interface PageFiles {
  readonly methods: readonly string[]
  has(path: string): boolean
  /** The reply to a request for a known path, or the reason why this request cannot have the page. */
  reply(request: PageRequest): ApiReply | PageAbsence
}

export function pageReply(
  pages: PageFiles | undefined,
  api: Api,
  method: string,
  path: string,
  request: Pick<HttpRequest, 'getHeader'>,
): ApiReply | undefined {
  if (pages?.has(path) !== true) return undefined
  if (!pages.methods.includes(method)) return wrongMethod(api, path, pages.methods)
  const acceptEncoding = request.getHeader('accept-encoding')
  const ifNoneMatch = request.getHeader('if-none-match')
  const host = request.getHeader('host')
  const isForwarded = forwardingHeaders.some((name) => request.getHeader(name) !== '')
  const reply = pages.reply({ path, acceptEncoding, ifNoneMatch, host, isForwarded })
  if ('absence' in reply) return api.refuse({ code: 'not-found', detail: reply.absence })
  return api.named(reply)
}
