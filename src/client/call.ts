/**
 * One call: attempts with the same `Idempotency-Key` until there is an answer, the deadline passes or a retry
 * is of no use. Invariant: nothing is sent after the deadline, and an error is thrown only when a further
 * attempt is impossible, of no use, or beyond the retry budget.
 */
import {
  type ClientError,
  ConnectionFailedError,
  DeadlineExceededError,
  type FailureFacts,
  refusedError,
  type SentProblem,
} from './failures.ts'
import { backoffMs, mayPass, RetryBudget, retryAfterMs } from './retry-policy.ts'
import { type Transport, type WireAnswer, WireFailure } from './wire/transport.ts'

/** The request, without address and key. */
export interface CallQuestion {
  readonly method: 'GET' | 'POST'
  /** Path and query string. */
  readonly target: string
  /** JSON. */
  readonly body?: string | undefined
  /** Whether it has a price, and so an `Idempotency-Key`. */
  readonly isCharged: boolean
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Maximum duration of the whole call with its retries, ms. */
  readonly deadlineMs?: number | undefined
  /** Up to 64 visible characters; a random one unless given. */
  readonly idempotencyKey?: string | undefined
  /** A call with a higher price is refused with `CostLimitError` before it is sent. */
  readonly maxCostUsd?: number | undefined
  /** `false`: this call has a request of its own. */
  readonly coalesce?: boolean | undefined
}

/** One attempt, as middleware sees it. */
export interface AttemptRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** May be added to. */
  readonly headers: Record<string, string>
  readonly body?: string | undefined
  /** 1 for the first. */
  readonly attempt: number
}

/** Stands around each attempt. */
export type Middleware = (
  request: AttemptRequest,
  next: (request: AttemptRequest) => Promise<WireAnswer>,
) => Promise<WireAnswer>

/** Time and chance. */
export interface Timing {
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** 0 to 1. */
  readonly random: () => number
}

/** Dependencies and limits that all calls of a client share. */
interface CallerContext {
  readonly addresses: readonly string[]
  readonly apiKey: (() => string | Promise<string>) | undefined
  readonly transport: () => Promise<Transport>
  readonly middleware: readonly Middleware[]
  readonly deadlineMs: number
  readonly retries: number
  readonly retryBudget: number
  readonly timing: Timing
}

/** A 200, its body parsed. */
interface CallReply {
  readonly headers: WireAnswer['headers']
  readonly json: Readonly<Record<string, unknown>>
}

/** End of an attempt without an answer. */
interface Failure {
  readonly error: (facts: FailureFacts) => ClientError
  readonly requestId: string | null
  readonly mayPass: boolean
  /** Whether the connection was dead before the request: repeated at once. */
  readonly wasStale: boolean
  readonly restMs: number
}

/** Makes calls. */
export class RetryingCaller {
  readonly #context: CallerContext
  readonly #budget: RetryBudget
  /** By address: the time from which it may be asked again, ms. */
  readonly #restUntilMs: number[]
  /** The address of the next call. */
  #preferred = 0

  constructor(context: CallerContext) {
    this.#context = context
    this.#budget = new RetryBudget(context.retryBudget)
    this.#restUntilMs = context.addresses.map(() => 0)
  }

  /** Asks until there is an answer. @throws ClientError, or the reason of the signal. */
  async ask(question: CallQuestion, options: CallOptions = {}): Promise<CallReply> {
    const { signal } = options
    const { timing, retries } = this.#context
    const endsAtMs = timing.now() + (options.deadlineMs ?? this.#context.deadlineMs)
    const key = question.isCharged ? (options.idempotencyKey ?? crypto.randomUUID()) : null
    // One more than there are retries: a connection that was dead already is no attempt of its own.
    const attemptsMax = retries + 2
    let hasSpare = true
    let requestId: string | null = null
    let address = this.#preferred
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      signal?.throwIfAborted()
      const isLast = attempt > retries || !this.#budget.hasOne
      const at = { key, signal, endsAtMs, attempt, address, isLast }
      const outcome = await this.#attempt(question, at)
      if (!('error' in outcome)) {
        this.#budget.earn()
        return outcome
      }
      signal?.throwIfAborted()
      requestId = outcome.requestId ?? requestId
      if (outcome.wasStale && hasSpare) {
        hasSpare = false
        continue
      }
      address = this.#addressAfter(address, outcome)
      const waitMs = this.#restMs(address) + backoffMs(attempt, timing.random())
      const isLate = timing.now() + waitMs >= endsAtMs
      if (!outcome.mayPass || isLast || isLate || !this.#budget.take()) {
        throw outcome.error({ requestId, attempts: attempt, idempotencyKey: key })
      }
      await sleep(waitMs, signal)
    }
    throw new Error('unreachable: the last attempt throws')
  }

  /** Lets an address rest as its answer asks, and turns to the one that may be asked first. */
  #addressAfter(failed: number, { restMs, mayPass }: Failure): number {
    if (!mayPass) return failed
    const rests = this.#restUntilMs
    rests[failed] = this.#context.timing.now() + restMs
    const others = rests.map((_, index) => (failed + 1 + index) % rests.length)
    this.#preferred = others.reduce((best, next) =>
      this.#restMs(next) < this.#restMs(best) ? next : best,
    )
    return this.#preferred
  }

  /** Duration for which an address is not to be asked, ms. */
  #restMs(address: number): number {
    return Math.max(0, this.#restUntilMs[address]! - this.#context.timing.now())
  }

  async #attempt(question: CallQuestion, at: AttemptOptions): Promise<CallReply | Failure> {
    const { timing, middleware } = this.#context
    const leftMs = at.endsAtMs - timing.now()
    if (leftMs <= 0) return deadlineFailure(undefined)
    // A hung attempt leaves half of the time to the next one.
    const until = abortAfter(at.isLast ? leftMs : leftMs / 2, at.signal)
    try {
      const transport = await this.#context.transport()
      const send = (request: AttemptRequest) =>
        transport.send({ ...request, signal: until.signal, isFresh: at.attempt > 1 })
      const chain = middleware.reduceRight<typeof send>(
        (next, each) => (request) => each(request, next),
        send,
      )
      // A function that gives the key, or middleware, may hang as well.
      const answered = this.#requestOf(question, at).then(chain)
      return readReply(await unlessAborted(answered, until.signal))
    } catch (cause) {
      if (until.signal.aborted) return deadlineFailure(cause)
      if (!(cause instanceof WireFailure)) throw cause
      return wireFailure(cause)
    } finally {
      until.end()
    }
  }

  async #requestOf(question: CallQuestion, at: AttemptOptions): Promise<AttemptRequest> {
    const { addresses, apiKey } = this.#context
    const { key, attempt, address } = at
    const { method, target, body } = question
    const headers = {
      ...(apiKey !== undefined && { authorization: `Bearer ${await apiKey()}` }),
      ...(key !== null && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return { method, url: `${addresses[address]}${target}`, headers, body, attempt }
  }
}

interface AttemptOptions {
  readonly key: string | null
  readonly signal: AbortSignal | undefined
  readonly endsAtMs: number
  readonly attempt: number
  /** The index of the address. */
  readonly address: number
  readonly isLast: boolean
}

/** A reply, or why an answer is none. */
function readReply(answer: WireAnswer): CallReply | Failure {
  const { status, headers, text } = answer
  const requestId = headers['x-request-id'] ?? null
  const json = parsedObject(text)
  if (status === 200 && json !== undefined) return { headers, json }
  const problem = (json ?? {}) as SentProblem
  const code = codeOf(problem)
  const restMs = retryAfterMs(headers, Date.now())
  const refusal = {
    code: code ?? `status-${status}`,
    status,
    problem,
    retryAfter: restMs === undefined ? null : restMs / 1_000,
  }
  return {
    error: (facts) => refusedError(refusal, facts),
    requestId,
    // A 200 that cannot be read was damaged on its way.
    mayPass: status === 200 || mayPass(answer, code),
    wasStale: false,
    restMs: restMs ?? 0,
  }
}

function parsedObject(text: string): CallReply['json'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as CallReply['json']) : undefined
  } catch {
    return undefined
  }
}

function codeOf({ type }: SentProblem): string | undefined {
  return /^urn:authority-index:problem:([a-z-]+)$/.exec(String(type))?.[1]
}

function wireFailure(cause: WireFailure): Failure {
  return {
    error: (facts) => new ConnectionFailedError('connection-failed', cause.message, facts, cause),
    requestId: null,
    mayPass: true,
    wasStale: cause.wasReused && !cause.hasBegun,
    restMs: 0,
  }
}

function deadlineFailure(cause: unknown): Failure {
  const text = 'no answer within the deadline'
  return {
    error: (facts) => new DeadlineExceededError('deadline-exceeded', text, facts, cause),
    requestId: null,
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

/** The value of a promise; rejects when the signal aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

/** Waits; an abort ends the wait early. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}
