/**
 * Requests to the API, each with everything that the page reports about it. A repeated request carries the
 * tag of the earlier answer, which is free while it holds. Nothing is stored on disk.
 */
import type { ProblemDocument } from './answers.ts'
import { type ApiQuery, requestNameOf, requestTargetOf } from './requests.ts'

/** The facts of an answered request, successful or not. */
export interface Exchange {
  readonly query: ApiQuery
  readonly status: number
  /** The cost that the service reports; undefined if it reports none. */
  readonly costUsd: number | undefined
  /** The amount that the account can still spend. */
  readonly balanceUsd: number | undefined
  /** Duration in the service. */
  readonly seconds: number | undefined
  /** Duration from the request to the last byte. */
  readonly roundTripMs: number
  readonly snapshotId: string
  readonly requestId: string
  readonly bytes: number
}

/** Outcome of a request. */
export type Outcome<T> =
  | { readonly kind: 'answer'; readonly json: T; readonly exchange: Exchange }
  | {
      readonly kind: 'problem'
      readonly problem: ProblemDocument
      /** Seconds to wait before asking again; 0 if the service names none. */
      readonly retrySeconds: number
      readonly exchange: Exchange
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'cancelled' }

/** The request. The browser keeps nothing of it. */
interface SentRequest extends RequestInit {
  readonly cache: 'no-store'
}

/** Dependencies of `Asking`. */
interface AskingContext {
  readonly fetch: (target: string, init: SentRequest) => Promise<Response>
  /** Milliseconds. */
  readonly clock: () => number
}

/** An answer that was seen, read once. */
interface Seen {
  readonly etag: string
  readonly json: unknown
}

/** Answers that are kept to be asked for by their tag. */
const seenMax = 200

export class Asking {
  readonly #context: AskingContext
  readonly #seen = new Map<string, Seen>()

  constructor(context: AskingContext) {
    this.#context = context
  }

  /** The last answer to a request, if it is kept; it may hold no longer. */
  seen<T>(query: ApiQuery, key: string): T | undefined {
    return this.#seenOf(query, key)?.json as T | undefined
  }

  #seenOf(query: ApiQuery, key: string): Seen | undefined {
    return this.#seen.get(nameOf(query, key))
  }

  /**
   * Asks with a key, or without one if it is ''.
   * @param onExchange called with every answer, problems too.
   */
  async ask<T>(
    query: ApiQuery,
    key: string,
    onExchange: (exchange: Exchange) => void,
    signal?: AbortSignal,
  ): Promise<Outcome<T>> {
    const { fetch, clock } = this.#context
    const startedMs = clock()
    const seen = this.#seenOf(query, key)
    const headers = {
      ...(key !== '' && { Authorization: `Bearer ${key}` }),
      ...(query.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(seen && { 'If-None-Match': seen.etag }),
    }
    try {
      const response = await fetch(requestTargetOf(query), {
        method: query.method,
        headers,
        cache: 'no-store',
        credentials: 'omit',
        ...(query.body !== undefined && { body: query.body }),
        ...(signal && { signal }),
      })
      const text = await response.text()
      const json = response.status === 304 ? seen?.json : readBody(response, text)
      const told = { bytes: text.length, roundTripMs: clock() - startedMs }
      const outcome = outcomeOf<T>(query, response, json, told)
      if (outcome.kind === 'answer') this.#keep(query, key, response, json)
      if ('exchange' in outcome) onExchange(outcome.exchange)
      return outcome
    } catch {
      return signal?.aborted === true ? { kind: 'cancelled' } : { kind: 'unreachable' }
    }
  }

  #keep(query: ApiQuery, key: string, { headers }: Response, json: unknown): void {
    const etag = headers.get('etag')
    if (etag === null) return
    const name = nameOf(query, key)
    this.#seen.delete(name)
    this.#seen.set(name, { etag, json })
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= seenMax) break
      this.#seen.delete(oldest)
    }
  }
}

/** Name of a kept answer. The key is part of it: an answer that one key has seen is shown to no other. */
function nameOf(query: ApiQuery, key: string): string {
  return `${key} ${requestNameOf(query)}`
}

/** Parses a body by its content type; undefined if it is not valid JSON. */
function readBody({ headers }: Response, text: string): unknown {
  const isText = headers.get('content-type')?.startsWith('text/plain') === true
  return isText ? text : parsed(text)
}

type Measured = Pick<Exchange, 'bytes' | 'roundTripMs'>

function outcomeOf<T>(
  query: ApiQuery,
  response: Response,
  json: unknown,
  measured: Measured,
): Outcome<T> {
  const { status, headers } = response
  const exchange = exchangeOf(query, response, json, measured)
  if (status === 200 || status === 304) {
    return json === undefined
      ? { kind: 'unreachable' }
      : { kind: 'answer', json: json as T, exchange }
  }
  const retrySeconds = Number(headers.get('retry-after') ?? 0)
  return { kind: 'problem', problem: problemIn(json, status), retrySeconds, exchange }
}

function exchangeOf(
  query: ApiQuery,
  { status, headers }: Response,
  json: unknown,
  measured: Measured,
): Exchange {
  const isSame = status === 304
  return {
    query,
    status,
    costUsd: isSame ? 0 : amountIn(headers, 'x-cost-usd'),
    balanceUsd: amountIn(headers, 'x-balance-usd'),
    seconds: isSame ? undefined : secondsIn(json),
    snapshotId: headers.get('x-snapshot-id') ?? '',
    requestId: headers.get('x-request-id') ?? '',
    ...measured,
  }
}

function amountIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text === null ? undefined : Number(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function secondsIn(json: unknown): number | undefined {
  const { duration } = (json ?? {}) as { duration?: unknown }
  return typeof duration === 'number' ? duration : undefined
}

/** The problem document of an answer; one made from the status if a proxy answered with something else. */
function problemIn(json: unknown, status: number): ProblemDocument {
  const { title, type } = (json ?? {}) as Partial<ProblemDocument>
  if (typeof title === 'string' && typeof type === 'string') return json as ProblemDocument
  return { type: 'about:blank', title: `The service answered with ${status}`, status }
}
