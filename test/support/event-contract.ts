/** What a ledger in SQL promises of events: each once, in the transaction that causes it. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Books } from '../../src/ledger/books/books.ts'
import {
  eventsKeptMs,
  keepEvents,
  keyExpiringMs,
  type LedgerEvent,
  noteEvent,
  setLowMicroUsd,
} from '../../src/ledger/books/events.ts'
import { openSession } from '../../src/ledger/books/session-rows.ts'
import { settle } from '../../src/ledger/leases/settlement.ts'
import type { Sql } from '../../src/ledger/sql/port.ts'
import { chargeOf } from './ledger-fixture.ts'

const order = { account: 'alice' }
const dayMs = 86_400_000

interface Ledger {
  readonly books: Books
  readonly sql: Sql
}

/** A service that sells at 0.001 USD a query, and finds balances low below 0.004 USD. */
async function selling({ books, sql }: Ledger) {
  const session = randomUUID()
  await setLowMicroUsd(sql, 4_000)
  await openSession(sql, { id: session, node: 'test', isWhole: true })
  let number = 0
  const sell = async (accountNumber: number, keyId: string, queries: number) => {
    number += 1
    const charges = [chargeOf(accountNumber, keyId, queries)]
    const batch = { session, number, charges, moves: [] }
    for (let times = 0; times < 2; times += 1) await settle(sql, batch, Date.now)
  }
  const seen = async (after = 0) => (await books.events({ after, limit: 100 })).map(shown)
  return { sell, seen }
}

function shown({ number, kind, subject, details }: LedgerEvent) {
  return [number, kind, subject, details]
}

export function describeEvents(kind: string, open: () => Promise<Ledger>): void {
  describe(`events in ${kind}`, () => {
    test('tell of a low balance once, until it is above the limit and falls again', async () => {
      const ledger = await open()
      const { sell, seen } = await selling(ledger)
      const { books } = ledger
      await books.createAccount('alice', 6_000)
      await books.createAccount('bob', 3_000)
      await sell(1, 'key_1', 2)
      await sell(2, 'key_2', 1)
      expect(await seen()).toEqual([])
      await sell(1, 'key_1', 1)
      const low = (balance_usd: number) => ({ balance_usd, below_usd: 0.004 })
      const first = [1, 'balance.low', 'alice', low(0.003)]
      expect(await seen()).toEqual([first])
      await sell(1, 'key_1', 1)
      await books.topUp('alice', 1_000, 'r-1')
      await sell(1, 'key_1', 1)
      expect(await seen()).toEqual([first])
      await books.topUp('alice', 5_000, 'r-2')
      const taken = { amountMicroUsd: -6_000, reference: 'r-3', reason: 'too much' }
      await books.adjust('alice', taken)
      await books.adjust('alice', taken)
      expect(await seen()).toEqual([first, [2, 'balance.low', 'alice', low(0.001)]])
      expect(await seen(1)).toHaveLength(1)
      expect((await books.audit()).contradictions).toEqual([])
    })

    test('tell of a cap once in a period, where it does not pay for another query, and again when it is set', async () => {
      const ledger = await open()
      const { sell, seen } = await selling(ledger)
      const { books } = ledger
      await books.createAccount('alice')
      const cap = { amountMicroUsd: 3_500, period: 'total' } as const
      const { id } = (await books.issueKey({ ...order, cap })).record
      await sell(1, id, 2)
      expect(await seen()).toEqual([])
      await sell(1, id, 1)
      await sell(1, id, 1)
      const reached = (cap_usd: number) => ({ account: 'alice', cap_usd, period: 'total' })
      expect(await seen()).toEqual([[1, 'cap.reached', id, reached(0.0035)]])
      await books.setKey(id, { cap: { ...cap, amountMicroUsd: 6_000 } })
      await sell(1, id, 1)
      await sell(1, id, 1)
      expect(await seen(1)).toEqual([[2, 'cap.reached', id, reached(0.006)]])
    })

    test('tell of a suspension and of its end', async () => {
      const { books } = await open()
      await books.createAccount('alice')
      for (let times = 0; times < 2; times += 1) await books.suspend('alice')
      await books.resume('alice')
      const events = await books.events({ after: 0, limit: 2 })
      expect(events.map(shown)).toEqual([
        [1, 'account.suspended', 'alice', {}],
        [2, 'account.resumed', 'alice', {}],
      ])
      expect(Math.abs(events[0]!.atMs - Date.now())).toBeLessThan(60_000)
      expect(await books.events({ after: 0, limit: 1 })).toHaveLength(1)
    })

    test('tell of the end of a key a week before, once, unless it was issued for less', async () => {
      const { books, sql } = await open()
      await books.createAccount('alice')
      const lifeMs = 5 * dayMs
      const { id } = (await books.issueKey({ ...order, label: 'web', lifeMs })).record
      const brief = (await books.issueKey({ ...order, lifeMs })).record
      await books.issueKey({ ...order, lifeMs: 2 * keyExpiringMs })
      const ago = `update api_key set created_ms = created_ms - ${90 * dayMs} where id <> $1`
      await sql.transaction((query) => query(ago, [brief.id]))
      for (let times = 0; times < 2; times += 1)
        await Promise.all([keepEvents(sql), keepEvents(sql)])
      const found = await books.events({ after: 0, limit: 9 })
      const expires = expect.stringMatching(/^\d{4}-.*Z$/)
      const details = { account: 'alice', label: 'web', expires }
      expect(found.map(shown)).toEqual([[1, 'key.expiring', id, details]])
      await books.setKey(id, { lifeMs: lifeMs + dayMs })
      await keepEvents(sql)
      expect(await books.events({ after: 1, limit: 9 })).toMatchObject([{ subject: id }])
    })

    test('tell once what several services see, and again what comes again', async () => {
      const { books, sql } = await open()
      const note = (subject: string, isAgain: boolean) =>
        noteEvent(sql, { kind: 'snapshot.announced', subject, details: {} }, isAgain)
      await Promise.all([note('a', true), note('a', true), note('a', false)])
      await note('b', true)
      await note('a', false)
      await note('a', true)
      const found = await books.events({ after: 0, limit: 9 })
      expect(found.map(({ subject }) => subject)).toEqual(['a', 'b', 'a'])
    })

    test('are kept for 30 days, and their numbers go on', async () => {
      const { books, sql } = await open()
      await books.createAccount('alice')
      await books.suspend('alice')
      await books.resume('alice')
      const ago = `update event set at_ms = at_ms - ${eventsKeptMs + 1_000}`
      await sql.transaction((query) => query(`${ago} where n = 1`))
      await keepEvents(sql)
      expect((await books.events({ after: 0, limit: 9 })).map(({ number }) => number)).toEqual([2])
      await sql.transaction((query) => query(ago))
      await keepEvents(sql)
      await books.suspend('alice')
      expect((await books.events({ after: 0, limit: 9 })).map(({ number }) => number)).toEqual([3])
    })
  })
}
