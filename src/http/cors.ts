/**
 * Which web pages may read answers (the CORS protocol of the Fetch standard): those of the origins
 * on a list, none by default. An origin that is not on it gets the same answer without permission to
 * read it, and its browser does the rest.
 */
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { answerLineNames } from '../api/write/response-headers.ts'
import { operations, routeNames } from '../operations.ts'

/** Every header that a page may want to read; browsers hide those that are not named. */
const exposed = [...answerLineNames, 'Retry-After'].join(', ')

/** The methods of all routes. */
const methods = [...new Set(routeNames.flatMap((name) => operations[name].methods))].join(', ')

/** What every answer carries where some origins are allowed, so that no cache mixes them up. */
const vary: HeaderPairs = [['Vary', 'Origin']]
const nobody: HeaderPairs = []

export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** Whether any origin is allowed. */
  get isOn(): boolean {
    return this.#origins.size > 0
  }

  /** What an answer says to a page of this origin; '' where the request names none. */
  headers(origin: string): HeaderPairs {
    if (!this.isOn) return nobody
    if (!this.#origins.has(origin)) return vary
    return [
      ...vary,
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Expose-Headers', exposed],
    ]
  }

  /**
   * The answer to a browser that asks whether a page may ask; undefined for any other request.
   * @param requestedMethod the header `Access-Control-Request-Method`.
   */
  preflight(method: string, origin: string, requestedMethod: string): ApiReply | undefined {
    if (method !== 'OPTIONS' || requestedMethod === '' || !this.#origins.has(origin)) {
      return undefined
    }
    const headers: HeaderPairs = [
      ['Access-Control-Allow-Methods', methods],
      ['Access-Control-Allow-Headers', 'Authorization, If-None-Match'],
      ['Access-Control-Max-Age', '600'],
    ]
    return { status: 204, headers, body: new Uint8Array(0), seconds: 0 }
  }
}
