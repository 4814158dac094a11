/**
 * One call: attempts by `fetch` with the same `Idempotency-Key` until there is an answer, the time is over or a retry
 * is of no use. Invariant: nothing is sent after `timeoutMs`, and an error is thrown only when a further attempt is
 * impossible, of no use, or beyond the budget of retries.
 */
import {
  type APIError,
  type CallFacts,
  ConnectionError,
  type Problem,
  refusal,
  TimeoutError,
} from './errors.ts'
import { backoffMs, mayPass, RetryBudget, retryAfterMs } from './retries.ts'
import { Turns } from './turns.ts'

/** A request, without address and key. */
export interface Question {
  /** Path and query string. */
  readonly target: string
  /** JSON; makes it a POST. */
  readonly body?: string
  /** Whether it has a price, and so an `Idempotency-Key`. */
  readonly isCharged: boolean
}

/** Options of one call, beside its parameters. */
export interface CallOptions {
  /** Ends the call with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Maximum duration of the whole call with its retries, ms. */
  readonly timeoutMs?: number | undefined
  /** Up to 64 visible characters; a random one unless given. */
  readonly idempotencyKey?: string | undefined
}

/** What all calls of a client share. */
interface CallerOptions {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly retryBudget: number
}

/** A 200, its body parsed. */
interface Reply {
  readonly response: Response
  readonly json: Readonly<Record<string, unknown>>
}

/** End of an attempt without an answer. */
interface Failure {
  readonly error: (facts: CallFacts) => APIError
  readonly mayPass: boolean
  /** Whether the connection was probably dead before the request: repeated at once. */
  readonly wasStale: boolean
  readonly restMs: number
}

interface Attempt {
  readonly key: string | null
  readonly signal: AbortSignal | undefined
  /** By `performance.now()`. */
  readonly endsAtMs: number
  readonly isLast: boolean
}

const noAnswer = { status: null, headers: null, problem: null }

/** Makes calls. */
export class Caller {
  readonly #options: CallerOptions
  readonly #budget: RetryBudget
  readonly #turns = new Turns()
  /** Whether the service answered the last request: then a failure may be that of a connection that idled too long. */
  #hasAnswered = false

  constructor(options: CallerOptions) {
    this.#options = options
    this.#budget = new RetryBudget(options.retryBudget)
  }

  /** Asks until there is an answer. @throws APIError, or the reason of the signal. */
  async ask(question: Question, options: CallOptions): Promise<Reply> {
    const { timeoutMs, maxRetries } = this.#options
    const { signal } = options
    const endsAtMs = performance.now() + (options.timeoutMs ?? timeoutMs)
    const key = question.isCharged ? (options.idempotencyKey ?? crypto.randomUUID()) : null
    let hasSpare = true
    // One more than there are retries: a connection that was dead already is no attempt of its own.
    for (let attempt = 1; attempt <= maxRetries + 2; attempt += 1) {
      signal?.throwIfAborted()
      const isLast = attempt > maxRetries || !this.#budget.hasOne
      const outcome = await this.#attempt(question, { key, signal, endsAtMs, isLast })
      if ('json' in outcome) {
        this.#budget.earn()
        return outcome
      }
      signal?.throwIfAborted()
      if (outcome.wasStale && hasSpare) {
        hasSpare = false
        continue
      }
      const waitMs = outcome.restMs + backoffMs(attempt)
      const isLate = performance.now() + waitMs >= endsAtMs
      if (!outcome.mayPass || isLast || isLate || !this.#budget.take()) {
        throw outcome.error({ attempts: attempt, idempotencyKey: key })
      }
      await sleep(waitMs, signal)
    }
    throw new Error('unreachable: the last attempt throws')
  }

  async #attempt(question: Question, at: Attempt): Promise<Reply | Failure> {
    const leftMs = at.endsAtMs - performance.now()
    if (leftMs <= 0) return timedOut()
    // A hung attempt leaves half of the time to the next one.
    const until = abortAfter(at.isLast ? leftMs : leftMs / 2, at.signal)
    let hasTurn = false
    let hasBegun = false
    try {
      await this.#turns.enter(until.signal)
      hasTurn = true
      const response = await this.#send(question, at.key, until.signal)
      hasBegun = true
      const bytes = await response.arrayBuffer()
      this.#hasAnswered = true
      return readReply(response, bytes)
    } catch (cause) {
      if (until.signal.aborted) return timedOut(cause)
      const wasStale = this.#hasAnswered && !hasBegun
      this.#hasAnswered = false
      return disconnected(cause, wasStale)
    } finally {
      if (hasTurn) this.#turns.leave()
      until.end()
    }
  }

  #send({ target, body }: Question, key: string | null, signal: AbortSignal): Promise<Response> {
    const { baseURL, apiKey, fetch } = this.#options
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(key !== null && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body }
    const init = { ...sent, headers, signal, cache: 'no-store' as const }
    return fetch(`${baseURL}${target}`, init)
  }
}

/** A reply, or why an answer is none. */
function readReply(response: Response, bytes: ArrayBuffer): Reply | Failure {
  const { status, headers } = response
  const json = parsedObject(bytes)
  if (status === 200 && json !== undefined) return { response, json }
  const code = /^urn:authority-index:problem:([a-z-]+)$/.exec(String(json?.type))?.[1]
  const problem: Problem | null = json ?? null
  return {
    error: (facts) => refusal(code ?? `status-${status}`, { status, headers, problem }, facts),
    mayPass: mayPass(status, headers, code),
    wasStale: false,
    restMs: retryAfterMs(headers),
  }
}

/** The object of a body; undefined if it is damaged: no UTF-8, or no JSON object. */
function parsedObject(bytes: ArrayBuffer): Reply['json'] | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Reply['json']) : undefined
  } catch {
    return undefined
  }
}

function disconnected(cause: unknown, wasStale: boolean): Failure {
  // `fetch` says only that it failed; its cause says why.
  const reason = cause instanceof Error ? (cause.cause ?? cause) : cause
  const text = reason instanceof Error ? reason.message : String(reason)
  return {
    error: (facts) =>
      new ConnectionError('connection-failed', text, { ...noAnswer, ...facts }, cause),
    mayPass: true,
    wasStale,
    restMs: 0,
  }
}

function timedOut(cause?: unknown): Failure {
  const text = 'no answer in time'
  return {
    error: (facts) => new TimeoutError('timeout', text, { ...noAnswer, ...facts }, cause),
    mayPass: true,
    wasStale: false,
    restMs: 0,
  }
}

/** A signal that aborts after a time, or with another; `end` gives the timer back. */
function abortAfter(
  ms: number,
  other: AbortSignal | undefined,
): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, ms)
  other?.addEventListener('abort', abort, { once: true })
  const end = () => {
    clearTimeout(timer)
    other?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

/** Waits; an abort ends the wait early. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const until = abortAfter(ms, signal)
    until.signal.addEventListener('abort', () => {
      until.end()
      resolve()
    })
  })
}
