/**
 * What a real PostgreSQL has of the leases of caps, when sessions want, spend, give back and die: no service runs here,
 * so that every one of these moments can be made.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { KeyOrder } from '../../../src/ledger/books/key-rows.ts'
import type { Charge } from '../../../src/ledger/books/port.ts'
import { closeLeases, openSession } from '../../../src/ledger/books/session-rows.ts'
import { type Reply, type Settlement, settle } from '../../../src/ledger/leases/settlement.ts'
import type { RunStatement } from '../../../src/ledger/sql/port.ts'
import type { Database } from '../../../src/ledger/sql/postgres/database.ts'
import { type LedgerDatabase, withAliceEach } from '../../support/servers/ledger-databases.ts'
import { ask, isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'

const capMicroUsd = 10_000

let on: LedgerDatabase
let database: Database

/** Issues a key, with a cap of 0.01 USD unless the order says otherwise. */
async function issue(order: Partial<KeyOrder> = {}): Promise<string> {
  const cap = { amountMicroUsd: capMicroUsd, period: 'total' } as const
  const whole = { account: 'alice', cap, ...order }
  return (await on.books((open) => open.issueKey(whole))).record.id
}

async function contradictions(): Promise<string> {
  return (await on.books((open) => open.audit())).contradictions.join('\n')
}

class Seller {
  readonly id = randomUUID()
  #number = 0

  static async open(): Promise<Seller> {
    const seller = new Seller()
    await openSession(database, { id: seller.id, node: 'test' })
    const order = { amountMicroUsd: 1_000_000, requestMicroUsd: 1_000 }
    const want = { ...order, neededMicroUsd: 0, recalls: false }
    await seller.settle({ moves: [{ accountNumber: 1, given: 0, want }] })
    return seller
  }

  settle(more: Partial<Settlement>, on: Pick<Database, 'transaction'> = database): Promise<Reply> {
    this.#number += 1
    const own = { session: this.id, number: this.#number, charges: [], moves: [] }
    return settle(on as Database, { ...own, ...more }, () => performance.now())
  }

  /** Wants so much of a cap, all or nothing; returns what the lease has then. */
  async want(keyId: string, neededMicroUsd: number): Promise<number> {
    const order = { amountMicroUsd: neededMicroUsd, neededMicroUsd }
    const want = { ...order, requestMicroUsd: neededMicroUsd, recalls: true }
    return this.#leaseOf(
      keyId,
      await this.settle({ moves: [{ accountNumber: 1, keyId, given: 0, want }] }),
    )
  }

  give = async (keyId: string, given: number): Promise<number> =>
    this.#leaseOf(keyId, await this.settle({ moves: [{ accountNumber: 1, keyId, given }] }))

  sell(keyId: string, isCapped: boolean, amountMicroUsd: number): Promise<Reply> {
    return this.settle({ charges: [charge(keyId, isCapped, amountMicroUsd)] })
  }

  #leaseOf(keyId: string, { leases = [] }: Reply): number {
    const lease = leases.find((each) => each.keyId === keyId)!
    return lease.grantedMicroUsd - lease.spentMicroUsd
  }
}

function charge(keyId: string, isCapped: boolean, amountMicroUsd: number): Charge {
  const sale = { route: 'search', queries: 1, amountMicroUsd } as const
  return { accountNumber: 1, keyId, ...(isCapped && { isCapped }), ...sale }
}

async function capOf(keyId: string) {
  const [row] = await ask<{ from_day: string; spent: string; recalled: string }>(
    on.ledger,
    'select from_day, spent, recalled from key_cap where key_id = $1',
    [keyId],
  )
  return {
    fromDay: Number(row!.from_day),
    spent: Number(row!.spent),
    recalled: Number(row!.recalled),
  }
}

describe.skipIf(!isPostgresqlInstalled())('leases of caps', () => {
  withAliceEach('cap_leases', (one, connection) => {
    on = one
    database = connection
  })

  test('of several sessions are never more than the cap, and who lacks some has others give back', async () => {
    const key = await issue()
    const [one, other] = [await Seller.open(), await Seller.open()]
    expect([await one.want(key, 6_000), await other.want(key, 3_000)]).toEqual([6_000, 3_000])
    const { recalled } = await capOf(key)
    expect(await other.want(key, 2_000)).toBe(3_000)
    expect((await capOf(key)).recalled).toBeGreaterThan(recalled)
    await one.sell(key, true, 5_000)
    expect(await one.give(key, 1_000)).toBe(0)
    expect(await other.want(key, 2_000)).toBe(5_000)
    await other.sell(key, true, 5_000)
    const before = await capOf(key)
    expect([await one.want(key, 1), await capOf(key)]).toEqual([0, { ...before, spent: 10_000 }])
    expect(await contradictions()).toBe('')
  })

  test('that a session sells more from than it has charge nothing', async () => {
    const key = await issue()
    const seller = await Seller.open()
    await seller.want(key, 1_000)
    expect(await seller.sell(key, true, 1_001)).toMatchObject({ unpaid: [1] })
    expect(await capOf(key)).toMatchObject({ spent: 0 })
  })

  test('of a dead session are spent for the cap until it is ended', async () => {
    const key = await issue()
    const [dead, alive] = [await Seller.open(), await Seller.open()]
    await dead.want(key, 10_000)
    expect(await alive.want(key, 5_000)).toBe(0)
    await closeLeases(database, dead.id)
    expect(await alive.want(key, 5_000)).toBe(5_000)
    await closeLeases(database, alive.id)
    expect((await on.books((open) => open.listKeys()))[0]).toMatchObject({ spentOfCapMicroUsd: 0 })
  })

  test('outlive the period: what they pay for then is of the next one', async () => {
    const key = await issue({ cap: { amountMicroUsd: capMicroUsd, period: 'day' } })
    const seller = await Seller.open()
    await seller.want(key, 10_000)
    await seller.sell(key, true, 6_000)
    // As if all that had been yesterday.
    await ask(on.ledger, 'update charge set day = day - 1')
    await ask(on.ledger, 'update key_cap set from_day = from_day - 1, until_day = until_day - 1')
    expect(await seller.want(key, 6_001)).toBe(4_000)
    await seller.sell(key, true, 4_000)
    expect(await capOf(key)).toMatchObject({ spent: 4_000 })
    expect(await seller.want(key, 6_000)).toBe(6_000)
    expect(await contradictions()).not.toMatch(/key_/)
  })

  test('count what was sold before a cap was set, and what a node sold that had not heard of it', async () => {
    const key = await issue({ cap: null })
    const seller = await Seller.open()
    await seller.sell(key, false, 4_000)
    await on.books((open) => open.setKey(key, { cap: { amountMicroUsd: 9_000, period: 'total' } }))
    await seller.sell(key, false, 2_000)
    expect([await seller.want(key, 3_001), await seller.want(key, 3_000)]).toEqual([0, 3_000])
    await on.books((open) => open.setKey(key, { cap: { amountMicroUsd: 7_000, period: 'total' } }))
    await seller.sell(key, true, 3_000)
    expect([await seller.want(key, 1), await capOf(key)]).toMatchObject([0, { spent: 9_000 }])
    await on.books((open) => open.setKey(key, { cap: null }))
    expect(await seller.want(key, 50_000)).toBe(50_000)
    expect(await contradictions()).toBe('')
  })

  test('cost an account without caps no statement', async () => {
    const key = await issue({ cap: null })
    const texts: string[] = []
    const counting: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        database.transaction((query, commit) => {
          const noted: RunStatement = (text, values) => {
            texts.push(text)
            return query(text, values)
          }
          return work(noted, commit)
        }),
    }
    const seller = await Seller.open()
    await seller.settle({ charges: [charge(key, false, 1_000)] }, counting)
    const without = texts.splice(0)
    expect(without.filter((text) => /key_cap/.test(text))).toEqual([])
    const capped = await issue()
    await seller.want(capped, 1_000)
    await seller.settle({ charges: [charge(capped, true, 1_000)] }, counting)
    expect(texts.filter((text) => /key_cap/.test(text))).toHaveLength(2)
    expect(texts).toHaveLength(without.length + 2)
  })

  test('are proved: what was changed behind the ledger shows', async () => {
    const key = await issue()
    const seller = await Seller.open()
    await seller.want(key, 5_000)
    await seller.sell(key, true, 2_000)
    await ask(on.ledger, 'update key_cap set spent = spent - 1')
    expect(await contradictions()).toMatch(
      /has spent 0\.001999 USD of total, its usage sums to 0\.002/,
    )
    await ask(on.ledger, 'update key_cap set spent = spent + 1')
    await ask(on.ledger, "update lease set granted = granted + 5001 where key_id <> ''")
    expect(await contradictions()).toMatch(
      /0\.010001 USD of total are spent or leased, above its cap/,
    )
    await ask(on.ledger, 'update key_cap set amount = 1999')
    expect(await contradictions()).toMatch(
      /has spent 0\.002 USD of total, above its cap of 0\.001999/,
    )
  })
})
