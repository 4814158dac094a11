/**
 * The replies to requests for the explorer: ready-made bytes in the best encoding that a browser
 * takes. A page is asked for again each time and is mostly a 304; what its name stands for is kept
 * for ever. Nothing here needs a key, and nothing of it tells anything of the index.
 */
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { noSniff } from '../api/write/response-headers.ts'
import type { PageRequest, Pages } from '../http/page-route.ts'
import { type Encoding, encodings, type Site, type SiteFile } from './site.ts'

/**
 * What the page may load and do: only what comes from where it came from, no text as a script, and
 * no frame around it.
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
const encodingNames = Object.keys(encodings) as Encoding[]
const nothing = new Uint8Array(0)

/** The files of a site, by their paths. */
export class SiteReplies implements Pages {
  readonly #files: ReadonlyMap<string, SiteFile>

  constructor(site: Site) {
    this.#files = new Map(site.flatMap((file) => file.paths.map((path) => [path, file])))
  }

  readonly methods = methods

  has(path: string): boolean {
    return this.#files.has(path)
  }

  reply(request: PageRequest): ApiReply {
    const file = this.#files.get(request.path)!
    const encoding = encodingFor(request.acceptEncoding)
    const tag = `"${file.tag}-${encoding}"`
    const headers = headersOf(file, tag)
    if (holds(request.ifNoneMatch, tag)) return { status: 304, headers, body: nothing, seconds: 0 }
    const named = encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]
    const more: HeaderPairs = [['Content-Type', file.type], noSniff, ...named]
    return { status: 200, headers: [...headers, ...more], body: file.bytes[encoding], seconds: 0 }
  }
}

/** What a 304 repeats, too (RFC 9110 §15.4.5). */
function headersOf({ isLasting }: SiteFile, tag: string): HeaderPairs {
  return [
    ['ETag', tag],
    ['Cache-Control', isLasting ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ['Vary', 'Accept-Encoding'],
    ['Content-Security-Policy', contentPolicy],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
  ]
}

/**
 * The best encoding that a header allows (RFC 9110 §12.5.3). A weight only says whether one is
 * allowed at all: of those that are, the smallest is the best for everybody.
 */
export function encodingFor(acceptEncoding: string): Encoding {
  const allowed = new Map<string, boolean>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    allowed.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
  }
  const anyOther = allowed.get('*') ?? false
  return encodingNames.find((name) => allowed.get(name) ?? anyOther) ?? 'identity'
}

function holds(ifNoneMatch: string, tag: string): boolean {
  const tags = ifNoneMatch.split(',').map((text) => text.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
