/** Refusals: both problem documents (RFC 9457) and envelopes, so that a client can read each as either. */
import { nextPeriodMs } from '../../ledger/books/caps/spending-periods.ts'
import { withoutKeys } from '../../ledger/books/key.ts'
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { ReachedCap, Reservations, Unpaid } from '../../ledger/live/reservations.ts'
import { formatUsd, usdNumber } from '../../money.ts'
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

interface Payer {
  readonly reservations: Reservations
  readonly owner: KeyOwner
  readonly seesAccount: boolean
  /** By the clock of all threads. */
  readonly nowMs: number
}

/** Of a request that is not paid. A 402 names the wall: the balance of the account, or the cap of the key. */
export function paymentRefusal(
  unpaid: Unpaid,
  { reservations, owner, seesAccount, nowMs }: Payer,
): RefusedRequest {
  const { costMicroUsd, unavailable, heldByOtherNodes, reachedCap, freeWith } = unpaid
  if (unavailable) {
    const detail = 'nothing is served that could not be charged; nothing was charged'
    return refusalForNow({ code: 'ledger-unavailable', detail })
  }
  if (heldByOtherNodes) {
    const detail = 'another node of this service may hold what it costs; nothing was charged'
    return refusalForNow({ code: 'balance-elsewhere', detail })
  }
  const balanceMicroUsd = reservations.balanceMicroUsd(owner)
  const amounts = {
    cost_usd: usdNumber(costMicroUsd),
    ...(seesAccount && { balance_usd: usdNumber(balanceMicroUsd) }),
  }
  const cost =
    freeWith === undefined
      ? `this request costs ${formatUsd(costMicroUsd)} USD`
      : `this request is free with the means for a ${freeWith} of ${formatUsd(costMicroUsd)} USD`
  if (reachedCap === undefined) {
    const balance = seesAccount ? `${formatUsd(balanceMicroUsd)} USD` : 'below that'
    const detail = `${cost}, the balance is ${balance}`
    const members = owner.purses.length === 1 ? amounts : { ...amounts, wall: 'account' }
    return { problem: { code: 'insufficient-balance', detail, members } }
  }
  const detail = `${cost}, the cap of its key has ${formatUsd(reachedCap.leftMicroUsd)} USD left`
  const members = { ...amounts, ...membersOfCap(reachedCap, reservations.ledgerMs(nowMs)) }
  return { problem: { code: 'cap-reached', detail, members } }
}

function membersOfCap({ cap, leftMicroUsd }: ReachedCap, ledgerMs: number) {
  const resetsAtMs = nextPeriodMs(cap.period, ledgerMs)
  return {
    wall: 'key',
    cap_usd: usdNumber(cap.amountMicroUsd),
    remaining_usd: usdNumber(leftMicroUsd),
    resets_at: resetsAtMs === undefined ? null : new Date(resetsAtMs).toISOString(),
  }
}
