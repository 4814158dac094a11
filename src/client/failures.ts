/**
 * Every error of the client. `RefusedError` and its classes are the problems of the service, one class a code;
 * the client itself finds the others. Each has the request id, if there was an answer, and the number of
 * attempts.
 */

/** The details of a call that failed. */
export interface FailureFacts {
  /** `X-Request-Id` of the last answer; null if none came. */
  readonly requestId: string | null
  /** Number of requests that were sent. */
  readonly attempts: number
  /** The `Idempotency-Key` of the call; null if it had none. */
  readonly idempotencyKey: string | null
}

/** An expected failure of a call. */
export class ClientError extends Error implements FailureFacts {
  /** The code of a problem of the service, or `connection-failed`, `deadline-exceeded`, `cost-limit`. */
  readonly code: string
  readonly requestId: string | null
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(code: string, message: string, facts: FailureFacts, cause?: unknown) {
    const { requestId, attempts, idempotencyKey } = facts
    const id = requestId === null ? '' : ` (request ${requestId})`
    super(`${message}${id}`, cause === undefined ? {} : { cause })
    this.name = new.target.name
    this.code = code
    this.requestId = requestId
    this.attempts = attempts
    this.idempotencyKey = idempotencyKey
  }
}

/** No address gave a whole answer. */
export class ConnectionFailedError extends ClientError {}
/** The deadline of the call passed. */
export class DeadlineExceededError extends ClientError {}
/** The call would cost more than `maxCostUsd` allows; nothing was sent. */
export class CostLimitError extends ClientError {}

/** A problem document, as far as the client reads it. */
export interface SentProblem {
  readonly type?: unknown
  readonly title?: unknown
  readonly detail?: unknown
  readonly request_id?: unknown
  readonly [member: string]: unknown
}

/** A refusal of the service. */
export class RefusedError extends ClientError {
  readonly status: number
  readonly title: string
  /** Seconds of `Retry-After`; null if it was not sent. */
  readonly retryAfter: number | null
  /** The whole problem document. */
  readonly problem: SentProblem

  constructor(refusal: RefusalFacts, facts: FailureFacts) {
    const { code, status, problem, retryAfter } = refusal
    super(
      code,
      typeof problem.detail === 'string' ? problem.detail : `answered with ${status}`,
      facts,
    )
    this.status = status
    this.title = typeof problem.title === 'string' ? problem.title : ''
    this.retryAfter = retryAfter
    this.problem = problem
  }
}

/** Contents of a refusal. */
export interface RefusalFacts {
  readonly code: string
  readonly status: number
  readonly problem: SentProblem
  readonly retryAfter: number | null
}

/** 400: a value that no operation takes. */
export class InvalidParameterError extends RefusedError {}
/** 400: a request that cannot be read. */
export class MalformedRequestError extends RefusedError {}
/** 401: no valid key. */
export class UnauthorizedError extends RefusedError {}
/** 402: the balance is below the price. */
export class InsufficientBalanceError extends RefusedError {
  /** Cost in USD; null if the answer does not say. */
  get costUsd(): number | null {
    return numberOr(this.problem.cost_usd)
  }
  /** Balance in USD; null if the answer does not say. */
  get balanceUsd(): number | null {
    return numberOr(this.problem.balance_usd)
  }
}
/** 402: a cap of the key is below the price; the balance may hold it. */
export class CapReachedError extends InsufficientBalanceError {
  /** USD that the cap has left; null if the answer does not say. */
  get remainingUsd(): number | null {
    return numberOr(this.problem.remaining_usd)
  }
  /** Time at which the cap begins anew, ISO 8601; null if it does not, or the answer does not say. */
  get resetsAt(): string | null {
    return typeof this.problem.resets_at === 'string' ? this.problem.resets_at : null
  }
}
/** 403: the key may not be used for this operation, or from this address. */
export class KeyRestrictedError extends RefusedError {}
/** 403: a web page that may not ask. */
export class ForbiddenOriginError extends RefusedError {}
/** 404: no such path. */
export class NotFoundError extends RefusedError {}
/** 404: no snapshot of this id. */
export class NoSuchSnapshotError extends RefusedError {}
/** 405. */
export class MethodNotAllowedError extends RefusedError {}
/** 408: the body came too slowly. */
export class RequestTimeoutError extends RefusedError {}
/** 410: the changes do not go back so far. */
export class ChangesGoneError extends RefusedError {
  /** The oldest snapshot from which changes are known; null if there is none. */
  get oldest(): string | null {
    return typeof this.problem.oldest === 'string' ? this.problem.oldest : null
  }
}
/** 413: the body is too large. */
export class PayloadTooLargeError extends RefusedError {}
/** 415: the body is not JSON. */
export class UnsupportedMediaTypeError extends RefusedError {}
/** 422: the idempotency key belongs to another question. */
export class IdempotencyKeyReusedError extends RefusedError {}
/** 429: too many requests. */
export class RateLimitedError extends RefusedError {}
/** 500: a bug of the service. */
export class InternalServiceError extends RefusedError {}
/** 503: as many requests are being answered as may be. */
export class OverloadedError extends RefusedError {}
/** 503: no snapshot is served yet. */
export class NoSnapshotError extends RefusedError {}
/** 503: other nodes may hold the money for the request. */
export class BalanceElsewhereError extends RefusedError {}
/** 503: charges cannot be recorded. */
export class LedgerUnavailableError extends RefusedError {}
/** 503: the service cannot read texts from its disk in time. */
export class TextsUnavailableError extends RefusedError {}

/** The class of each problem by its code. */
export const errorClasses: Readonly<Record<string, typeof RefusedError>> = {
  'invalid-parameter': InvalidParameterError,
  'malformed-request': MalformedRequestError,
  unauthorized: UnauthorizedError,
  'insufficient-balance': InsufficientBalanceError,
  'cap-reached': CapReachedError,
  'key-restricted': KeyRestrictedError,
  'forbidden-origin': ForbiddenOriginError,
  'not-found': NotFoundError,
  'no-such-snapshot': NoSuchSnapshotError,
  'method-not-allowed': MethodNotAllowedError,
  'request-timeout': RequestTimeoutError,
  'changes-gone': ChangesGoneError,
  'payload-too-large': PayloadTooLargeError,
  'unsupported-media-type': UnsupportedMediaTypeError,
  'idempotency-key-reused': IdempotencyKeyReusedError,
  'rate-limited': RateLimitedError,
  'internal-error': InternalServiceError,
  overloaded: OverloadedError,
  'no-snapshot': NoSnapshotError,
  'balance-elsewhere': BalanceElsewhereError,
  'ledger-unavailable': LedgerUnavailableError,
  'texts-unavailable': TextsUnavailableError,
}

/** The error of a refusal. */
export function refusedError(refusal: RefusalFacts, facts: FailureFacts): RefusedError {
  return new (errorClasses[refusal.code] ?? RefusedError)(refusal, facts)
}

function numberOr(value: unknown): number | null {
  return value === null || value === undefined || Number.isNaN(Number(value)) ? null : Number(value)
}
