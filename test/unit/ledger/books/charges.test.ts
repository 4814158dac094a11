/** Charges of a service: one row a day, key and route, each batch once. */
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../../../src/ledger/books/account-records.ts'
import type { ChargeBatch } from '../../../../src/ledger/books/port.ts'
import type { RouteName } from '../../../../src/operations.ts'
import {
  askLedger,
  newBooks,
  newSession,
  salesOf,
  startMs,
} from '../../../support/ledger-fixture.ts'

function batch(
  number: number,
  queries: Partial<Record<RouteName, number>>,
  accountNumber = 1,
): ChargeBatch {
  const charges = [{ accountNumber, keyId: 'key_1', sales: salesOf(queries) }]
  return { number, charges }
}

/** A ledger with an account, and a service that sells from it. */
async function newLedger() {
  const books = await newBooks()
  await books.createAccount('first')
  const { session } = await newSession(books.place)
  const balance = async () => balanceOf(await books.accountNamed('first'))
  return { books, session, balance }
}

describe('a batch of charges', () => {
  test('is a row for each route, to which later batches of the day add', async () => {
    const { books, session } = await newLedger()
    await session.commit(batch(1, { search: 3, match: 1 }))
    await session.commit(batch(2, { search: 2 }))
    const rows = await askLedger(books.place, 'select * from charge order by route')
    const whose = { account: 1, day: Math.floor(startMs / 86_400_000), key_id: 'key_1' }
    expect(rows).toEqual([
      { ...whose, route: 'match', queries: 1, amount: 500 },
      { ...whose, route: 'search', queries: 5, amount: 5_000 },
    ])
    expect(await books.audit()).toMatchObject({ rows: 3, contradictions: [] })
  })

  test('is charged once when it is sent again', async () => {
    const { session, balance } = await newLedger()
    await session.commit(batch(1, { search: 1 }))
    await session.commit(batch(1, { search: 1 }))
    expect(await balance()).toBe(49_999_000)
    await session.commit(batch(2, { search: 1 }))
    expect(await balance()).toBe(49_998_000)
  })

  test('returns the funds of its accounts as they are after it, also when it is sent again', async () => {
    const { books, session } = await newLedger()
    await books.createAccount('second')
    await books.topUp('second', 5, 'paid')
    const funds = { accountNumber: 2, grantedMicroUsd: 50_000_005, spentMicroUsd: 3_000 }
    expect(await session.commit(batch(1, { peers: 1 }, 2))).toEqual([funds])
    expect(await session.commit(batch(1, { peers: 1 }, 2))).toEqual([funds])
  })

  test('of a free route is a row of zero', async () => {
    const { books, session, balance } = await newLedger()
    const sales = { peers: { queries: 2, amountMicroUsd: 0 } }
    await session.commit({
      ...batch(1, {}),
      charges: [{ accountNumber: 1, keyId: 'key_1', sales }],
    })
    expect(await balance()).toBe(50_000_000)
    expect(await books.audit()).toMatchObject({ rows: 2, contradictions: [] })
  })
})
