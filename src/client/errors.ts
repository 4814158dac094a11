/**
 * Every error of the client: an `APIError`. Its class follows from the status, as a program handles it; `code` is the code of
 * the problem, by which the documents of the API tell more.
 */

/** The facts of a call that failed. */
export interface CallFacts {
  /** Number of requests that were sent. */
  readonly attempts: number
  /** The `Idempotency-Key` of the call: who sends it again is not charged twice. Null for what is free. */
  readonly idempotencyKey: string | null
}

/** The facts of the answer; all null without one. */
export interface AnswerFacts {
  readonly status: number | null
  readonly headers: Headers | null
  /** The problem document, if that is the body. */
  readonly problem: Problem | null
}

/** A problem document (RFC 9457). Members beside these are those of its code. */
export interface Problem {
  readonly type?: unknown
  readonly title?: unknown
  readonly detail?: unknown
  readonly [member: string]: unknown
}

/** A call that failed: the service refused it, or no whole answer came in time. */
export class APIError extends Error implements AnswerFacts, CallFacts {
  /** The code of a problem of the service, or `connection-failed`, `timeout`, `snapshot-changing`. */
  readonly code: string
  readonly status: number | null
  readonly headers: Headers | null
  readonly problem: Problem | null
  /** `X-Request-Id` of the answer; null without one. */
  readonly requestId: string | null
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(code: string, message: string, facts: AnswerFacts & CallFacts, cause?: unknown) {
    const requestId = facts.headers?.get('x-request-id') ?? null
    const id = requestId === null ? '' : ` (request ${requestId})`
    super(`${message}${id}`, cause === undefined ? {} : { cause })
    this.name = new.target.name
    this.code = code
    this.status = facts.status
    this.headers = facts.headers
    this.problem = facts.problem
    this.requestId = requestId
    this.attempts = facts.attempts
    this.idempotencyKey = facts.idempotencyKey
  }
}

/** 400: a parameter or a body that the service does not take. */
export class BadRequestError extends APIError {}
/** 401: no valid key. */
export class AuthenticationError extends APIError {}
/** 402: the balance, or the cap of the key, is below the price; `problem` has the amounts. */
export class InsufficientBalanceError extends APIError {}
/** 404: no such path or snapshot. */
export class NotFoundError extends APIError {}
/** 429: too many requests. */
export class RateLimitError extends APIError {}
/** No whole answer came. */
export class ConnectionError extends APIError {}
/** No whole answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {}

const classes: Readonly<Record<number, typeof APIError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientBalanceError,
  404: NotFoundError,
  429: RateLimitError,
}

export function refusal(code: string, answer: AnswerFacts, call: CallFacts): APIError {
  const { status, problem } = answer
  const text = typeof problem?.detail === 'string' ? problem.detail : `answered with ${status}`
  return new (classes[status ?? 0] ?? APIError)(code, text, { ...answer, ...call })
}
