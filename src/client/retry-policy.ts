/**
 * The conditions and the budget of retries. Invariant: retries never exceed `reserve` plus a share of the
 * calls that were answered, so that an outage is met with no more requests than calls.
 */
import type { WireAnswer } from './wire/transport.ts'

/** Tokens that failures may use before any call was answered. */
const reserve = 20

/** The share of answered calls that may be retries. */
export class RetryBudget {
  readonly #ratio: number
  #tokens = reserve

  constructor(ratio: number) {
    this.#ratio = ratio
  }

  /** Whether there is a retry left. */
  get hasOne(): boolean {
    return this.#tokens >= 1
  }

  /** Uses a retry; returns false if there is none. */
  take(): boolean {
    const has = this.hasOne
    if (has) this.#tokens -= 1
    return has
  }

  /** A call was answered. */
  earn(): void {
    this.#tokens = Math.min(reserve, this.#tokens + this.#ratio)
  }
}

/** The longest wait before the first retry; it doubles with each. */
const firstWaitMs = 50
const waitMsMax = 1_000

/** The wait before a retry, with full jitter: 1 is the first. @param random 0 to 1 */
export function backoffMs(retry: number, random: number): number {
  return random * Math.min(waitMsMax, firstWaitMs * 2 ** (retry - 1))
}

/** Statuses that pass: too slow, in conflict, too many, and no service behind a proxy. */
const passing = new Set([408, 409, 429, 502, 503, 504])
/** Statuses of a server or proxy that could not read the head of a request. */
const unreadable = new Set([400, 431, 505])
/** Problems that a request of this client has only when it was damaged on its way. */
const damaged = new Set(['malformed-request', 'not-found', 'unsupported-media-type'])

/** Whether a repeat of a refused request may be answered. */
export function mayPass({ status, headers }: WireAnswer, code: string | undefined): boolean {
  if (passing.has(status)) return true
  if (status >= 500 && headers['retry-after'] !== undefined) return true
  return code === undefined ? unreadable.has(status) : damaged.has(code)
}

/** Milliseconds of a `Retry-After`, in seconds or as a date; undefined without one. */
export function retryAfterMs(headers: WireAnswer['headers'], nowMs: number): number | undefined {
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
