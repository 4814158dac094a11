/** Usage by key: whatever is sold to which keys, it adds up to the journal. */
import { describe, expect, test } from 'vitest'
import type { Charge } from '../../../../src/ledger/books/port.ts'
import { HandClock, newBooks, newSession, salesOf } from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'

const always = { isByKey: true }
const hourMs = 3_600_000

/** A ledger that sold to several keys of two accounts over some days; and the ids of the keys of the first. */
async function soldLedger(batches: number) {
  const clock = new HandClock()
  const books = await newBooks(clock.read)
  const random = new Random(7, 1)
  const keyIds: string[][] = []
  for (const account of ['first', 'second']) {
    await books.createAccount(account)
    await books.topUp(account, 1_000_000_000, 'paid')
    const order = { account }
    const issued = await Promise.all([1, 2, 3].map(() => books.issueKey(order)))
    keyIds.push(issued.map(({ record }) => record.id))
  }
  const { session } = await newSession(books.place, clock.read)
  for (let number = 1; number <= batches; number += 1) {
    clock.nowMs += random.below(5 * hourMs)
    const charges = keyIds.flatMap((keys, index): Charge[] =>
      keys
        .filter(() => random.below(2) === 0)
        .map((keyId) => ({
          accountNumber: index + 1,
          keyId,
          sales: salesOf({ search: 1 + random.below(3), match: 1 + random.below(9) }),
        })),
    )
    await session.commit({ number, charges })
  }
  return { books, session, clock, keys: keyIds[0]! }
}

const sum = (rows: readonly { queries: number; amountMicroUsd: number }[]) => ({
  queries: rows.reduce((total, { queries }) => total + queries, 0),
  amountMicroUsd: rows.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0),
})

describe('usage by key', () => {
  test('adds up to the statement and the journal', async () => {
    const { books } = await soldLedger(60)
    const { charges, account } = await books.statementOf('first')
    const byDay = await books.usageOf('first', always)
    expect(new Set(byDay.map(({ keyId }) => keyId)).size).toBe(3)
    expect(sum(byDay)).toEqual(sum(charges))
    expect(sum(byDay).amountMicroUsd).toBe(account.chargedMicroUsd)
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('is read between two days, both with it, and of one account alone', async () => {
    const { books } = await soldLedger(60)
    const all = await books.usageOf('second', always)
    const days = [...new Set(all.map(({ day }) => day))]
    expect(days.length).toBeGreaterThan(3)
    const found = await books.usageOf('second', { fromDay: days[1]!, toDay: days[2]! })
    expect(new Set(found.map(({ day }) => day))).toEqual(new Set([days[1], days[2]]))
    expect(sum(found)).toEqual(sum(all.filter(({ day }) => [days[1], days[2]].includes(day))))
  })

  test('is seen by the holder of a key: of this month, of its own key and of all', async () => {
    const { books, session, clock, keys } = await soldLedger(60)
    const view = (await session.books.readOwner({ keyId: keys[0]! }))!
    const month = new Date(clock.nowMs).toISOString().slice(0, 7)
    const all = (await books.usageOf('first', always)).filter(({ day }) => day.startsWith(month))
    expect(sum(view.charges)).toEqual(sum(all))
    expect(sum(view.keyCharges)).toEqual(sum(all.filter(({ keyId }) => keyId === keys[0])))
    expect(sum(view.keyCharges).queries).toBeGreaterThan(0)
    expect(await session.books.readOwner({ keyId: 'key_0000000000' })).toBeUndefined()
  })
})
