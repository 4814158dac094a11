/**
 * One attempt to deliver a message: a POST on a connection of its own, to a checked address. Time, headers
 * and body of the answer are bounded, redirects are not followed, and only the status counts.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Attempt } from '../ledger/webhooks/attempts.ts'
import type { SigningSecret } from '../ledger/webhooks/records.ts'
import { lookupOf, type Resolve, resolveChecked } from '../oauth/clients/public-address.ts'
import { programVersion } from '../version.ts'
import { signedHeaders, type WebhookMessage } from './signature.ts'

/** The dependencies of an attempt. */
interface SendOptions {
  /** Whether private addresses and plain HTTP are allowed. */
  readonly allowsPrivate: boolean
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Maximum duration of an attempt, ms; 15 s outside of tests. */
  readonly timeoutMs?: number
  /** Ends the attempt. */
  readonly signal?: AbortSignal
  readonly resolve?: Resolve
}

const timeoutMsUsual = 15_000
const headerBytesMax = 16_384
/** Maximum number of bytes read from an answer before its connection is ended. */
const bodyBytesMax = 65_536
const failureCharactersMax = 200

/** Delivers a message once. Never throws: a failure is a value. */
export async function sendMessage(
  address: string,
  message: WebhookMessage,
  secrets: readonly SigningSecret[],
  options: SendOptions,
): Promise<Attempt> {
  const { signal = new AbortController().signal, timeoutMs = timeoutMsUsual } = options
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await Promise.race([
      attempt(new URL(address), message, secrets, options, deadline),
      endOf(deadline),
    ])
  } catch (error) {
    return failed(deadline.aborted ? 'no answer in time' : reasonOf(error))
  }
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true })
  })
}

async function attempt(
  url: URL,
  message: WebhookMessage,
  secrets: readonly SigningSecret[],
  { allowsPrivate, clock, resolve }: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  if (url.protocol !== 'https:' && !allowsPrivate) return failed('the address is not https')
  const addresses = await resolveChecked(url, allowsPrivate, resolve)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': `authority-index/${programVersion}`,
    ...signedHeaders(message, secrets, clock()),
  }
  return post(url, message.body, { headers, lookup: lookupOf(addresses), signal }, clock)
}

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly lookup: LookupFunction
  readonly signal: AbortSignal
}

function post(url: URL, body: string, options: PostOptions, clock: () => number): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const shape = { method: 'POST', agent: false, maxHeaderSize: headerBytesMax } as const
    const request = send(url, { ...shape, ...options }, (response) => {
      const { statusCode = 0, headers } = response
      let bytes = 0
      const end = () => {
        resolve(attemptOf(statusCode, headers['retry-after'], clock()))
        request.destroy()
      }
      // The status is known: what goes wrong behind it is of no matter.
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > bodyBytesMax) end()
      })
      for (const event of ['end', 'error', 'aborted', 'close']) response.on(event, end)
    })
    request.on('error', reject)
    request.end(body)
  })
}

function attemptOf(status: number, retryAfter: string | undefined, nowMs: number): Attempt {
  if (status >= 200 && status < 300) return { ok: true }
  const asked = status === 429 || status === 503 ? retryAfterMsOf(retryAfter, nowMs) : 0
  return { ok: false, failure: `status ${status}`, retryAfterMs: asked, gone: status === 410 }
}

/** Seconds or a date; 0 for anything else. */
function retryAfterMsOf(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs)
}

function failed(failure: string): Attempt {
  return { ok: false, failure, retryAfterMs: 0, gone: false }
}

/** One line without control characters: it is logged and listed. */
function reasonOf(error: unknown): string {
  const nested = error instanceof AggregateError ? error.errors[0] : error
  const text = nested instanceof Error ? nested.message || nested.name : String(nested)
  return text.replace(/\p{C}+/gu, ' ').slice(0, failureCharactersMax)
}
