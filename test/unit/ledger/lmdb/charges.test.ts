/** Charges: one row an account and batch, each batch once. */
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../../../src/ledger/account-records.ts'
import { accountNamed, createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch, type SessionBatch } from '../../../../src/ledger/lmdb/charges.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import type { RouteName } from '../../../../src/operations.ts'
import { newEnvironment, salesOf, startMs } from '../../../support/ledger-fixture.ts'

function batch(
  number: number,
  queries: Partial<Record<RouteName, number>>,
  accountNumber = 1,
): SessionBatch {
  const charges = [{ accountNumber, keyId: 'key_1', sales: salesOf(queries) }]
  return { session: 'test', number, charges, holdings: undefined }
}

function balance(environment: Environment): number {
  return environment.read((tables) => balanceOf(accountNamed(tables, 'first')))
}

describe('a batch of charges', () => {
  test('is one row with queries and amount by route, and the balance after it', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    chargeBatch(environment, batch(1, { search: 3, match: 1 }))
    expect(environment.read((tables) => tables.journal.get([1, 2]))).toEqual({
      kind: 'charge',
      amountMicroUsd: -3_500,
      atMs: startMs,
      balanceMicroUsd: 49_996_500,
      sales: {
        search: { queries: 3, amountMicroUsd: 3_000 },
        match: { queries: 1, amountMicroUsd: 500 },
      },
    })
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is one row of an account, however many of its keys were sold to', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const charges = Array.from({ length: 50 }, (_, key) => {
      return { accountNumber: 1, keyId: `key_${key}`, sales: salesOf({ search: 1 }) }
    })
    chargeBatch(environment, { ...batch(1, {}), charges })
    expect(balance(environment)).toBe(49_950_000)
    expect(audit(environment)).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('is charged once when it is sent again', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    chargeBatch(environment, batch(1, { search: 1 }))
    chargeBatch(environment, batch(1, { search: 1 }))
    expect(balance(environment)).toBe(49_999_000)
    chargeBatch(environment, batch(2, { search: 1 }))
    expect(balance(environment)).toBe(49_998_000)
  })

  test('returns the funds of its accounts as they are after it, also when it is sent again', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    createAccount(environment, 'second')
    topUp(environment, 'second', 5, 'paid')
    const funds = { accountNumber: 2, grantedMicroUsd: 50_000_005, spentMicroUsd: 3_000 }
    expect(chargeBatch(environment, batch(1, { peers: 1 }, 2))).toEqual([funds])
    expect(chargeBatch(environment, batch(1, { peers: 1 }, 2))).toEqual([funds])
  })

  test('takes with it what the service held, until the next one', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const holdings = {
      grantedMicroUsd: 50_000_000,
      liveMicroUsd: 49_996_000,
      reservedMicroUsd: 2_000,
      uncommittedMicroUsd: 1_000,
    }
    chargeBatch(environment, { ...batch(1, { search: 1 }), holdings })
    expect(audit(environment)).toMatchObject({ holdings, contradictions: [] })
    chargeBatch(environment, batch(2, { search: 1 }))
    expect(audit(environment)).toMatchObject({ holdings: undefined, contradictions: [] })
  })

  test.each([
    { queries: 0, amountMicroUsd: 1 },
    { queries: 0.5, amountMicroUsd: 1 },
    { queries: 1, amountMicroUsd: -1 },
    { queries: 1, amountMicroUsd: Number.NaN },
    { queries: 1, amountMicroUsd: 0.1 },
  ])('with %j is a bug, and charges nobody', (sale) => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const charges = [{ accountNumber: 1, keyId: 'key_1', sales: { search: sale } }]
    expect(() => chargeBatch(environment, { ...batch(1, {}), charges })).toThrow(
      'no sale on search',
    )
    expect(audit(environment)).toMatchObject({ rows: 1, contradictions: [] })
  })

  test('of a free route is a row of zero', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const sales = { peers: { queries: 2, amountMicroUsd: 0 } }
    chargeBatch(environment, {
      ...batch(1, {}),
      charges: [{ accountNumber: 1, keyId: 'key_1', sales }],
    })
    expect(balance(environment)).toBe(50_000_000)
    expect(audit(environment)).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('that would overdraw one account charges nobody', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    createAccount(environment, 'second')
    const tooMuch = batch(1, { search: 50_001 }, 2)
    const charges = [...batch(1, { search: 1 }).charges, ...tooMuch.charges]
    expect(() => chargeBatch(environment, { ...tooMuch, charges })).toThrow('second cannot hold')
    expect(balance(environment)).toBe(50_000_000)
    expect(audit(environment)).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('of an account that does not exist is a bug, and throws', () => {
    expect(() => chargeBatch(newEnvironment(), batch(1, { search: 1 }))).toThrow('no account 1')
  })
})
