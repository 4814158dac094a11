/**
 * Requests to the admin API, with the admin key in a header and nowhere else. The browser keeps nothing of them. A
 * change always carries an `Idempotency-Key`.
 */

/** Outcome of a request. */
export type AdminOutcome<T> =
  | {
      readonly kind: 'answer'
      readonly json: T
      readonly isReplay: boolean
      readonly who: AdminCaller
    }
  | {
      readonly kind: 'problem'
      readonly status: number
      readonly title: string
      readonly detail: string
      readonly who: AdminCaller
    }
  | { readonly kind: 'unreachable' }

/** Id and scopes of the admin key, from the service; '' and no scopes if it is not valid. */
export interface AdminCaller {
  readonly keyId: string
  readonly scopes: readonly string[]
}

/** A change, as it is sent. */
export interface SentChange {
  readonly target: string
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string
}

/** The request. */
interface AdminRequest extends RequestInit {
  readonly cache: 'no-store'
}

/** Sends a request, as `fetch` does. */
type SendAdmin = (target: string, init: AdminRequest) => Promise<Response>

const always = { cache: 'no-store', credentials: 'omit', redirect: 'error' } as const

/** Reads. @param target behind `/admin/v1`. */
export function readAdmin<T>(
  send: SendAdmin,
  key: string,
  target: string,
): Promise<AdminOutcome<T>> {
  return outcomeOf<T>(() => sendRead(send, key, target))
}

function sendRead(send: SendAdmin, key: string, target: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}` }
  return send(`/admin/v1${target}`, { ...always, headers })
}

/** Sends a change. */
export function sendChange<T>(
  send: SendAdmin,
  key: string,
  { target, body, idempotencyKey }: SentChange,
): Promise<AdminOutcome<T>> {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
  }
  const request = { ...always, method: 'POST', headers, body: JSON.stringify(body) }
  return outcomeOf<T>(() => send(`/admin/v1${target}`, request))
}

/** Reads a file. @returns undefined if none came. @param target path behind `/admin/v1`. */
export async function readAdminFile(
  send: SendAdmin,
  key: string,
  target: string,
): Promise<Blob | undefined> {
  try {
    const response = await sendRead(send, key, target)
    return response.status === 200 ? await response.blob() : undefined
  } catch {
    return undefined
  }
}

async function outcomeOf<T>(ask: () => Promise<Response>): Promise<AdminOutcome<T>> {
  try {
    const response = await ask()
    const json = (await response.json()) as T & Partial<Record<'title' | 'detail', string>>
    const { status, headers } = response
    const scopes = (headers.get('x-admin-scopes') ?? '').split(',').filter((name) => name !== '')
    const who = { keyId: headers.get('x-admin-key-id') ?? '', scopes }
    if (status === 200) {
      return { kind: 'answer', json, isReplay: headers.get('idempotent-replay') === 'true', who }
    }
    const { title = `The service answered with ${status}`, detail = '' } = json
    return { kind: 'problem', status, title, detail, who }
  } catch {
    return { kind: 'unreachable' }
  }
}

/** Whether a change is settled: made, or refused. Otherwise the same request may still have been carried out. */
export function isSettled(outcome: AdminOutcome<unknown>): boolean {
  if (outcome.kind === 'answer') return true
  return outcome.kind === 'problem' && outcome.status < 500 && outcome.status !== 408
}
