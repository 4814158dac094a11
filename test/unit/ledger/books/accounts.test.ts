/** Accounts, top-ups and statements: what is credited, once, and what is refused. */
import { describe, expect, test } from 'vitest'
import { balanceOf, isSuspended } from '../../../../src/ledger/books/account-records.ts'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { databaseAccountsMax } from '../../../../src/ledger/books/port.ts'
import { balanceMicroUsdMax } from '../../../../src/money.ts'
import {
  askLedger,
  batchOf,
  booksWith,
  chargeOf,
  damageLedger,
  HandClock,
  newSession,
  startMs,
} from '../../../support/ledger-fixture.ts'
import { sectionsOf } from '../../../support/table-sections.ts'

const usd = 1_000_000

async function balance(books: Books, name: string): Promise<number> {
  return balanceOf(await books.accountNamed(name))
}

async function refused(work: Promise<unknown>, code: string, message: RegExp): Promise<void> {
  const refusal = { name: 'Refusal', code, message: expect.stringMatching(message) }
  await expect(work).rejects.toMatchObject(refusal)
}

const [wrong] = sectionsOf(new URL('refused.tsv', import.meta.url))

test.each(wrong!.rows)('%s of %s is refused, and changes nothing', async (name, json, said) => {
  const books = await booksWith(['first'])
  const given = JSON.parse(json, (_, value) => (value === 'NaN' ? Number.NaN : value))
  const call = books[name as 'issueKey'] as (...given: readonly unknown[]) => Promise<unknown>
  const message = expect.stringContaining(said)
  await expect(call.apply(books, given)).rejects.toMatchObject({ code: 'wrong-usage', message })
  expect(await books.audit()).toMatchObject({ accounts: 1, rows: 1, keys: 0 })
})

describe('an account', () => {
  test('is refused when every number is taken', async () => {
    const books = await booksWith(['first'])
    damageLedger(books.place, `update account set id = ${databaseAccountsMax}`)
    await refused(
      books.createAccount('one-more'),
      'ledger-refused',
      /^a ledger holds at most 10000000 accounts$/,
    )
  })
})

describe('a top-up', () => {
  test('is credited once however much white space stands around its reference', async () => {
    const books = await booksWith(['first'])
    await books.topUp('first', usd, 'paid')
    expect((await books.topUp('first', usd, ' paid\u00a0\n')).credited).toBe(false)
  })

  test('that would exceed what an account can hold is refused, and changes nothing', async () => {
    const books = await booksWith(['first'])
    await askLedger(books.place, 'update account set credited = $1', [balanceMicroUsdMax - 1])
    await refused(
      books.topUp('first', 2, 'too much'),
      'ledger-refused',
      /'first' cannot hold more than 1000000000.00 USD/,
    )
    expect(await balance(books, 'first')).toBe(balanceMicroUsdMax - 1)
    expect((await books.topUp('first', 1, 'just enough')).credited).toBe(true)
  })
})

describe('an adjustment', () => {
  const correction = { amountMicroUsd: -10 * usd, reference: 'refund 1', reason: 'paid twice' }

  test('has no reference in common with a top-up', async () => {
    const books = await booksWith(['first'])
    await books.topUp('first', usd, 'same')
    const same = { ...correction, amountMicroUsd: usd, reference: 'same' }
    await refused(
      books.adjust('first', same),
      'ledger-refused',
      /'same' of account 'first' stands for top-up of 1.00 USD$/,
    )
  })
})

describe('a suspended account', () => {
  test('keeps its money, and says whether anything changed', async () => {
    const books = await booksWith(['first'])
    const state = async () => isSuspended(await books.accountNamed('first'))
    expect([await books.suspend('first'), await books.suspend('first')]).toEqual([true, false])
    expect(await state()).toBe(true)
    expect((await books.topUp('first', usd, 'paid')).credited).toBe(true)
    expect(await state()).toBe(true)
    expect([await books.resume('first'), await books.resume('first')]).toEqual([true, false])
    expect(await state()).toBe(false)
    expect(await books.audit()).toMatchObject({ balanceMicroUsd: 51_000_000n, contradictions: [] })
  })
})

describe('a statement', () => {
  test('shows credits by time, charges by UTC day and route, and their difference', async () => {
    const clock = new HandClock()
    const books = await booksWith(['first'], clock.read)
    await books.topUp('first', 10 * usd, 'b')
    await books.topUp('first', 5 * usd, 'a')
    const { session } = await newSession(books.place, clock.read)
    const searches = (queries: number) => chargeOf(1, 'key_1', queries)
    await session.commit(batchOf(1, searches(3), chargeOf(1, 'key_1', 4, 'match')))
    await session.commit(batchOf(2, searches(2)))
    clock.nowMs += 12 * 3_600_000
    await session.commit(batchOf(3, searches(1)))

    const { credits, charges, account } = await books.statementOf('first')
    expect(credits).toEqual([
      { atMs: startMs, amountMicroUsd: 50 * usd, reference: null, reason: null },
      { atMs: startMs, amountMicroUsd: 10 * usd, reference: 'b', reason: null },
      { atMs: startMs, amountMicroUsd: 5 * usd, reference: 'a', reason: null },
    ])
    expect(charges).toEqual([
      { day: '2026-07-28', route: 'match', queries: 4, amountMicroUsd: 2_000 },
      { day: '2026-07-28', route: 'search', queries: 5, amountMicroUsd: 5_000 },
      { day: '2026-07-29', route: 'search', queries: 1, amountMicroUsd: 1_000 },
    ])
    expect(balanceOf(account)).toBe(65 * usd - 8_000)
    // A row for each day, key and route, whatever was charged when.
    expect(await books.audit()).toMatchObject({ rows: 3 + 3, contradictions: [] })
  })
  test('shows what was free as a charge of zero', async () => {
    const books = await booksWith(['first'])
    const { session } = await newSession(books.place)
    const free = { ...chargeOf(1, 'key_1', 2, 'peers'), amountMicroUsd: 0 }
    await session.commit(batchOf(1, free))
    expect(await books.statementOf('first')).toMatchObject({
      charges: [{ route: 'peers', queries: 2, amountMicroUsd: 0 }],
      account: { creditedMicroUsd: 50 * usd, chargedMicroUsd: 0 },
    })
    expect((await books.audit()).contradictions).toEqual([])
  })
})
