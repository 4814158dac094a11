/**
 * Signs deliveries by the Standard Webhooks specification 1.0: HMAC-SHA-256 of id, time and body, once with
 * each secret that is valid. The tests verify it with the library of the specification.
 */
import { createHmac } from 'node:crypto'
import type { OutgoingEvent, SigningSecret } from '../ledger/webhooks/records.ts'

/** Body of an event with its id: the same bytes for every attempt. */
export interface WebhookMessage {
  readonly id: string
  readonly body: string
}

/** The message of an event. */
export function messageOf({ id, type, atMs, data }: OutgoingEvent): WebhookMessage {
  return { id, body: JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data }) }
}

/** The message of `webhook test`. */
export function testMessage(id: string, nowMs: number): WebhookMessage {
  const timestamp = new Date(nowMs).toISOString()
  return { id, body: JSON.stringify({ type: 'webhook.test', timestamp, data: {} }) }
}

/** The headers of an attempt: id, time in seconds, and a signature for each valid secret. */
export function signedHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly SigningSecret[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const valid = secrets.filter(({ untilMs }) => untilMs === null || nowMs < untilMs)
  const signatures = valid.map(({ text }) => {
    const key = Buffer.from(text.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
