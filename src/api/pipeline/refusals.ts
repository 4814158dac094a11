/** Refusals: both problem documents (RFC 9457) and envelopes, so that a client can read each as either. */
import { withoutKeys } from '../../ledger/books/key.ts'
import { type OperationName, operations } from '../../operations.ts'
import { type Problem, problems, problemType } from '../../problems.ts'
import type { ApiReply, HeaderPairs } from '../exchange.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { noSniff, noStore } from './response-headers.ts'

export interface RefusedRequest {
  readonly problem: Problem
  readonly headers?: HeaderPairs
  /** Whether the connection ends with it; requests sent behind it are then not read. */
  readonly isLast?: boolean
  /** See `ApiReply`. */
  readonly soon?: Promise<void> | undefined
}

/** The end of a request whose tag still holds. */
export interface NotModified {
  readonly kind: 'not-modified'
  readonly headers: HeaderPairs
}

/** Adds the headers of the limit, if there is one: every answer but a 200 has them from here. */
export function withLimit<E extends RefusedRequest | NotModified>(
  exit: E,
  rateLimit: RateLimit | undefined,
  takenNs: number,
): E {
  if (rateLimit === undefined) return exit
  return { ...exit, headers: [...(exit.headers ?? []), ...rateLimit.headers(takenNs)] }
}

/** A refusal for a limited time, with `Retry-After`. */
export function refusalForNow(problem: Problem, waitSeconds = 1): RefusedRequest {
  return { problem, headers: [['Retry-After', String(waitSeconds)]] }
}

export function replyOf(refusal: RefusedRequest, requestId: string, seconds: number): ApiReply {
  const { problem, headers = [], isLast = false, soon } = refusal
  const { status, title } = problems[problem.code]
  const document = {
    type: `${problemType}${problem.code}`,
    title,
    status,
    detail: withoutKeys(problem.detail),
    ...problem.members,
    duration: Math.round(seconds * 1e6) / 1e6,
    request_id: requestId,
    results: [],
  }
  const always = [
    ['X-Request-Id', requestId],
    ['Content-Type', 'application/problem+json'],
    noSniff,
    noStore,
  ] as const
  const body = Buffer.from(JSON.stringify(document))
  return { status, headers: [...always, ...headers], body, seconds, isLast, soon }
}

export function unknownPath(path: string): RefusedRequest {
  const detail = `${path.slice(0, 100)} is not a path of this service`
  return { problem: { code: 'not-found', detail } }
}

export function wrongMethod(name: OperationName): RefusedRequest {
  const { methods, paths } = operations[name]
  const allowed = methods.join(', ')
  const detail = `${paths[0]} answers ${allowed} only`
  return { problem: { code: 'method-not-allowed', detail }, headers: [['Allow', allowed]] }
}
