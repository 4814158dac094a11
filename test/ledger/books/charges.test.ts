/** Charges: one row an account and batch, each batch once. */
import { describe, expect, test } from 'vitest'
import { accountNamed, createAccount } from '../../../src/ledger/books/accounts.ts'
import { audit } from '../../../src/ledger/books/audit.ts'
import { type Batch, chargeBatch } from '../../../src/ledger/books/charges.ts'
import type { Environment } from '../../../src/ledger/books/environment.ts'
import { balanceOf } from '../../../src/ledger/books/journal.ts'
import type { Queries } from '../../../src/operations.ts'
import { newEnvironment, prices, startMs } from '../fixture.ts'

const none: Queries = { search: 0, detail: 0, peers: 0, match: 0 }

function batch(number: number, queries: Partial<Queries>, accountNumber = 1): Batch {
  return { session: 'test', number, charges: [{ accountNumber, queries: { ...none, ...queries } }] }
}

function balance(environment: Environment): number {
  return environment.read((tables) => balanceOf(accountNamed(tables, 'first')))
}

describe('a batch of charges', () => {
  test('is one row with queries and amount by route, and the balance after it', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    chargeBatch(environment, batch(1, { search: 3, match: 1 }), prices)
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

  test('is charged once when it is sent again', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    chargeBatch(environment, batch(1, { search: 1 }), prices)
    chargeBatch(environment, batch(1, { search: 1 }), prices)
    expect(balance(environment)).toBe(49_999_000)
    chargeBatch(environment, batch(2, { search: 1 }), prices)
    expect(balance(environment)).toBe(49_998_000)
  })

  test('of a free route is a row of zero', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    chargeBatch(environment, batch(1, { peers: 2 }), { ...prices, peers: 0 })
    expect(balance(environment)).toBe(50_000_000)
    expect(audit(environment)).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('that would overdraw one account charges nobody', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    createAccount(environment, 'second')
    const tooMuch = batch(1, { search: 50_001 }, 2)
    const charges = [...batch(1, { search: 1 }).charges, ...tooMuch.charges]
    expect(() => chargeBatch(environment, { ...tooMuch, charges }, prices)).toThrow(
      'second cannot hold',
    )
    expect(balance(environment)).toBe(50_000_000)
    expect(audit(environment)).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('of an account that does not exist is a bug, and throws', () => {
    expect(() => chargeBatch(newEnvironment(), batch(1, { search: 1 }), prices)).toThrow(
      'no account 1',
    )
  })
})
