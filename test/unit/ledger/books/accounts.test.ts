/** Accounts, top-ups and statements: what is credited, once, and what is refused. */
import { describe, expect, test } from 'vitest'
import { balanceOf, isSuspended } from '../../../../src/ledger/books/account-records.ts'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { databaseAccountsMax } from '../../../../src/ledger/books/port.ts'
import { balanceMicroUsdMax, topUpMicroUsdMax } from '../../../../src/money.ts'
import {
  askLedger,
  damageLedger,
  HandClock,
  newBooks,
  newSession,
  salesOf,
  startMs,
} from '../../../support/ledger-fixture.ts'

const usd = 1_000_000

async function balance(books: Books, name: string): Promise<number> {
  return balanceOf(await books.accountNamed(name))
}

function refusal(code: string, message: RegExp) {
  return expect.objectContaining({
    name: 'Refusal',
    code,
    message: expect.stringMatching(message),
  })
}

function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (error: unknown) => error,
  )
}

describe('an account', () => {
  test.each([0, 1, 7.5 * usd])('starts with an opening credit of %d micro-USD', async (amount) => {
    const books = await newBooks()
    expect(balanceOf(await books.createAccount('first', amount))).toBe(amount)
    expect((await books.audit()).contradictions).toEqual([])
  })

  test.each([-1, 0.5, Number.NaN, 1_000_001 * usd])(
    'refuses an opening credit of %d',
    async (amount) => {
      const books = await newBooks()
      expect(await thrownBy(books.createAccount('first', amount))).toEqual(
        refusal('wrong-usage', /^an opening credit is from 0 to 1000000.00/),
      )
    },
  )

  test('starts with 50 USD, and its number follows the last', async () => {
    const books = await newBooks()
    expect(balanceOf(await books.createAccount('first'))).toBe(50 * usd)
    expect((await books.createAccount('second')).number).toBe(2)
    expect((await books.accounts()).map(({ name }) => name)).toEqual(['first', 'second'])
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('is made once', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    const error = await thrownBy(books.createAccount('first'))
    expect(error).toEqual(refusal('ledger-refused', /already an account 'first'/))
    expect(await books.accounts()).toHaveLength(1)
  })

  test.each(['', ' ', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65), `aik_${'0'.repeat(36)}`])(
    'is not made under the name %j, which is not repeated',
    async (name) => {
      const error = await thrownBy((await newBooks()).createAccount(name))
      expect(error).toEqual(refusal('wrong-usage', /^an account name is 1 to 64 of/))
    },
  )

  test('is not found under a name that it does not have', async () => {
    const books = await newBooks()
    expect(await thrownBy(books.accountNamed('nobody'))).toEqual(
      refusal('ledger-refused', /no account 'nobody'/),
    )
  })

  test('is refused when every number is taken', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    damageLedger(books.place, `update account set id = ${databaseAccountsMax}`)
    expect(await thrownBy(books.createAccount('one-more'))).toEqual(
      refusal('ledger-refused', /^a ledger holds at most 10000000 accounts$/),
    )
  })
})

describe('a top-up', () => {
  test('is credited once for its reference, however often it is sent', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    expect((await books.topUp('first', 25 * usd, 'invoice 7')).credited).toBe(true)
    expect((await books.topUp('first', 25 * usd, 'invoice 7')).credited).toBe(false)
    expect(await balance(books, 'first')).toBe(75 * usd)
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('is refused when its reference stands for another amount, and changes nothing', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    await books.topUp('first', 25 * usd, 'invoice 7')
    expect(await thrownBy(books.topUp('first', 24 * usd, 'invoice 7'))).toEqual(
      refusal('ledger-refused', /'invoice 7' of account 'first' stands for 25.00 USD/),
    )
    expect(await balance(books, 'first')).toBe(75 * usd)
  })

  test('is credited once however much white space stands around its reference', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    await books.topUp('first', usd, 'paid')
    expect((await books.topUp('first', usd, ' paid\u00a0\n')).credited).toBe(false)
  })

  test('of another account may have the same reference', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    await books.createAccount('second')
    await books.topUp('first', usd, 'same')
    expect((await books.topUp('second', 2 * usd, 'same')).credited).toBe(true)
    expect((await books.audit()).contradictions).toEqual([])
  })

  test.each([0, -1, 0.5, Number.NaN, topUpMicroUsdMax + 1])(
    'of %d micro-USD is refused',
    async (amount) => {
      const books = await newBooks()
      await books.createAccount('first')
      expect(await thrownBy(books.topUp('first', amount, 'r'))).toEqual(
        refusal('wrong-usage', /more than 0 and at most 1000000.00 USD/),
      )
    },
  )

  test.each(['', 'a\tb', 'x'.repeat(129), `paid by aik_${'0'.repeat(36)}`])(
    'under the reference %j is refused',
    async (reference) => {
      const books = await newBooks()
      await books.createAccount('first')
      expect(await thrownBy(books.topUp('first', usd, reference))).toEqual(
        refusal('wrong-usage', /^a reference is 1 to 128 printable characters$/),
      )
    },
  )

  test('that would exceed what an account can hold is refused, and changes nothing', async () => {
    const books = await newBooks()
    await books.createAccount('first')
    await askLedger(books.place, 'update account set credited = $1', [balanceMicroUsdMax - 1])
    expect(await thrownBy(books.topUp('first', 2, 'too much'))).toEqual(
      refusal('ledger-refused', /'first' cannot hold more than 1000000000.00 USD/),
    )
    expect(await balance(books, 'first')).toBe(balanceMicroUsdMax - 1)
    expect((await books.topUp('first', 1, 'just enough')).credited).toBe(true)
  })
})

describe('an adjustment', () => {
  const correction = { amountMicroUsd: -10 * usd, reference: 'refund 1', reason: 'paid twice' }

  async function booksWithAccount() {
    const books = await newBooks()
    await books.createAccount('first')
    return books
  }

  test('takes or gives once for each reference, and says why in the statement', async () => {
    const books = await booksWithAccount()
    expect((await books.adjust('first', correction)).credited).toBe(true)
    expect((await books.adjust('first', { ...correction, reason: 'again' })).credited).toBe(false)
    expect(await balance(books, 'first')).toBe(40 * usd)
    const given = { amountMicroUsd: usd, reference: 'gift', reason: 'sorry' }
    expect((await books.adjust('first', given)).credited).toBe(true)
    expect(await books.statementOf('first')).toMatchObject({
      credits: [{ amountMicroUsd: 50 * usd, reason: null }, correction, given],
      balanceMicroUsd: 41 * usd,
    })
    expect(await books.audit()).toMatchObject({ balanceMicroUsd: 41_000_000n, contradictions: [] })
  })

  test('never takes more than there is, and changes nothing then', async () => {
    const books = await booksWithAccount()
    const tooMuch = { ...correction, amountMicroUsd: -50 * usd - 1 }
    expect(await thrownBy(books.adjust('first', tooMuch))).toEqual(
      refusal('ledger-refused', /^the balance of account 'first' is only 50.00 USD$/),
    )
    expect((await books.audit()).rows).toBe(1)
    await books.adjust('first', { ...correction, amountMicroUsd: -50 * usd })
    expect(await balance(books, 'first')).toBe(0)
  })

  test('has no reference in common with a top-up', async () => {
    const books = await booksWithAccount()
    await books.topUp('first', usd, 'same')
    const same = { ...correction, amountMicroUsd: usd, reference: 'same' }
    expect(await thrownBy(books.adjust('first', same))).toEqual(
      refusal('ledger-refused', /'same' of account 'first' stands for top-up of 1.00 USD$/),
    )
  })

  test.each([
    [{ amountMicroUsd: 0 }, /^an adjustment is not 0/],
    [{ amountMicroUsd: -topUpMicroUsdMax - 1 }, /^an adjustment is not 0 and at most/],
    [{ reason: ' ' }, /^a reason is 1 to 256 printable characters$/],
    [{ reason: `for aik_${'0'.repeat(36)}` }, /^a reason is/],
    [{ reference: '\t' }, /^a reference is/],
  ])('with %j is refused', async (different, message) => {
    const work = (await booksWithAccount()).adjust('first', { ...correction, ...different })
    expect(await thrownBy(work)).toEqual(refusal('wrong-usage', message))
  })
})

describe('a suspended account', () => {
  test('keeps its money, and says whether anything changed', async () => {
    const books = await newBooks()
    await books.createAccount('first')
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
    const books = await newBooks(clock.read)
    await books.createAccount('first')
    await books.topUp('first', 10 * usd, 'b')
    await books.topUp('first', 5 * usd, 'a')
    const batch = (sequence: number, queries: { search: number; match?: number }) => ({
      number: sequence,
      charges: [{ accountNumber: 1, keyId: 'key_1', sales: salesOf(queries) }],
    })
    const { session } = await newSession(books.place, clock.read)
    await session.commit(batch(1, { search: 3, match: 4 }))
    await session.commit(batch(2, { search: 2 }))
    clock.nowMs += 12 * 3_600_000
    await session.commit(batch(3, { search: 1 }))

    const { credits, charges, balanceMicroUsd } = await books.statementOf('first')
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
    expect(balanceMicroUsd).toBe(65 * usd - 8_000)
    expect((await books.audit()).contradictions).toEqual([])
  })
})
