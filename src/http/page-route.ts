/** Pages beside the API, at paths of their own, as ready-made bytes. */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import type { FileRequest } from '../api/ready-file.ts'
import { Wait } from '../api/waiting/wait.ts'
import type { HttpRequest } from './wire-library.ts'

/** A request for a page. */
export interface PageRequest extends FileRequest {
  readonly path: string
  /** The host and port that it was sent to, as the client calls them; '' where it says none. */
  readonly host: string
  /** Whether a proxy says that it has passed it on. */
  readonly isForwarded: boolean
}

/** What proxies add to what they pass on. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** Why a page is not there for a request. */
export interface PageAbsence {
  readonly absence: string
}

/** Pages by their paths. */
export interface PageFiles {
  /** What they are asked by. */
  readonly methods: readonly string[]
  has(path: string): boolean
  /** The reply to a request for a path that there is, or what it waits for; why it is not there for this request, else. */
  reply(request: PageRequest): ApiReply | PageAbsence | Wait
}

/**
 * What replies to a request for a page, also when it is asked again after a wait; undefined where the path is none.
 * To be called before the handler of the request returns.
 */
export function askedPage(
  pages: PageFiles | undefined,
  api: Api,
  method: string,
  path: string,
  request: Pick<HttpRequest, 'getHeader'>,
): (() => ApiReply | Wait) | undefined {
  if (pages?.has(path) !== true) return undefined
  if (!pages.methods.includes(method)) {
    const allowed = pages.methods.join(', ')
    const detail = `${path} answers ${allowed} only`
    return () => api.refuse({ code: 'method-not-allowed', detail }, [['Allow', allowed]])
  }
  const acceptEncoding = request.getHeader('accept-encoding')
  const ifNoneMatch = request.getHeader('if-none-match')
  const host = request.getHeader('host')
  const isForwarded = forwardingHeaders.some((name) => request.getHeader(name) !== '')
  return () => {
    const reply = pages.reply({ path, acceptEncoding, ifNoneMatch, host, isForwarded })
    if ('absence' in reply) return api.refuse({ code: 'not-found', detail: reply.absence })
    return reply instanceof Wait ? reply : api.named(reply)
  }
}
