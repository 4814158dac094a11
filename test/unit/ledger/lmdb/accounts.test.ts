/** Accounts, top-ups and statements: what is credited, once, and what is refused. */
import { describe, expect, test } from 'vitest'
import { balanceOf, isSuspended } from '../../../../src/ledger/account-records.ts'
import {
  accountNamed,
  accounts,
  adjust,
  createAccount,
  resume,
  suspend,
  topUp,
} from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import { accountsMax } from '../../../../src/ledger/port.ts'
import { balanceMicroUsdMax, topUpMicroUsdMax } from '../../../../src/money.ts'
import { HandClock, newEnvironment, salesOf, startMs } from '../../../support/ledger-fixture.ts'

const usd = 1_000_000

function balance(environment: Environment, name: string): number {
  return environment.read((tables) => balanceOf(accountNamed(tables, name)))
}

function refusal(code: string, message: RegExp) {
  return expect.objectContaining({
    name: 'Refusal',
    code,
    message: expect.stringMatching(message),
  })
}

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('an account', () => {
  test.each([0, 1, 7.5 * usd])('starts with an opening credit of %d micro-USD', (amount) => {
    const environment = newEnvironment()
    expect(balanceOf(createAccount(environment, 'first', amount))).toBe(amount)
    expect(audit(environment).contradictions).toEqual([])
  })

  test.each([-1, 0.5, Number.NaN, 1_000_001 * usd])('refuses an opening credit of %d', (amount) => {
    const create = () => createAccount(newEnvironment(), 'first', amount)
    expect(thrownBy(create)).toEqual(
      refusal('wrong-usage', /^an opening credit is from 0 to 1000000.00/),
    )
  })

  test('starts with 50 USD, and its number follows the last', () => {
    const environment = newEnvironment()
    expect(balanceOf(createAccount(environment, 'first'))).toBe(50 * usd)
    expect(createAccount(environment, 'second').number).toBe(2)
    expect(environment.read(accounts).map(({ name }) => name)).toEqual(['first', 'second'])
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is made once', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const error = thrownBy(() => createAccount(environment, 'first'))
    expect(error).toEqual(refusal('ledger-refused', /already an account 'first'/))
    expect(environment.read(accounts)).toHaveLength(1)
  })

  test.each(['', ' ', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65), `aik_${'0'.repeat(36)}`])(
    'is not made under the name %j, which is not repeated',
    (name) => {
      const error = thrownBy(() => createAccount(newEnvironment(), name))
      expect(error).toEqual(refusal('wrong-usage', /^an account name is 1 to 64 of/))
    },
  )

  test('is not found under a name that it does not have', () => {
    const environment = newEnvironment()
    expect(thrownBy(() => balance(environment, 'nobody'))).toEqual(
      refusal('ledger-refused', /no account 'nobody'/),
    )
  })

  test('is refused when every slot is taken', () => {
    const environment = newEnvironment()
    const last = { ...createAccount(environment, 'first'), number: accountsMax }
    environment.transact((tables) => tables.accounts.putSync(accountsMax, last))
    expect(thrownBy(() => createAccount(environment, 'one-more'))).toEqual(
      refusal(
        'ledger-refused',
        /in a file holds at most 65536 accounts; one in PostgreSQL holds 10000000$/,
      ),
    )
  })
})

describe('a top-up', () => {
  test('is credited once for its reference, however often it is sent', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    expect(topUp(environment, 'first', 25 * usd, 'invoice 7').credited).toBe(true)
    expect(topUp(environment, 'first', 25 * usd, 'invoice 7').credited).toBe(false)
    expect(balance(environment, 'first')).toBe(75 * usd)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is refused when its reference stands for another amount, and changes nothing', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    topUp(environment, 'first', 25 * usd, 'invoice 7')
    expect(thrownBy(() => topUp(environment, 'first', 24 * usd, 'invoice 7'))).toEqual(
      refusal('ledger-refused', /'invoice 7' of account 'first' stands for 25.00 USD/),
    )
    expect(balance(environment, 'first')).toBe(75 * usd)
  })

  test('is credited once however much white space stands around its reference', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    topUp(environment, 'first', usd, 'paid')
    expect(topUp(environment, 'first', usd, ' paid\u00a0\n').credited).toBe(false)
  })

  test('of another account may have the same reference', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    createAccount(environment, 'second')
    topUp(environment, 'first', usd, 'same')
    expect(topUp(environment, 'second', 2 * usd, 'same').credited).toBe(true)
    expect(audit(environment).contradictions).toEqual([])
  })

  test.each([0, -1, 0.5, Number.NaN, topUpMicroUsdMax + 1])(
    'of %d micro-USD is refused',
    (amount) => {
      const environment = newEnvironment()
      createAccount(environment, 'first')
      expect(thrownBy(() => topUp(environment, 'first', amount, 'r'))).toEqual(
        refusal('wrong-usage', /more than 0 and at most 1000000.00 USD/),
      )
    },
  )

  test.each(['', 'a\tb', 'x'.repeat(129), `paid by aik_${'0'.repeat(36)}`])(
    'under the reference %j is refused',
    (reference) => {
      const environment = newEnvironment()
      createAccount(environment, 'first')
      expect(thrownBy(() => topUp(environment, 'first', usd, reference))).toEqual(
        refusal('wrong-usage', /^a reference is 1 to 128 printable characters$/),
      )
    },
  )

  test('that would exceed what an account can hold is refused, and changes nothing', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    environment.transact(({ accounts: table }) => {
      table.putSync(1, { ...table.get(1)!, creditedMicroUsd: balanceMicroUsdMax - 1 })
    })
    expect(thrownBy(() => topUp(environment, 'first', 2, 'too much'))).toEqual(
      refusal('ledger-refused', /'first' cannot hold more than 1000000000.00 USD/),
    )
    expect(balance(environment, 'first')).toBe(balanceMicroUsdMax - 1)
    expect(topUp(environment, 'first', 1, 'just enough').credited).toBe(true)
  })
})

describe('an adjustment', () => {
  const correction = { amountMicroUsd: -10 * usd, reference: 'refund 1', reason: 'paid twice' }

  function environmentWithAccount() {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    return environment
  }

  test('takes or gives once for each reference, and says why in the statement', () => {
    const environment = environmentWithAccount()
    expect(adjust(environment, 'first', correction).credited).toBe(true)
    expect(adjust(environment, 'first', { ...correction, reason: 'again' }).credited).toBe(false)
    expect(balance(environment, 'first')).toBe(40 * usd)
    const given = { amountMicroUsd: usd, reference: 'gift', reason: 'sorry' }
    expect(adjust(environment, 'first', given).credited).toBe(true)
    expect(statementOf(environment, 'first')).toMatchObject({
      credits: [{ amountMicroUsd: 50 * usd, reason: null }, correction, given],
      balanceMicroUsd: 41 * usd,
    })
    expect(audit(environment)).toMatchObject({ balanceMicroUsd: 41_000_000n, contradictions: [] })
  })

  test('never takes more than there is, and changes nothing then', () => {
    const environment = environmentWithAccount()
    const tooMuch = { ...correction, amountMicroUsd: -50 * usd - 1 }
    expect(thrownBy(() => adjust(environment, 'first', tooMuch))).toEqual(
      refusal('ledger-refused', /^the balance of account 'first' is only 50.00 USD$/),
    )
    expect(audit(environment).rows).toBe(1)
    adjust(environment, 'first', { ...correction, amountMicroUsd: -50 * usd })
    expect(balance(environment, 'first')).toBe(0)
  })

  test('has no reference in common with a top-up', () => {
    const environment = environmentWithAccount()
    topUp(environment, 'first', usd, 'same')
    const same = { ...correction, amountMicroUsd: usd, reference: 'same' }
    expect(thrownBy(() => adjust(environment, 'first', same))).toEqual(
      refusal('ledger-refused', /'same' of account 'first' stands for top-up of 1.00 USD$/),
    )
  })

  test.each([
    [{ amountMicroUsd: 0 }, /^an adjustment is not 0/],
    [{ amountMicroUsd: -topUpMicroUsdMax - 1 }, /^an adjustment is not 0 and at most/],
    [{ reason: ' ' }, /^a reason is 1 to 256 printable characters$/],
    [{ reason: `for aik_${'0'.repeat(36)}` }, /^a reason is/],
    [{ reference: '\t' }, /^a reference is/],
  ])('with %j is refused', (different, message) => {
    const work = () => adjust(environmentWithAccount(), 'first', { ...correction, ...different })
    expect(thrownBy(work)).toEqual(refusal('wrong-usage', message))
  })
})

describe('a suspended account', () => {
  test('keeps its money, and says whether anything changed', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const state = () => isSuspended(environment.read((tables) => accountNamed(tables, 'first')))
    expect([suspend(environment, 'first'), suspend(environment, 'first')]).toEqual([true, false])
    expect(state()).toBe(true)
    expect(topUp(environment, 'first', usd, 'paid').credited).toBe(true)
    expect(state()).toBe(true)
    expect([resume(environment, 'first'), resume(environment, 'first')]).toEqual([true, false])
    expect(state()).toBe(false)
    expect(audit(environment)).toMatchObject({ balanceMicroUsd: 51_000_000n, contradictions: [] })
  })
})

describe('a statement', () => {
  test('shows credits by time, charges by UTC day and route, and their difference', () => {
    const clock = new HandClock()
    const environment = newEnvironment(clock.read)
    const { number } = createAccount(environment, 'first')
    topUp(environment, 'first', 10 * usd, 'b')
    topUp(environment, 'first', 5 * usd, 'a')
    const batch = (sequence: number, queries: { search: number; match?: number }) => ({
      session: 'test',
      number: sequence,
      charges: [{ accountNumber: number, keyId: 'key_1', sales: salesOf(queries) }],
      holdings: undefined,
    })
    chargeBatch(environment, batch(1, { search: 3, match: 4 }))
    chargeBatch(environment, batch(2, { search: 2 }))
    clock.nowMs += 12 * 3_600_000
    chargeBatch(environment, batch(3, { search: 1 }))

    const { credits, charges, balanceMicroUsd } = statementOf(environment, 'first')
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
    expect(audit(environment).contradictions).toEqual([])
  })
})
