/**
 * The web pages that may read answers (the CORS protocol of the Fetch standard): none by default. An answer to any
 * other origin has no header that permits reading, and the browser refuses it to the page.
 */
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { answerLineNames } from '../api/pipeline/response-headers.ts'
import { operations, routeNames } from '../operations.ts'

/** Permissions of pages; names are separated by commas. */
interface CorsTerms {
  readonly isAllowed: (origin: string) => boolean
  readonly methods: string
  /** Headers that a page may send. */
  readonly sent: string
  /** Every header that a page may want to read; browsers hide all others. */
  readonly exposed: string
}

export function routesCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return new Cors(undefined)
  const listed = new Set(origins)
  return new Cors({
    isAllowed: (origin) => listed.has(origin),
    methods: [...new Set(routeNames.flatMap((name) => operations[name].methods))].join(', '),
    sent: 'Authorization, Content-Type, If-None-Match, Idempotency-Key',
    exposed: [...answerLineNames, 'Retry-After', 'Idempotent-Replay'].join(', '),
  })
}

/** Header of every answer if some origins are allowed, so that no cache mixes them up. */
const vary: HeaderPairs = [['Vary', 'Origin']]
const nobody: HeaderPairs = []

export class Cors {
  readonly #terms: CorsTerms | undefined

  constructor(terms: CorsTerms | undefined) {
    this.#terms = terms
  }

  get isOn(): boolean {
    return this.#terms !== undefined
  }

  /** The headers of an answer to a page of an origin; '' if the request names none. */
  headers(origin: string): HeaderPairs {
    if (this.#terms === undefined) return nobody
    if (!this.#terms.isAllowed(origin)) return vary
    return [
      ...vary,
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Expose-Headers', this.#terms.exposed],
    ]
  }

  /** The answer to a browser that asks whether a page may send a request; else undefined. */
  preflight(method: string, origin: string, requestedMethod: string): ApiReply | undefined {
    const terms = this.#terms
    if (method !== 'OPTIONS' || requestedMethod === '' || terms?.isAllowed(origin) !== true) {
      return undefined
    }
    const headers: HeaderPairs = [
      ['Access-Control-Allow-Methods', terms.methods],
      ['Access-Control-Allow-Headers', terms.sent],
      ['Access-Control-Max-Age', '600'],
    ]
    return { status: 204, headers, body: new Uint8Array(0), seconds: 0 }
  }
}
