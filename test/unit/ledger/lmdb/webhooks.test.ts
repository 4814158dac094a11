/** Events of a ledger on a disk: what writes them, for whom, in which order. */
import { describe, expect, test } from 'vitest'
import {
  adjust,
  createAccount,
  resume,
  suspend,
  topUp,
} from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import { issueKey } from '../../../../src/ledger/lmdb/keys.ts'
import { WebhookTables } from '../../../../src/ledger/lmdb/webhooks/webhook-tables.ts'
import { afterAttempt } from '../../../../src/ledger/webhooks/attempts.ts'
import { endpointId } from '../../../../src/ledger/webhooks/records.ts'
import type { EndpointOrder } from '../../../../src/ledger/webhooks/store.ts'
import { HandClock, newCommits, newEnvironment } from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'

const order: EndpointOrder = {
  url: 'https://hooks.example.com/',
  account: null,
  events: [],
  below: [],
  sdus: [],
}
const usd = 1_000_000

/** Charges an amount; batches count up. */
function charger(environment: Environment) {
  let number = 0
  return (amountMicroUsd: number, accountNumber = 1) => {
    number += 1
    const sales = { search: { queries: 1, amountMicroUsd } }
    const charges = [{ accountNumber, sales }]
    chargeBatch(environment, { session: 'test', number, charges, holdings: undefined })
  }
}

/** Everything in the outbox, in the order of the ledger. */
function outbox(environment: Environment) {
  return environment.read((tables) =>
    Array.from(tables.outbox.getRange(), ({ value }) => value).sort((a, b) => a.n - b.n),
  )
}

describe('balance.below', () => {
  test('comes once a crossing of each threshold, absolute or in percent of the last top-up', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    await webhooks.add({
      ...order,
      account: 'first',
      below: [{ microUsd: 5 * usd }, { percent: 20 }],
    })
    const charge = charger(environment)
    charge(30 * usd)
    expect(outbox(environment)).toEqual([])
    charge(10 * usd)
    charge(1)
    expect(outbox(environment).map(({ data }) => data)).toEqual([
      { account: 'first', balance_usd: 9.999999, threshold_usd: 10, threshold_percent: 20 },
    ])
    charge(8 * usd)
    charge(1)
    expect(outbox(environment)).toHaveLength(2)
    topUp(environment, 'first', 100 * usd, 'a')
    charge(83 * usd)
    expect(outbox(environment).map(({ data }) => data.threshold_usd)).toEqual([10, 5, 20])
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is decided as by looking at every movement, for random movements and thresholds', async () => {
    const source = new Random(32, 0)
    const random = () => source.fraction()
    const below = [{ microUsd: 3 * usd }, { microUsd: 20 * usd }, { percent: 50 }, { percent: 10 }]
    const environment = newEnvironment()
    createAccount(environment, 'first')
    await new WebhookTables(environment).add({ ...order, below })
    const charge = charger(environment)
    const expected: number[] = []
    let balance = 50 * usd
    let last = 50 * usd
    for (let step = 0; step < 200; step += 1) {
      const isCharge = random() < 0.9 && balance > 0
      const before = balance
      if (isCharge) {
        const amount = 1 + Math.floor(random() * Math.min(balance, 6 * usd) * 0.999)
        charge(amount)
        balance -= amount
      } else if (random() < 0.5) {
        last = 1 + Math.floor(random() * 60 * usd)
        topUp(environment, 'first', last, `top-up ${step}`)
        balance += last
      } else {
        const amountMicroUsd = 1 + Math.floor(random() * 5 * usd)
        adjust(environment, 'first', {
          amountMicroUsd,
          reference: `adjust ${step}`,
          reason: 'test',
        })
        balance += amountMicroUsd
      }
      const amounts = [3 * usd, 20 * usd, Math.floor(last / 2), Math.floor(last / 10)]
      const crossed = amounts.filter((amount) => balance < amount && amount <= before)
      expected.push(...crossed.sort((a, b) => b - a).map((amount) => amount / usd))
    }
    expect(expected.length).toBeGreaterThan(10)
    expect(outbox(environment).map(({ data }) => data.threshold_usd)).toEqual(expected)
  })

  test('concerns an account that is made behind an endpoint of the operator', async () => {
    const environment = newEnvironment()
    await new WebhookTables(environment).add({ ...order, below: [{ microUsd: 40 * usd }] })
    createAccount(environment, 'first')
    charger(environment)(11 * usd)
    expect(outbox(environment).map(({ type }) => type)).toEqual(['balance.below'])
  })

  test('ends with its endpoint, whose threshold the account forgets', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    const id = endpointId(await webhooks.add({ ...order, below: [{ percent: 50 }] }))
    const account = () => environment.read((tables) => tables.accounts.get(1))
    expect(account()).toMatchObject({ alertBelowMicroUsd: 25 * usd })
    await webhooks.remove(id)
    expect(account()).not.toHaveProperty('alertBelowMicroUsd')
    charger(environment)(40 * usd)
    expect(outbox(environment)).toEqual([])
  })
})

describe('an event', () => {
  test('goes to the endpoints of its account and of the operator that want its type', async () => {
    const environment = newEnvironment()
    for (const name of ['first', 'second']) createAccount(environment, name)
    const webhooks = new WebhookTables(environment)
    const [own, operators] = [
      await webhooks.add({ ...order, account: 'first' }),
      await webhooks.add(order),
    ]
    await webhooks.add({ ...order, account: 'second' })
    await webhooks.add({ ...order, events: ['key.expiring'] })
    suspend(environment, 'first')
    expect(outbox(environment).map(endpointId)).toEqual([endpointId(operators), endpointId(own)])
  })

  test('that the transaction did not commit does not exist', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    await new WebhookTables(environment).add({ ...order, below: [{ microUsd: 20 * usd }] })
    expect(() => charger(environment)(60 * usd)).toThrow()
    expect(outbox(environment)).toEqual([])
  })

  test('of key.expiring comes once for a key and its end', async () => {
    const clock = new HandClock()
    const environment = newEnvironment(clock.read)
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    await webhooks.add(order)
    const dayMs = 86_400_000
    const expiresAtMs = clock.nowMs + 10 * dayMs
    const { record } = issueKey(environment, { account: 'first', label: null, expiresAtMs })
    await webhooks.noteExpiring()
    expect(outbox(environment)).toEqual([])
    clock.nowMs += 4 * dayMs
    await webhooks.noteExpiring()
    await webhooks.noteExpiring()
    expect(outbox(environment)).toMatchObject([
      { type: 'key.expiring', data: { key_id: record.id } },
    ])
  })

  test('of key.expiring comes also of a key that is restricted', async () => {
    const clock = new HandClock()
    const environment = newEnvironment(clock.read)
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    await webhooks.add(order)
    const expiresAtMs = clock.nowMs + 86_400_000
    const cap = { amountMicroUsd: usd, period: 'day' } as const
    const { record } = issueKey(environment, { account: 'first', label: null, expiresAtMs, cap })
    await webhooks.noteExpiring()
    expect(outbox(environment)).toMatchObject([
      { type: 'key.expiring', data: { key_id: record.id } },
    ])
  })

  test('of a source is written once for a value of its mark, and not without endpoints', async () => {
    const environment = newEnvironment()
    const webhooks = new WebhookTables(environment)
    const note = (value: string) =>
      webhooks.note('held-back', value, () => [
        { type: 'sync.held_back', accountNumber: 0, data: { value } },
      ])
    await note('a')
    expect(await webhooks.mark('held-back')).toBeUndefined()
    await webhooks.add(order)
    for (const value of ['a', 'a', 'b']) await note(value)
    expect(outbox(environment).map(({ data }) => data.value)).toEqual(['a', 'b'])
  })

  test('waits for the one before it of the same account only', async () => {
    const environment = newEnvironment()
    for (const name of ['first', 'second']) createAccount(environment, name)
    const webhooks = new WebhookTables(environment)
    const endpoint = await webhooks.add(order)
    suspend(environment, 'first')
    resume(environment, 'first')
    suspend(environment, 'first')
    suspend(environment, 'second')
    const [one] = outbox(environment)
    const failure = { ok: false, failure: 'status 500', retryAfterMs: 0, gone: false } as const
    const moment = { nowMs: webhooks.nowMs(), random: 0.5 }
    await webhooks.settle(afterAttempt(one!, endpoint.health, failure, moment))
    const next = async (atMs: number) => (await webhooks.nextDue(endpoint, atMs))?.event
    expect((await next(moment.nowMs))?.accountNumber).toBe(2)
    expect((await next(moment.nowMs + 5_000))?.n).toBe(one!.n)
  })

  test('is replayed by its id for as long as it is kept', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    const endpoint = await webhooks.add(order)
    suspend(environment, 'first')
    const [event] = outbox(environment)
    const moment = { nowMs: webhooks.nowMs(), random: 0 }
    await webhooks.settle(afterAttempt(event!, endpoint.health, { ok: true }, moment))
    expect(await webhooks.waiting()).toEqual([])
    expect(await webhooks.replay(event!.id)).toBe(1)
    expect(await webhooks.waiting()).toEqual([{ owner: 0, number: 1 }])
    expect((await webhooks.nextDue(endpoint, moment.nowMs))?.event.id).toBe(event!.id)
    const { event: again } = (await webhooks.nextDue(endpoint, moment.nowMs))!
    await webhooks.settle(afterAttempt(again, endpoint.health, { ok: true }, moment))
    await webhooks.prune(moment.nowMs + 1)
    await expect(webhooks.replay(event!.id)).rejects.toThrow('there is no evt_')
  })
})

describe('an endpoint', () => {
  test('that is paused keeps its events until a replay ends the pause', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    const endpoint = await webhooks.add(order)
    suspend(environment, 'first')
    const [event] = outbox(environment)
    const gone = { ok: false, failure: 'status 410', retryAfterMs: 0, gone: true } as const
    const moment = { nowMs: webhooks.nowMs(), random: 0 }
    await webhooks.settle(afterAttempt(event!, endpoint.health, gone, moment))
    expect(await webhooks.waiting()).toEqual([])
    expect(await webhooks.list()).toMatchObject([{ pending: 1, health: { failure: 'status 410' } }])
    expect(await webhooks.replay(endpointId(endpoint))).toBe(1)
    expect(await webhooks.waiting()).toHaveLength(1)
  })

  test('has two secrets while one is rotated, and a list shows neither', async () => {
    const environment = newEnvironment()
    const webhooks = new WebhookTables(environment)
    const added = await webhooks.add(order)
    const { secrets } = await webhooks.rotate(endpointId(added), 60_000)
    expect(secrets).toHaveLength(2)
    expect(secrets[1]).toEqual({ ...added.secrets[0], untilMs: webhooks.nowMs() + 60_000 })
    expect(JSON.stringify(await webhooks.list())).not.toContain('whsec_')
  })

  test('of an account is refused what is for the operator only, and an eleventh is refused', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const webhooks = new WebhookTables(environment)
    const forbidden = { ...order, account: 'first', events: ['sync.held_back'] as const }
    await expect(webhooks.add(forbidden)).rejects.toThrow('for endpoints of the operator only')
    for (let count = 0; count < 10; count += 1) await webhooks.add({ ...order, account: 'first' })
    await expect(webhooks.add({ ...order, account: 'first' })).rejects.toThrow('at most 10')
    await expect(webhooks.remove('wh_9_9')).rejects.toThrow('there is no wh_9_9')
  })
})

describe('key.cap.reached', () => {
  test('comes once, with the charge that leaves less than a query costs, also for the cap above', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    await new WebhookTables(environment).add({ ...order, account: 'first' })
    const capped = (amountMicroUsd: number, more = {}) =>
      issueKey(environment, {
        account: 'first',
        label: 'agent',
        expiresAtMs: null,
        cap: { amountMicroUsd, period: 'total' },
        ...more,
      }).record.id
    const parent = capped(1_500)
    const child = capped(1_100, { parent })
    const { commits, balances } = await newCommits(environment)
    const sell = async (id: string, costMicroUsd: number) => {
      const { line, purses } = commits.keyTable.keys.find(({ keyId }) => keyId === id)!
      balances.take(purses, costMicroUsd)
      balances.record(line, purses, 'search', 1, costMicroUsd)
      await commits.commit()
    }
    await sell(child, 500)
    expect(outbox(environment)).toEqual([])
    await sell(child, 500)
    await sell(parent, 400)
    await sell(parent, 100)
    const reached = outbox(environment).map(({ type, data }) => [type, data.key_id, data.cap_usd])
    expect(reached).toEqual([
      ['key.cap.reached', child, 0.0011],
      ['key.cap.reached', parent, 0.0015],
    ])
  })
})
