/**
 * The replies to requests for the explorer: ready-made bytes in the best encoding that a browser accepts.
 * A page is requested again each time and is mostly a 304; a part whose name has a hash is cached for
 * ever. Nothing here needs a key, and nothing reveals the index.
 */
import type { Api } from '../api/api.ts'
import type { HeaderPairs } from '../api/exchange.ts'
import { readyReply } from '../api/ready-file.ts'
import { wrongMethod } from '../http/async-route.ts'
import type { Pages } from '../http/server.ts'
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

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

export function sitePages(api: Api, site: Site, isForAll: boolean): Pages {
  const files = new Map(site.flatMap((file) => file.paths.map((path) => [path, file])))
  return (method, path, header) => {
    const file = files.get(path)
    if (file === undefined) return undefined
    if (!methods.includes(method)) return wrongMethod(api, path, methods)
    const isForwarded = forwardingHeaders.some((name) => header(name) !== '')
    const isOpen =
      isForAll || file.headers !== undefined || isLocal({ host: header('host'), isForwarded })
    if (!isOpen) return api.refuse({ code: 'not-found', detail: farAbsence })
    const wanted = {
      acceptEncoding: header('accept-encoding'),
      ifNoneMatch: header('if-none-match'),
    }
    return api.named(readyReply(file, wanted, headersOf(file)))
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
