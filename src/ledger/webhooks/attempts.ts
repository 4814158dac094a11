/**
 * The effect of an attempt to deliver an event on the event and its endpoint: delivered, tried again later, given up,
 * or the endpoint paused. Twelve repetitions span three days. An event is given up only if its endpoint took others
 * meanwhile; otherwise the endpoint is paused and keeps all its events.
 */
import type { EndpointHealth, OutgoingEvent } from './records.ts'

/** The waits between attempts, in seconds: three days together. */
const waitsSeconds = [
  5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 72_000, 86_400,
] as const

/** The longest `Retry-After` that is obeyed. Milliseconds. */
const retryAfterMsMax = 86_400_000

/** A wait is between 0.8 and 1.2 times that of the table, so that endpoints do not retry together. */
const jitter = 0.4

/** Result of an attempt. */
export type Attempt =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** One line. */
      readonly failure: string
      /** Wait that the receiver asked for; 0 for none. */
      readonly retryAfterMs: number
      /** The receiver wants no more (410). */
      readonly gone: boolean
    }

/** The event and the health of its endpoint after an attempt. */
export interface AfterAttempt {
  readonly event: OutgoingEvent
  readonly health: EndpointHealth
}

/**
 * The event and the health of its endpoint after an attempt.
 * @param random from 0 up to but not including 1.
 */
export function afterAttempt(
  event: OutgoingEvent,
  health: EndpointHealth,
  attempt: Attempt,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): AfterAttempt {
  const attempts = event.attempts + 1
  const firstAttemptAtMs = event.firstAttemptAtMs ?? nowMs
  const tried = { ...event, attempts, firstAttemptAtMs }
  if (attempt.ok) {
    const delivered = { ...tried, endedAtMs: nowMs, delivered: true, failure: null }
    const well = { pausedAtMs: null, failingSinceMs: null, deliveredAtMs: nowMs, failure: null }
    return { event: delivered, health: well }
  }
  const { failure, retryAfterMs, gone } = attempt
  const failing = { ...health, failingSinceMs: health.failingSinceMs ?? nowMs, failure }
  const waitSeconds = waitsSeconds[event.attempts]
  if (gone || (waitSeconds === undefined && !tookOthersSince(health, firstAttemptAtMs))) {
    return { event: { ...tried, failure }, health: { ...failing, pausedAtMs: nowMs } }
  }
  if (waitSeconds === undefined) {
    return { event: { ...tried, failure, endedAtMs: nowMs }, health: failing }
  }
  const waitMs = waitSeconds * 1_000 * (1 - jitter / 2 + jitter * random)
  const nextAtMs = nowMs + Math.max(Math.round(waitMs), Math.min(retryAfterMs, retryAfterMsMax))
  return { event: { ...tried, failure, nextAtMs }, health: failing }
}

function tookOthersSince({ deliveredAtMs }: EndpointHealth, sinceMs: number): boolean {
  return deliveredAtMs !== null && deliveredAtMs >= sinceMs
}

/** An event as it is sent again, at once and from its first attempt on. */
export function rearmed(event: OutgoingEvent): OutgoingEvent {
  const ended = { endedAtMs: null, delivered: false }
  return { ...event, ...ended, attempts: 0, firstAttemptAtMs: null, nextAtMs: 0, failure: null }
}
