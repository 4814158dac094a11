/** Keys with caps and other terms in the ledger: what belongs to a key outlives rotations, days and kills. */
import { describe, expect, test } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import type { KeyOrder } from '../../../../src/ledger/books/key-rows.ts'
import { booksWith, HandClock, newCommits, unitPrices } from '../../../support/ledger-fixture.ts'

const dayMs = 86_400_000
const order: KeyOrder = { account: 'first' }

/** A ledger with one account. */
async function newLedger() {
  const clock = new HandClock()
  const books = await booksWith(['first'], clock.read)
  return { clock, books }
}

async function issueCapped(books: Books, amountMicroUsd: number, more: Partial<KeyOrder> = {}) {
  const cap = { amountMicroUsd, period: 'total' } as const
  return (await books.issueKey({ ...order, cap, ...more })).record
}

/** A service on a ledger, which sells to keys by their ids. */
async function newService(books: Books, clock = new HandClock()) {
  const { commits, balances, keys, sendKeys } = await newCommits(books.place, clock.read, {
    soldAt: unitPrices,
  })
  const sell = (id: string, costMicroUsd: number): boolean => {
    const key = [...keys.values()].find(({ keyId }) => keyId === id)
    if (key === undefined || balances.take(key.purses, costMicroUsd) < 0) return false
    balances.record(key.line, key.purses, 'search', costMicroUsd, costMicroUsd)
    return true
  }
  const good = () => [...keys.values()].map(({ keyId }) => keyId)
  return { commits, sell, good, sendKeys }
}

describe('a cap', () => {
  test('is sold to the last micro-dollar, also over a restart, and not passed', async () => {
    const { clock, books } = await newLedger()
    const { id } = await issueCapped(books, 1_000)
    const one = await newService(books, clock)
    expect([one.sell(id, 700), one.sell(id, 301)]).toEqual([true, false])
    await one.commits.commit()
    const other = await newService(books, clock)
    expect([other.sell(id, 301), other.sell(id, 300), other.sell(id, 1)]).toEqual([
      false,
      true,
      false,
    ])
    await other.commits.commit()
    expect(await books.listKeys()).toMatchObject([
      { spentMicroUsd: 1_000, spentOfCapMicroUsd: 1_000 },
    ])
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('gives what a kill loses to the customer, and nothing twice', async () => {
    const { clock, books } = await newLedger()
    const { id } = await issueCapped(books, 1_000)
    const killed = await newService(books, clock)
    killed.sell(id, 400)
    await killed.commits.commit()
    killed.sell(id, 500)
    const { sell, commits } = await newService(books, clock)
    expect([sell(id, 601), sell(id, 600)]).toEqual([false, true])
    await commits.commit()
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('of a day begins anew at midnight by the clock of the ledger, with what was charged before', async () => {
    const { clock, books } = await newLedger()
    const cap = { amountMicroUsd: 1_000, period: 'day' } as const
    const { id } = (await books.issueKey({ ...order, cap })).record
    const { commits, sell, sendKeys } = await newService(books, clock)
    sell(id, 900)
    await commits.commit()
    clock.nowMs += dayMs / 2 - 1
    await sendKeys()
    expect([sell(id, 101), sell(id, 50)]).toEqual([false, true])
    clock.nowMs += 1
    await sendKeys()
    // What was sold before midnight and is not charged yet is charged on the new day.
    expect([sell(id, 951), sell(id, 950), sell(id, 1)]).toEqual([false, true, false])
    await commits.commit()
    expect(await books.listKeys()).toMatchObject([
      { spentMicroUsd: 1_900, spentOfCapMicroUsd: 1_000 },
    ])
    clock.nowMs += dayMs
    const later = await newService(books, clock)
    expect([later.sell(id, 1_001), later.sell(id, 1_000)]).toEqual([false, true])
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('can be set, raised, lowered and taken away while the service sells', async () => {
    const { clock, books } = await newLedger()
    const { id } = (await books.issueKey(order)).record
    const { commits, sell, sendKeys } = await newService(books, clock)
    const set = async (amountMicroUsd: number | undefined) => {
      const cap =
        amountMicroUsd === undefined ? null : ({ amountMicroUsd, period: 'total' } as const)
      await books.setKey(id, { cap })
      await sendKeys()
    }
    sell(id, 500)
    await commits.commit()
    await set(600)
    expect([sell(id, 101), sell(id, 100)]).toEqual([false, true])
    await set(900)
    expect([sell(id, 301), sell(id, 250)]).toEqual([false, true])
    await set(100)
    expect(sell(id, 1)).toBe(false)
    await commits.commit()
    expect(sell(id, 1)).toBe(false)
    await set(undefined)
    expect(sell(id, 5_000)).toBe(true)
    await commits.commit()
    expect(commits.slots.review().imbalances).toEqual(new Map())
    expect((await books.audit()).contradictions).toEqual([])
  })
})
