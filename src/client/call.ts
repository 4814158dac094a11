/**
 * One call: attempts by `fetch` with the same `Idempotency-Key` until there is an answer, the time is over or a retry
 * is of no use. Invariant: nothing is sent after `timeoutMs`, and an error is thrown only when a further attempt is
 * impossible, of no use, or beyond the budget: retries never exceed `retriesAtFirst` plus a share of the calls that were
 * answered, so that an outage is met with no more requests than calls.
 */
import type { Answer } from './answers.ts'
import { type APIError, type CallFacts, ConnectionError, refusal, TimeoutError } from './errors.ts'
import { backoffMs, mayPass, retryAfterMs } from './retries.ts'
import { Turns } from './turns.ts'

/** Requests of a client that are on their way at the same time; services limit connections of an address. */
const requestsAtOnce = 32

/** Retries that failures may use before any call was answered. */
const retriesAtFirst = 20

interface Question {
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

interface CallerOptions {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly retryBudget: number
}

type Members = Readonly<Record<string, unknown>>

interface Failure {
  readonly error: APIError
  readonly mayPass: boolean
  /** Whether the connection was probably dead before the request: repeated at once. */
  readonly wasStale: boolean
  readonly restMs: number
}

export class Caller {
  readonly #options: CallerOptions
  readonly #turns = new Turns(requestsAtOnce)
  #retriesLeft = retriesAtFirst
  /** Whether the service answered the last request: then a failure may be that of a connection that idled too long. */
  #hasAnswered = false

  constructor(options: CallerOptions) {
    this.#options = options
  }

  /** Asks until there is an answer. @throws APIError, or the reason of the signal. */
  async ask(question: Question, options: CallOptions): Promise<Answer<Members>> {
    const { timeoutMs, maxRetries, retryBudget } = this.#options
    const { signal } = options
    const endsAtMs = performance.now() + (options.timeoutMs ?? timeoutMs)
    const idempotencyKey = question.isCharged
      ? (options.idempotencyKey ?? crypto.randomUUID())
      : null
    let hasSpare = true
    // One more than there are retries: a connection that was dead already is no attempt of its own.
    for (let attempts = 1; attempts <= maxRetries + 2; attempts += 1) {
      signal?.throwIfAborted()
      const isLast = attempts > maxRetries || this.#retriesLeft < 1
      const leftMs = endsAtMs - performance.now()
      // A hung attempt leaves half of the time to the next one.
      const limitMs = isLast ? leftMs : leftMs / 2
      const outcome = await this.#attempt(question, { attempts, idempotencyKey }, limitMs, signal)
      if ('data' in outcome) {
        this.#retriesLeft = Math.min(retriesAtFirst, this.#retriesLeft + retryBudget)
        return outcome
      }
      signal?.throwIfAborted()
      if (outcome.wasStale && hasSpare) {
        hasSpare = false
        continue
      }
      const waitMs = outcome.restMs + backoffMs(attempts)
      const isLate = performance.now() + waitMs >= endsAtMs
      if (!outcome.mayPass || isLast || isLate || this.#retriesLeft < 1) throw outcome.error
      this.#retriesLeft -= 1
      await sleep(waitMs, signal)
    }
    throw new Error('unreachable: the last attempt throws')
  }

  async #attempt(
    question: Question,
    call: CallFacts,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer<Members> | Failure> {
    const until = abortAfter(limitMs, signal)
    let hasBegun = false
    try {
      if (limitMs <= 0) until.abort()
      return await this.#turns.run(until.signal, async () => {
        const response = await this.#send(question, call.idempotencyKey, until.signal)
        hasBegun = true
        const bytes = await response.arrayBuffer()
        this.#hasAnswered = true
        return outcomeOf(response, bytes, call)
      })
    } catch (cause) {
      const facts = { status: null, headers: null, problem: null, ...call }
      if (until.signal.aborted) {
        const error = new TimeoutError('timeout', 'no answer in time', facts, cause)
        return { error, mayPass: true, wasStale: false, restMs: 0 }
      }
      const wasStale = this.#hasAnswered && !hasBegun
      this.#hasAnswered = false
      // `fetch` says only that it failed; its cause says why.
      const reason = cause instanceof Error ? (cause.cause ?? cause) : cause
      const text = reason instanceof Error ? reason.message : String(reason)
      const error = new ConnectionError('connection-failed', text, facts, cause)
      return { error, mayPass: true, wasStale, restMs: 0 }
    } finally {
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

function outcomeOf(response: Response, bytes: ArrayBuffer, call: CallFacts) {
  const { status, headers } = response
  const members = parsedObject(bytes)
  if (status === 200 && members !== undefined) return answerOf(response, members)
  const code = /^urn:authority-index:problem:([a-z-]+)$/.exec(String(members?.type))?.[1]
  const answer = { status, headers, problem: members ?? null }
  return {
    error: refusal(code ?? `status-${status}`, answer, call),
    mayPass: mayPass(status, headers, code),
    wasStale: false,
    restMs: retryAfterMs(headers),
  }
}

function parsedObject(bytes: ArrayBuffer): Members | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

function answerOf(response: Response, members: Members): Answer<Members> {
  const { duration: _, request_id: __, ...data } = members
  const { headers } = response
  const balance = headers.get('x-balance-usd')
  return {
    data,
    response,
    requestId: headers.get('x-request-id') ?? '',
    cost: Number(headers.get('x-cost-usd') ?? 0),
    balance: balance === null ? null : Number(balance),
    snapshot: headers.get('x-snapshot-id') ?? '',
  }
}

/** A signal that aborts after a time, or with another; `end` gives the timer back. */
function abortAfter(
  ms: number,
  other: AbortSignal | undefined,
): { signal: AbortSignal; abort(): void; end(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, ms)
  other?.addEventListener('abort', abort, { once: true })
  const end = () => {
    clearTimeout(timer)
    other?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, abort, end }
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const until = abortAfter(ms, signal)
  await new Promise((resolve) => until.signal.addEventListener('abort', resolve))
  until.end()
}
