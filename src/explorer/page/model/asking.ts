/**
 * Asking the API: one request, and all that is to be told of it. An answer that was seen is asked for
 * again by its tag, which is free as long as it holds; nothing is kept on disk.
 */
import type { ProblemDocument } from './answers.ts'
import { type ApiQuery, targetOf } from './requests.ts'

/** What is told of a request that was answered, well or not. */
export interface Exchange {
  readonly query: ApiQuery
  readonly status: number
  /** What it cost, as the service says; undefined where it says nothing. */
  readonly costUsd: number | undefined
  /** What the account can still spend. */
  readonly balanceUsd: number | undefined
  /** What the service took. */
  readonly seconds: number | undefined
  /** From asking to the last byte. */
  readonly roundTripMs: number
  readonly snapshotId: string
  readonly requestId: string
  readonly bytes: number
}

/** What became of a request. */
export type Outcome<T> =
  | { readonly kind: 'answer'; readonly json: T; readonly exchange: Exchange }
  | {
      readonly kind: 'problem'
      readonly problem: ProblemDocument
      /** Seconds to wait before asking again; 0 where nothing says so. */
      readonly retrySeconds: number
      readonly exchange: Exchange
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'cancelled' }

/** What is sent; nothing of it is kept by the browser. */
interface SentRequest extends RequestInit {
  readonly cache: 'no-store'
}

/** What asking depends on. */
export interface AskingContext {
  readonly fetch: (target: string, init: SentRequest) => Promise<Response>
  /** Milliseconds. */
  readonly clock: () => number
}

interface Seen {
  readonly etag: string
  readonly text: string
}

/** Answers that are kept to be asked for by their tag. */
const seenMax = 200

export class Asking {
  readonly #context: AskingContext
  readonly #seen = new Map<string, Seen>()

  constructor(context: AskingContext) {
    this.#context = context
  }

  /**
   * Asks with a key, or without one where it is ''.
   * @param onExchange called with whatever was answered.
   */
  async ask<T>(
    query: ApiQuery,
    key: string,
    onExchange: (exchange: Exchange) => void,
    signal?: AbortSignal,
  ): Promise<Outcome<T>> {
    const { fetch, clock } = this.#context
    const startedMs = clock()
    const seen = query.method === 'GET' ? this.#seen.get(`${key} ${targetOf(query)}`) : undefined
    const headers = {
      ...(key !== '' && { Authorization: `Bearer ${key}` }),
      ...(query.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(seen && { 'If-None-Match': seen.etag }),
    }
    try {
      const response = await fetch(targetOf(query), {
        method: query.method,
        headers,
        cache: 'no-store',
        credentials: 'omit',
        ...(query.body !== undefined && { body: query.body }),
        ...(signal && { signal }),
      })
      const text = response.status === 304 ? (seen?.text ?? '') : await response.text()
      const outcome = this.#read<T>(query, key, response, text, clock() - startedMs)
      if ('exchange' in outcome) onExchange(outcome.exchange)
      return outcome
    } catch {
      return signal?.aborted === true ? { kind: 'cancelled' } : { kind: 'unreachable' }
    }
  }

  #read<T>(
    query: ApiQuery,
    key: string,
    response: Response,
    text: string,
    roundTripMs: number,
  ): Outcome<T> {
    const { status } = response
    const isText = response.headers.get('content-type')?.startsWith('text/plain') === true
    const json = isText ? text : parsed(text)
    const exchange = exchangeOf(query, response, text, roundTripMs, secondsIn(json))
    if (status === 200 || status === 304) {
      if (json === undefined) return { kind: 'unreachable' }
      if (status === 200) this.#keep(`${key} ${targetOf(query)}`, response, text)
      return { kind: 'answer', json: json as T, exchange }
    }
    const problem = problemIn(json, status)
    const retrySeconds = Number(response.headers.get('retry-after') ?? 0)
    return { kind: 'problem', problem, retrySeconds, exchange }
  }

  #keep(name: string, { headers }: Response, text: string): void {
    const etag = headers.get('etag')
    if (etag === null) return
    this.#seen.delete(name)
    this.#seen.set(name, { etag, text })
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= seenMax) break
      this.#seen.delete(oldest)
    }
  }
}

function exchangeOf(
  query: ApiQuery,
  { status, headers }: Response,
  text: string,
  roundTripMs: number,
  seconds: number | undefined,
): Exchange {
  return {
    query,
    status,
    costUsd: status === 304 ? 0 : amountIn(headers, 'x-cost-usd'),
    balanceUsd: amountIn(headers, 'x-balance-usd'),
    seconds: status === 304 ? undefined : seconds,
    roundTripMs,
    snapshotId: headers.get('x-snapshot-id') ?? '',
    requestId: headers.get('x-request-id') ?? '',
    bytes: text.length,
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

/** The document, or what a proxy on the way may have answered instead. */
function problemIn(json: unknown, status: number): ProblemDocument {
  const { title, type } = (json ?? {}) as Partial<ProblemDocument>
  if (typeof title === 'string' && typeof type === 'string') return json as ProblemDocument
  return { type: 'about:blank', title: `The service answered with ${status}`, status }
}
