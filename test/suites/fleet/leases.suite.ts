/**
 * What a real PostgreSQL has of leases, of balances and of caps, and of charges, when sessions want, spend, give back, end, come
 * too late, are forgotten or are long over: no service runs here, so that every one of these moments can be made.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { setLowMicroUsd } from '../../../src/ledger/books/events.ts'
import type { KeyOrder } from '../../../src/ledger/books/key-rows.ts'
import type { Charge } from '../../../src/ledger/books/port.ts'
import { closeLeases, openSession, reap } from '../../../src/ledger/books/session-rows.ts'
import { openLeaseSession } from '../../../src/ledger/leases/lease-session.ts'
import { Outbox } from '../../../src/ledger/leases/outbox.ts'
import { type Reply, type Settlement, settle } from '../../../src/ledger/leases/settlement.ts'
import type { RunStatement } from '../../../src/ledger/sql/port.ts'
import type { Database } from '../../../src/ledger/sql/postgres/database.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { type LedgerDatabase, withAliceEach } from '../../support/servers/ledger-databases.ts'
import { ask, isPostgresqlInstalled, nowMsSql } from '../../support/servers/postgresql-server.ts'

const priceMicroUsd = 1_000
const openedMicroUsd = 50_000_000

let on: LedgerDatabase
let database: Database

/** What is left, what was charged, and what was given away, in queries; the books must balance. */
async function state() {
  const { account, audit } = await on.books(async (open) => ({
    account: await open.accountNamed('alice'),
    audit: await open.audit(),
  }))
  expect(audit.contradictions).toEqual([])
  const [unpaidCharges] = await ask<{ queries: number }>(
    on.ledger,
    'select coalesce(sum(queries), 0)::integer as queries from given_away',
  )
  const [free] = await ask<{ free: string }>(on.ledger, 'select free from account')
  const charged = account.chargedMicroUsd / priceMicroUsd
  return { charged, givenAway: unpaidCharges!.queries, freeMicroUsd: Number(free!.free) }
}

function charges(queries: number): readonly Charge[] {
  const amountMicroUsd = queries * priceMicroUsd
  return [{ accountNumber: 1, keyId: 'key_1', route: 'search', queries, amountMicroUsd }]
}

function settlement(session: string, number: number, queries: number): Settlement {
  const sold = queries === 0 ? [] : charges(queries)
  return { session, number, charges: sold, moves: [] }
}

const clock = () => performance.now()

function carryOut(of: Database, order: Settlement): Promise<Reply> {
  return settle(of, order, clock)
}

async function identity(): Promise<string> {
  const [row] = await ask<{ identity: string }>(on.ledger, 'select identity from ledger_identity')
  return row!.identity
}

async function leased(): Promise<string> {
  return (await Seller.open()).id
}

const capMicroUsd = 10_000

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
    const order = { amountMicroUsd: 1_000_000, requestMicroUsd: priceMicroUsd }
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

async function serve(place = temporaryDirectory()) {
  const lines: string[] = []
  const session = await openLeaseSession({
    ...{ uri: on.ledger, directory: place, node: 'test', waitMs: 10_000 },
    ...{ ended: new Promise<void>(() => {}), clock: () => Math.floor(performance.now()) },
    wallClock: Date.now,
    report: (line) => lines.push(line),
  })
  onTestFinished(() => session.close())
  return { session, lines }
}

describe.skipIf(!isPostgresqlInstalled())('leases in a database', () => {
  withAliceEach('leases', (one, connection) => {
    on = one
    database = connection
  })

  describe('of a session that ends', () => {
    test('are free again, and what comes after that is not charged', async () => {
      const session = await leased()
      await carryOut(database, settlement(session, 2, 5))
      expect(await closeLeases(database, session)).toBe(true)
      expect(await closeLeases(database, session)).toBe(false)
      const late = await carryOut(database, settlement(session, 3, 7))
      expect(late.closed).toMatchObject({ last: 2, isClosed: true })
      const freeMicroUsd = openedMicroUsd - 5 * priceMicroUsd
      expect(await state()).toEqual({ charged: 5, givenAway: 0, freeMicroUsd })
    })

    test('are charged once for what is told twice', async () => {
      const session = await leased()
      const first = await carryOut(database, settlement(session, 2, 5))
      const again = await carryOut(database, settlement(session, 2, 5))
      expect(again.leases).toEqual(first.leases)
      expect([first, again]).toMatchObject([{ unpaid: [] }, { unpaid: [] }])
      expect(await state()).toMatchObject({ charged: 5 })
    })

    test('write down what no lease pays for, and say the same when it is told twice', async () => {
      const session = await leased()
      const queries = 2 * (openedMicroUsd / priceMicroUsd)
      for (let times = 0; times < 2; times += 1) {
        const reply = await carryOut(database, settlement(session, 2, queries))
        expect(reply).toMatchObject({ unpaid: [1] })
      }
      expect(await state()).toMatchObject({ charged: 0, givenAway: queries })
    })

    test('tell once of a low balance and of a cap that is reached, from whichever session it comes', async () => {
      const cap = { amountMicroUsd: 3 * priceMicroUsd, period: 'total' } as const
      const order = { account: 'alice', cap }
      const { id: keyId } = (await on.books((open) => open.issueKey(order))).record
      await setLowMicroUsd(database, openedMicroUsd - 4 * priceMicroUsd)
      const sessions = [await leased(), await leased()]
      const sell = (session: string, number: number, queries: number, isCapped: boolean) => {
        const [charge] = charges(queries)
        const sold = [
          {
            ...charge!,
            keyId: isCapped ? keyId : 'key_1',
            ...(isCapped && { isCapped: true as const }),
          },
        ]
        return carryOut(database, { ...settlement(session, number, 0), charges: sold })
      }
      const want = { amountMicroUsd: 2 * priceMicroUsd, requestMicroUsd: priceMicroUsd }
      for (const session of sessions) {
        const ofCap = { accountNumber: 1, keyId, given: 0 }
        const move = { ...ofCap, want: { ...want, neededMicroUsd: 0, recalls: false } }
        await carryOut(database, { ...settlement(session, 2, 0), moves: [move] })
      }
      const kinds = () => on.books((open) => open.events({ after: 0, limit: 9 }))
      await sell(sessions[0]!, 3, 2, true)
      await sell(sessions[0]!, 3, 2, true)
      expect(await kinds()).toEqual([])
      await sell(sessions[1]!, 3, 1, true)
      expect(await kinds()).toMatchObject([{ kind: 'cap.reached', subject: keyId }])
      await sell(sessions[0]!, 4, 2, false)
      await sell(sessions[1]!, 4, 2, false)
      expect(await kinds()).toMatchObject([
        { number: 1, kind: 'cap.reached' },
        { number: 2, kind: 'balance.low', subject: 'alice', details: { balance_usd: 49.995 } },
      ])
      expect(await state()).toMatchObject({ charged: 7, givenAway: 0 })
    })

    test('are ended by others only when nothing was heard of it for too long', async () => {
      const late = (by: number) =>
        ask(on.ledger, `update session set expires_ms = ${nowMsSql} - ${by * 1_000}`)
      /** Ends those that are late by four seconds; undefined where the machine took until they were late by five. */
      const reapLate = async () => {
        await late(4)
        const ended = await reap(database)
        const isOver = `expires_ms < ${nowMsSql} - 5000`
        const over = await ask(on.ledger, `select 1 from session where ${isOver}`)
        return over.length === 0 ? ended : undefined
      }
      let session = await leased()
      let ended = await reapLate()
      for (; ended === undefined; ended = await reapLate()) session = await leased()
      expect(ended).toBe(0)
      await late(6)
      expect(await reap(database)).toBe(1)
      expect((await carryOut(database, settlement(session, 2, 1))).closed).toBeDefined()
      expect(await state()).toMatchObject({ charged: 0, freeMicroUsd: openedMicroUsd })
    })

    test('leave a note of what is given away, once', async () => {
      const late = { number: 4, charges: charges(3) }
      const order = { ...settlement(await leased(), 5, 0), late }
      for (let times = 0; times < 2; times += 1) {
        expect(await carryOut(database, order)).toMatchObject({ unpaid: [] })
      }
      expect(await state()).toMatchObject({ charged: 0, givenAway: 3 })
    })
  })

  describe('of a service that was killed', () => {
    /** What is in the outbox: three queries that were reported, and four that were not. */
    async function outboxOf(session: string): Promise<string> {
      const place = temporaryDirectory()
      const outbox = await Outbox.open({ directory: place, clock: Date.now, report: () => {} })
      outbox.begin(session, await identity(), 0)
      outbox.add({ number: 2, charges: charges(3) }, 0)
      outbox.add({ number: 4, charges: charges(4) }, 0)
      await outbox.close()
      return place
    }

    test.each([
      ['goes on', async () => {}, { charged: 7, givenAway: 0 }],
      ['was ended', (id: string) => closeLeases(database, id), { charged: 3, givenAway: 4 }],
    ])('are told at its next start, where its session %s', async (_, fate, expected) => {
      const id = await leased()
      await carryOut(database, settlement(id, 3, 3))
      await fate(id)
      const place = await outboxOf(id)
      const { session } = await serve(place)
      expect(await state()).toMatchObject(expected)
      expect(session.givenAwayMicroUsd()).toBe(expected.givenAway * priceMicroUsd)
      const [row] = await ask<{ open: number }>(
        on.ledger,
        `select count(*)::integer as open from session where closed_ms is null and id <> '${id}'`,
      )
      expect(row).toEqual({ open: 1 })
    })

    test('are given away where the database has never heard of it', async () => {
      const { session, lines } = await serve(await outboxOf(randomUUID()))
      expect(await state()).toMatchObject({ charged: 0, givenAway: 7 })
      expect(session.givenAwayMicroUsd()).toBe(7 * priceMicroUsd)
      expect(lines.join()).toContain('cannot be charged any more and are given away')
    })
  })

  describe('of a service whose database is a standby that came too late', () => {
    test.each([
      ['has not granted them', 'update lease set granted = 0'],
      ['does not know its session', 'delete from lease; delete from session'],
    ])('are void where it %s: it begins anew by itself', async (_, forget) => {
      const { session, lines } = await serve()
      await ask(on.ledger, `begin; update account set free = credited; ${forget}; commit`)
      await session.commit({ number: 1, charges: charges(5) })
      await until(async () => (await state()).givenAway === 5)
      expect(session.givenAwayMicroUsd()).toBe(5 * priceMicroUsd)
      expect(lines.join()).toContain('the leases of this service were ended')
      const isHeld = () => session.heldUntilMs() > performance.now()
      await until(async () => isHeld() && (await state()).freeMicroUsd < openedMicroUsd)
      await session.commit({ number: 2, charges: charges(2) })
      await until(async () => (await state()).charged === 2)
    })
  })

  describe('and the journal that they fill', () => {
    test('take nothing that cannot be, and damage to them is found', async () => {
      await carryOut(database, settlement(await leased(), 2, 5))
      const other = randomUUID()
      await openSession(database, { id: other, node: 'test' })
      const twice = `insert into credit (account, n, at_ms, kind, amount, reference)
        select 1, n, 1, 'top-up', 1, 'twice' from generate_series(101, 102) as n`
      for (const statement of [
        'update account set free = -1',
        'update account set free = credited - charged + 1',
        `insert into lease values ('${other}', 1, 1, 2)`,
        `insert into lease values ('${other}', 1, 1, -1)`,
        'update charge set amount = -1',
        twice,
      ]) {
        await expect(ask(on.ledger, statement), statement).rejects.toThrow('violates')
      }
      expect(await state()).toMatchObject({ charged: 5 })
      await ask(on.ledger, 'update account set credited = credited + 1')
      const { contradictions } = await on.books((open) => open.audit())
      expect(contradictions.join('; ')).toContain('credits is')
    })

    test('is proven however long that takes', async () => {
      await carryOut(database, settlement(await leased(), 2, 5))
      const holder = new pg.Client({ connectionString: on.ledger })
      await holder.connect()
      onTestFinished(() => holder.end())
      await holder.query('begin; lock table charge in access exclusive mode')
      const proven = state()
      await until(async () => {
        const waiting = 'select 1 from pg_locks where not granted'
        return (await ask(on.ledger, `${waiting} and relation = 'charge'::regclass`)).length > 0
      })
      // Longer than a service would wait for an answer.
      await holder.query('select pg_sleep(4)')
      await holder.query('commit')
      expect(await proven).toMatchObject({ charged: 5 })
    })
  })

  describe('of caps', () => {
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
      expect((await on.books((open) => open.listKeys()))[0]).toMatchObject({
        spentOfCapMicroUsd: 0,
      })
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
      await on.books((open) =>
        open.setKey(key, { cap: { amountMicroUsd: 9_000, period: 'total' } }),
      )
      await seller.sell(key, false, 2_000)
      expect([await seller.want(key, 3_001), await seller.want(key, 3_000)]).toEqual([0, 3_000])
      await on.books((open) =>
        open.setKey(key, { cap: { amountMicroUsd: 7_000, period: 'total' } }),
      )
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
})
