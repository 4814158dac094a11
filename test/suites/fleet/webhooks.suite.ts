/**
 * Webhooks of a ledger in a real PostgreSQL: a crossing is decided once for all nodes, events keep their
 * order, and one node delivers, also when the one that did is killed.
 */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Administration } from '../../../src/ledger/administration.ts'
import { carryOut, openLeases } from '../../../src/ledger/leases/settlement.ts'
import { withAdministration } from '../../../src/ledger/open-administration.ts'
import type { Charge } from '../../../src/ledger/port.ts'
import { Database, ofCommands } from '../../../src/ledger/postgres/database.ts'
import { migrate } from '../../../src/ledger/postgres/migrations.ts'
import { WebhookRows } from '../../../src/ledger/postgres/webhooks/webhook-rows.ts'
import { afterAttempt } from '../../../src/ledger/webhooks/attempts.ts'
import { endpointId, type OutgoingEvent } from '../../../src/ledger/webhooks/records.ts'
import type { EndpointOrder } from '../../../src/ledger/webhooks/store.ts'
import { withDatabaseEach } from '../../support/servers/ledger-databases.ts'
import { ask, isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { startedNode } from '../../support/servers/started-node.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

const usd = 1_000_000
const order: EndpointOrder = {
  url: 'https://hooks.example.com/',
  account: null,
  events: [],
  below: [],
  sdus: [],
}

let ledger: string

/** Does something with the books, in this process. */
function books<T>(use: (books: Administration) => Promise<T>): Promise<T> {
  return withAdministration({ data: '', ledger, clock: Date.now }, use)
}

/** The webhooks of the database, on a connection of their own. */
function newStore(clock: () => number = Date.now): WebhookRows {
  const store = new WebhookRows(new Database(ledger, ofCommands), clock)
  onTestFinished(() => store.close())
  return store
}

/** Everything in the outbox, in the order of the ledger. */
async function outbox(): Promise<OutgoingEvent[]> {
  const rows = await ask<{ record: string }>(ledger, 'select record from webhook_event order by n')
  return rows.map(({ record }) => JSON.parse(record))
}

/** A session with 20 USD of every account, which charges an amount of an account. */
async function seller(accountNumbers: readonly number[]) {
  const database = new Database(ledger, ofCommands)
  onTestFinished(() => database.close())
  const session = randomUUID()
  await openLeases(database, session, 'test')
  let number = 0
  const settle = async (charges: readonly Charge[], wanted = 0) => {
    number += 1
    const wants = accountNumbers.map((accountNumber) => {
      const want = { accountNumber, amountMicroUsd: wanted, requestMicroUsd: 1 }
      return { ...want, neededMicroUsd: wanted, recalls: false }
    })
    const some = wanted === 0 ? [] : wants
    const settlement = { session, number, charges, wants: some, gives: new Map() }
    const reply = await carryOut(database, settlement, () => performance.now())
    expect(reply).toMatchObject({ unpaid: [] })
  }
  await settle([], 20 * usd)
  return (accountNumber: number, amountMicroUsd: number) =>
    settle([{ accountNumber, sales: { search: { queries: 1, amountMicroUsd } } }])
}

describe.skipIf(!isPostgresqlInstalled())('webhooks in a database', () => {
  withDatabaseEach('webhooks', (one) => {
    ledger = one.ledger
  })
  beforeEach(async () => {
    await books(async (open) => {
      for (const name of ['alice', 'bob']) await open.createAccount(name)
    })
  })

  test('report each crossing once, though two sessions settle at once', async () => {
    const below = [{ microUsd: 45 * usd }, { microUsd: 30 * usd }, { percent: 50 }]
    await newStore().add({ ...order, account: 'alice', below })
    const [one, other] = await Promise.all([seller([1]), seller([1])])
    for (let step = 0; step < 19; step += 1) await Promise.all([one(1, usd), other(1, usd)])
    expect((await outbox()).map(({ data }) => data.threshold_usd)).toEqual([45, 30, 25])
    await books((open) => open.topUp('alice', 100 * usd, 'more'))
    expect(await ask(ledger, "select alert_below from account where name = 'alice'")).toEqual([
      { alert_below: String(50 * usd) },
    ])
    await books(async (open) => {
      const change = { amountMicroUsd: -70 * usd, reference: 'back', reason: 'test' }
      await open.adjust('alice', change)
      await open.suspend('alice')
      expect((await open.audit()).contradictions).toEqual([])
    })
    expect((await outbox()).slice(3).map(({ type, data }) => [type, data.threshold_usd])).toEqual([
      ['balance.below', 50],
      ['balance.below', 45],
      ['account.suspended', undefined],
    ])
  })

  test('leave an account alone that no endpoint concerns', async () => {
    await newStore().add({ ...order, account: 'alice', below: [{ percent: 99 }] })
    const sell = await seller([1, 2])
    await sell(2, 10 * usd)
    expect(await outbox()).toEqual([])
    expect(await ask(ledger, 'select id from account where alert_below is not null')).toEqual([
      { id: 1 },
    ])
  })

  test('keep the order of an account, replay by id, and prune what ended', async () => {
    const store = newStore()
    const endpoint = await store.add(order)
    await books(async (open) => {
      for (const name of ['alice', 'bob', 'alice']) {
        await open.suspend(name)
        await open.resume(name)
      }
    })
    const nowMs = store.nowMs()
    const [first, second] = await outbox()
    const failure = { ok: false, failure: 'status 500', retryAfterMs: 0, gone: false } as const
    const moment = { nowMs, random: 0.5 }
    await store.settle(afterAttempt(first!, endpoint.health, failure, moment))
    expect((await store.nextDue(endpoint, nowMs))?.event.id).toBe(second!.id)
    const due = await store.nextDue(endpoint, nowMs + 5_000)
    await store.settle(afterAttempt(due!.event, due!.endpoint.health, { ok: true }, moment))
    expect(await store.list()).toMatchObject([{ pending: 2, failed: [], account: null }])
    expect(await store.replay(first!.id)).toBe(1)
    expect((await store.nextDue(endpoint, nowMs))?.event.id).toBe(first!.id)
    await store.settle(afterAttempt(first!, endpoint.health, { ok: true }, moment))
    await store.prune(nowMs + 1)
    await expect(store.replay(first!.id)).rejects.toThrow('there is no evt_')
    expect(await store.replay(endpointId(endpoint))).toBe(2)
    await store.remove(endpointId(endpoint))
    expect(await outbox()).toEqual([])
  })

  test('are delivered by one holder, which another replaces when it is silent or has closed', async () => {
    let nowMs = Date.now()
    const [one, other] = [newStore(() => nowMs), newStore(() => nowMs)]
    expect(await one.hold()).toBe(0)
    await one.add(order)
    nowMs += 2_000
    const kept = "update webhook_hold set until = clock_timestamp() + interval '1 hour'"
    expect(await one.hold()).toBeGreaterThan(0)
    await ask(ledger, kept)
    expect(await other.hold()).toBe(0)
    await ask(ledger, "update webhook_hold set until = clock_timestamp() - interval '1 second'")
    nowMs += 2_000
    expect(await other.hold()).toBeGreaterThan(0)
    await ask(ledger, kept)
    nowMs += 4_000
    expect(await one.hold()).toBe(0)
    await other.close()
    nowMs += 2_000
    expect(await one.hold()).toBeGreaterThan(0)
  })

  test('report what expires and what a source marks once, whoever looks', async () => {
    const [one, other] = [newStore(), newStore()]
    await one.add(order)
    const expiresAtMs = Date.now() + 86_400_000
    await books((open) => open.issueKey({ account: 'alice', label: 'a', expiresAtMs }))
    const drafts = () => [{ type: 'sync.held_back', accountNumber: 0, data: {} }] as const
    for (const store of [one, other]) {
      await store.noteExpiring()
      await store.note('held-back', 'a', drafts)
    }
    expect((await outbox()).map(({ type }) => type)).toEqual(['key.expiring', 'sync.held_back'])
    expect(await other.mark('held-back')).toBe('a')
  })

  test('of a database that an earlier version made are made, and nothing else changes', async () => {
    await ask(ledger, 'drop table webhook_event, webhook_endpoint, webhook_mark, webhook_hold')
    await ask(ledger, 'drop sequence webhook_n')
    await ask(ledger, 'alter table account drop column alert_below')
    // What was added after them goes, too.
    await ask(ledger, 'drop table key_usage, hour_usage')
    await ask(ledger, 'alter table journal drop column by_key')
    await ask(ledger, 'drop table audit_entry, audit_head, admin_key, admin_answer')
    await ask(ledger, 'drop table cap_lease, key_cap')
    await ask(ledger, 'alter table account drop column capped')
    for (const column of ['lineage', 'parent', 'terms', 'restricted']) {
      await ask(ledger, `alter table api_key drop column ${column}`)
    }
    await ask(ledger, 'drop table once_note')
    await ask(ledger, 'drop index account_changed, api_key_account, api_key_unshown')
    await ask(ledger, 'update ledger_version set version = 1 where id = 2')
    const database = new Database(ledger, ofCommands)
    onTestFinished(() => database.close())
    await migrate(database)
    await books(async (open) => expect((await open.audit()).contradictions).toEqual([]))
    expect(await newStore().list()).toEqual([])
  })

  test('reach the receiver once a crossing, also when the node that delivers is killed', async () => {
    const receiver = await startReceiver()
    const below = [{ microUsd: 50 * usd }]
    await newStore().add({ ...order, url: receiver.url, below })
    const words = ['--webhook-private']
    const [one, other] = [await startedNode(ledger, words), await startedNode(ledger, words)]
    const { text } = await books((open) =>
      open.issueKey({ account: 'bob', label: null, expiresAtMs: null }),
    )
    await expect.poll(() => one.statusOf(text)).toBe(200)
    await receiver.until(1)
    await one.stop('SIGKILL')
    await books((open) => open.suspend('bob'))
    // The first may come twice: the node was killed before it had written that it was taken.
    const bodies = () => [...new Set(receiver.received.map(({ body }) => body))]
    await expect.poll(bodies, { timeout: 60_000 }).toHaveLength(2)
    const types = bodies().map((body) => JSON.parse(body).type)
    expect(types).toEqual(['balance.below', 'account.suspended'])
    await other.stop()
  }, 120_000)
})
