/** What attempts do to an event and its endpoint. */
import { describe, expect, test } from 'vitest'
import { outgoingEvent } from '../../../../src/ledger/webhooks/addressing.ts'
import { type Attempt, afterAttempt, rearmed } from '../../../../src/ledger/webhooks/attempts.ts'
import {
  type EndpointHealth,
  newHealth,
  placeNamed,
} from '../../../../src/ledger/webhooks/records.ts'
import { startMs } from '../../../support/ledger-fixture.ts'

const draft = { type: 'account.suspended', accountNumber: 3, data: { account: 'a' } } as const
const event = outgoingEvent({ owner: 3, number: 1 }, 7, draft, startMs)
const failure: Attempt = { ok: false, failure: 'status 500', retryAfterMs: 0, gone: false }
const dayMs = 86_400_000

/** Fails until the event ends or the endpoint is paused. */
function failOn(
  random: number,
  healthAt: (health: EndpointHealth, nowMs: number) => EndpointHealth,
) {
  let state = { event, health: newHealth }
  let nowMs = startMs
  while (state.event.endedAtMs === null && state.health.pausedAtMs === null) {
    state = afterAttempt(state.event, healthAt(state.health, nowMs), failure, { nowMs, random })
    nowMs = Math.max(nowMs, state.event.nextAtMs)
  }
  return { ...state, tookMs: nowMs - startMs }
}

describe('failed attempts', () => {
  test.each([0, 0.5, 0.999])(
    'go on for about three days, then pause the endpoint (jitter %s)',
    (random) => {
      const { event: last, health, tookMs } = failOn(random, (before) => before)
      expect(tookMs).toBeGreaterThan(2.3 * dayMs)
      expect(tookMs).toBeLessThan(3.7 * dayMs)
      expect(last).toMatchObject({ attempts: 13, endedAtMs: null, id: event.id })
      expect(health).toMatchObject({ failure: 'status 500', failingSinceMs: startMs })
    },
  )

  test('give the event up, not the endpoint, when it takes others', () => {
    const { event: last, health } = failOn(0.5, (before, nowMs) => ({
      ...before,
      deliveredAtMs: nowMs,
    }))
    expect(last).toMatchObject({ delivered: false, endedAtMs: expect.any(Number) })
    expect(health.pausedAtMs).toBeNull()
  })

  test('wait for as long as the receiver asks, but not beyond a day', () => {
    const afterAsked = (retryAfterMs: number) =>
      afterAttempt(event, newHealth, { ...failure, retryAfterMs }, { nowMs: startMs, random: 0.5 })
    expect(afterAsked(60_000).event.nextAtMs).toBe(startMs + 60_000)
    expect(afterAsked(9 * dayMs).event.nextAtMs).toBe(startMs + dayMs)
    expect(afterAsked(1).event.nextAtMs).toBe(startMs + 5_000)
  })

  test('pause the endpoint at once when the receiver is gone', () => {
    const moment = { nowMs: startMs, random: 0 }
    const { event: kept, health } = afterAttempt(
      event,
      newHealth,
      { ...failure, gone: true },
      moment,
    )
    expect(health.pausedAtMs).toBe(startMs)
    expect(kept.endedAtMs).toBeNull()
  })
})

test('a success ends the event, and what was said of failures', () => {
  const failing = { ...newHealth, failingSinceMs: 1, failure: 'status 500' }
  const after = afterAttempt(event, failing, { ok: true }, { nowMs: startMs, random: 0 })
  expect(after.event).toMatchObject({ delivered: true, endedAtMs: startMs })
  expect(after.health).toEqual({ ...newHealth, deliveredAtMs: startMs })
})

test('an event that is sent again keeps its id and begins its attempts anew', () => {
  const ended = { ...event, attempts: 13, endedAtMs: 5, failure: 'status 500' }
  expect(rearmed({ ...ended, nextAtMs: startMs })).toEqual(event)
})

test('ids lead back to the event, and differ when a restored ledger counts again', () => {
  expect(placeNamed(event.id)).toEqual({ owner: 3, number: 1, n: 7 })
  expect(placeNamed('wh_3_1')).toEqual({ owner: 3, number: 1 })
  expect(placeNamed('wh_3')).toBeUndefined()
  expect(outgoingEvent({ owner: 3, number: 1 }, 7, draft, startMs + 1).id).not.toBe(event.id)
})
