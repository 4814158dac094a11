/** The deliverer over a ledger: order, repetition after a crash, and what it reports. */
import { describe, expect, test } from 'vitest'
import { createAccount, resume, suspend } from '../../../src/ledger/lmdb/accounts.ts'
import type { Environment } from '../../../src/ledger/lmdb/environment.ts'
import { WebhookTables } from '../../../src/ledger/lmdb/webhooks/webhook-tables.ts'
import type { Attempt } from '../../../src/ledger/webhooks/attempts.ts'
import { type Endpoint, endpointId } from '../../../src/ledger/webhooks/records.ts'
import { Deliverer } from '../../../src/webhooks/deliverer.ts'
import type { WebhookMessage } from '../../../src/webhooks/signature.ts'
import { HandClock, newEnvironment } from '../../support/ledger-fixture.ts'

const order = { url: 'https://hooks.example.com/', account: null, events: [], below: [], sdus: [] }
const failure: Attempt = { ok: false, failure: 'status 500', retryAfterMs: 0, gone: false }

type Send = (endpoint: Endpoint, message: WebhookMessage) => Attempt

/** A deliverer of a ledger with accounts `a` and `b`, whose rounds are called by the test. */
function newScene(send: Send) {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  for (const name of ['a', 'b']) createAccount(environment, name)
  const store = new WebhookTables(environment, async () => {})
  const reported: string[] = []
  const newDeliverer = () =>
    new Deliverer({
      store,
      send: async (endpoint, message) => send(endpoint, message),
      monotonicMs: clock.read,
      random: () => 0.5,
      report: (line) => reported.push(line),
    })
  return { clock, environment, store, reported, newDeliverer }
}

/** So many suspensions of an account, one event each. */
function suspendOften(environment: Environment, name: string, times: number): void {
  for (let count = 0; count < times; count += 1) {
    suspend(environment, name)
    resume(environment, name)
  }
}

/** Looks until nothing is under way any more, then ends. */
async function deliverAll(deliverer: Deliverer): Promise<void> {
  await deliverer.look()
  await deliverer.idle()
  await deliverer.stop()
}

describe('a deliverer', () => {
  test('sends every event once and in order', async () => {
    const sent: string[] = []
    const scene = newScene((_, { id }) => {
      sent.push(id)
      return { ok: true }
    })
    await scene.store.add(order)
    suspendOften(scene.environment, 'a', 20)
    const deliverer = scene.newDeliverer()
    await deliverAll(deliverer)
    const numbers = sent.map((id) => Number(id.split('_')[3]))
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(deliverer.figures).toMatchObject({ delivered: 20, failedAttempts: 0 })
    expect(await scene.store.waiting()).toEqual([])
  })

  test('sends again, under the same id, what was taken when it ended', async () => {
    const sent: string[] = []
    let deliverer: Deliverer
    let stopped = Promise.resolve()
    const scene = newScene((_, { id }) => {
      sent.push(id)
      if (sent.length > 1) return { ok: true }
      stopped = deliverer.stop()
      return failure
    })
    await scene.store.add(order)
    suspendOften(scene.environment, 'a', 1)
    deliverer = scene.newDeliverer()
    await deliverer.look()
    await deliverer.idle()
    await stopped
    // The attempt that the end cut off is none: the next start does not wait for anything.
    await deliverAll(scene.newDeliverer())
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(1)
  })

  test('lets a failing account wait, and delivers those of others meanwhile', async () => {
    const taken: number[] = []
    let isDown = true
    const scene = newScene((_, { body }) => {
      const { account } = JSON.parse(body).data
      if (account === 'a' && isDown) return failure
      taken.push(account)
      return { ok: true }
    })
    await scene.store.add(order)
    suspendOften(scene.environment, 'a', 2)
    suspendOften(scene.environment, 'b', 2)
    const deliverer = scene.newDeliverer()
    await deliverer.look()
    await deliverer.idle()
    expect(taken).toEqual(['b', 'b'])
    isDown = false
    scene.clock.nowMs += 5_000
    await deliverAll(deliverer)
    expect(taken).toEqual(['b', 'b', 'a', 'a'])
  })

  test('pauses an endpoint after three days without a success, says so, and loses nothing', async () => {
    const scene = newScene(() => failure)
    const id = endpointId(await scene.store.add(order))
    suspendOften(scene.environment, 'a', 3)
    const deliverer = scene.newDeliverer()
    let hours = 0
    while (deliverer.figures.pausedEndpoints === 0 && hours < 200) {
      await deliverer.look()
      await deliverer.idle()
      scene.clock.nowMs += 3_600_000
      hours += 1
    }
    await deliverer.stop()
    expect(hours).toBeGreaterThan(60)
    expect(hours).toBeLessThan(90)
    expect(scene.reported).toEqual([
      `webhook ${id} (hooks.example.com) is paused: status 500; type: webhook replay ${id}`,
    ])
    expect(await scene.store.list()).toMatchObject([{ pending: 3, failed: [] }])
  })
})
