/**
 * The replies to requests for the explorer: ready-made bytes in the best encoding that a browser accepts.
 * A page is requested again each time and is mostly a 304; a part whose name has a hash is cached for
 * ever. Nothing here needs a key, and nothing reveals the index.
 */
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { readyReply } from '../api/ready-file.ts'
import type { PageAbsence, PageFiles, PageRequest } from '../http/page-route.ts'
import { isLocal } from './reach.ts'
import type { Site, SiteFile } from './site.ts'

/**
 * The Content-Security-Policy of a page: it loads only from its own origin, runs no text as a script, and
 * stands in no frame.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const methods = ['GET', 'HEAD']

const farAbsence =
  'the explorer is served to browsers of this computer only, and not through a proxy; --explorer on serves it to all'

export class SiteReplies implements PageFiles {
  readonly #files: ReadonlyMap<string, SiteFile>
  readonly #isForAll: boolean

  constructor(site: Site, isForAll: boolean) {
    this.#isForAll = isForAll
    this.#files = new Map(site.flatMap((file) => file.paths.map((path) => [path, file])))
  }

  readonly methods = methods

  has(path: string): boolean {
    return this.#files.has(path)
  }

  reply(request: PageRequest): ApiReply | PageAbsence {
    const file = this.#files.get(request.path)!
    const isOpen = this.#isForAll || file.headers !== undefined || isLocal(request)
    if (!isOpen) return { absence: farAbsence }
    return readyReply(file, request, headersOf(file))
  }
}

function headersOf({ isLasting, headers }: SiteFile): HeaderPairs {
  if (headers !== undefined) return headers
  return [
    ['Cache-Control', isLasting ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ['Content-Security-Policy', contentPolicy],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
  ]
}
