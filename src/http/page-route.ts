/** What else than the API a server may have at paths of its own: pages, as ready-made bytes. */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import type { FileRequest } from '../api/ready-file.ts'
import type { HttpRequest } from './wire-library.ts'

/** A request for a page. */
export interface PageRequest extends FileRequest {
  readonly path: string
}

/** Pages by their paths. */
export interface PageFiles {
  /** What they are asked by. */
  readonly methods: readonly string[]
  has(path: string): boolean
  /** The reply to a request for a path that there is. */
  reply(request: PageRequest): ApiReply
}

/** The reply to a request for a page; undefined where the path is none. */
export function pageReply(
  pages: PageFiles | undefined,
  api: Api,
  method: string,
  path: string,
  request: Pick<HttpRequest, 'getHeader'>,
): ApiReply | undefined {
  if (pages?.has(path) !== true) return undefined
  if (!pages.methods.includes(method)) {
    const allowed = pages.methods.join(', ')
    const detail = `${path} answers ${allowed} only`
    return api.refuse({ code: 'method-not-allowed', detail }, [['Allow', allowed]])
  }
  const acceptEncoding = request.getHeader('accept-encoding')
  const ifNoneMatch = request.getHeader('if-none-match')
  return api.named(pages.reply({ path, acceptEncoding, ifNoneMatch }))
}
