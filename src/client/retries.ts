/** The conditions and the waits of retries. */

/** The longest wait before the first retry; it doubles with each. */
const firstWaitMs = 50
const waitMsMax = 1_000

/** The wait before a retry, with full jitter: 1 is the first. */
export function backoffMs(retry: number): number {
  return Math.random() * Math.min(waitMsMax, firstWaitMs * 2 ** (retry - 1))
}

/** Statuses that pass: too slow, in conflict, too many, and no service behind a proxy. */
const passing = new Set([408, 409, 429, 502, 503, 504])
/** Statuses of a server or proxy that could not read the head of a request. */
const unreadable = new Set([400, 431, 505])
/** Problems that a request of this client has only when it was damaged on its way. */
const damaged = new Set(['malformed-request', 'not-found', 'unsupported-media-type'])

/** Whether a repeat of a refused request may be answered. @param code of the problem; undefined without one. */
export function mayPass(status: number, headers: Headers, code: string | undefined): boolean {
  // A 200 that cannot be read was damaged on its way.
  if (status === 200 || passing.has(status)) return true
  if (status >= 500 && headers.has('retry-after')) return true
  return code === undefined ? unreadable.has(status) : damaged.has(code)
}

/** Milliseconds of a `Retry-After`, in seconds or as a date; 0 without one. */
export function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
