/** The digests of a ledger on the disk: every change that did not come through the ledger is named. */
import { describe, expect, test } from 'vitest'
import type { Account, JournalRow } from '../../../../src/ledger/account-records.ts'
import { createAccount, resume, suspend, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import { compact } from '../../../../src/ledger/lmdb/compaction.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import { issueKey, listKeys, revokeKey } from '../../../../src/ledger/lmdb/keys.ts'
import type { Tables } from '../../../../src/ledger/lmdb/tables.ts'
import { HandClock, newEnvironment, salesOf } from '../../../support/ledger-fixture.ts'

const dayMs = 86_400_000

/** Two accounts with two top-ups, charges on three days, and a key each. */
function goodEnvironment(clock = new HandClock()): Environment {
  const environment = newEnvironment(clock.read)
  for (const name of ['first', 'second']) {
    createAccount(environment, name)
    topUp(environment, name, 10_000_000, 'paid')
    topUp(environment, name, 10_000_000, 'paid again')
    issueKey(environment, { account: name, label: null, expiresAtMs: null })
  }
  const sales = salesOf({ search: 2 })
  for (let number = 1; number <= 6; number += 1) {
    const charges = [1, 2].map((accountNumber) => ({ accountNumber, lineage: 'key_1', sales }))
    chargeBatch(environment, { session: 'test', number, charges, holdings: undefined })
    if (number % 2 === 0) clock.nowMs += dayMs
  }
  return environment
}

/** Changes a row and all sums that it is in, so that only a digest can tell. */
function changeRow({ journal }: Tables, sequence: number, change: Partial<JournalRow>): void {
  journal.putSync([1, sequence], { ...journal.get([1, sequence])!, ...change } as JournalRow)
}

function changeAccount({ accounts }: Tables, change: (account: Account) => Account): void {
  accounts.putSync(1, change(accounts.get(1)!))
}

/** Balances of the rows from a number on, and the account's credits. */
function addToBalances(tables: Tables, from: number, amountMicroUsd: number): void {
  const { rows } = tables.accounts.get(1)!
  for (let sequence = from; sequence <= rows; sequence += 1) {
    const { balanceMicroUsd } = tables.journal.get([1, sequence])!
    changeRow(tables, sequence, { balanceMicroUsd: balanceMicroUsd + amountMicroUsd })
  }
  changeAccount(tables, (account) => ({
    ...account,
    creditedMicroUsd: account.creditedMicroUsd + amountMicroUsd,
  }))
}

const rowIsAnother = (row: number) =>
  new RegExp(`^account first: row ${row}: its digest is another: it, or what was before it`)

const tamperings: [string, RegExp, (tables: Tables) => unknown][] = [
  [
    'an amount that was changed with every sum',
    rowIsAnother(2),
    (tables) => {
      changeRow(tables, 2, { amountMicroUsd: 15_000_000 })
      addToBalances(tables, 2, 5_000_000)
    },
  ],
  [
    'a reference that was changed, in the index too',
    rowIsAnother(2),
    (tables) => {
      changeRow(tables, 2, { reference: 'other' } as Partial<JournalRow>)
      tables.references.removeSync([1, 'paid'])
      tables.references.putSync([1, 'other'], 2)
    },
  ],
  [
    'a reference that was used again',
    /^account first: row 3: reference 'paid' a second time$/,
    (tables) => changeRow(tables, 3, { reference: 'paid' } as Partial<JournalRow>),
  ],
  [
    'a credit that stands twice, with every sum',
    /^account first: row 10: its digest is another/,
    (tables) => {
      const row = tables.journal.get([1, 3])!
      const last = tables.journal.get([1, 9])!
      const balanceMicroUsd = last.balanceMicroUsd + row.amountMicroUsd
      const doubled = { ...row, balanceMicroUsd, reference: 'paid anew' } as JournalRow
      tables.journal.putSync([1, 10], doubled)
      tables.references.putSync([1, 'paid anew'], 10)
      changeAccount(tables, (account) => ({
        ...account,
        rows: 10,
        creditedMicroUsd: account.creditedMicroUsd + row.amountMicroUsd,
      }))
    },
  ],
  [
    'a row that was inserted without a digest',
    rowIsAnother(10),
    ({ journal }) => {
      const { digest: _, ...row } = journal.get([1, 9])!
      journal.putSync([1, 10], row as JournalRow)
    },
  ],
  ['a row that was deleted', rowIsAnother(3), ({ journal }) => journal.removeSync([1, 2])],
  [
    'two rows that changed places',
    rowIsAnother(2),
    ({ journal }) => {
      const [one, other] = [journal.get([1, 2])!, journal.get([1, 3])!]
      journal.putSync([1, 2], { ...other, balanceMicroUsd: one.balanceMicroUsd })
      journal.putSync([1, 3], { ...one, balanceMicroUsd: other.balanceMicroUsd })
    },
  ],
  [
    'last rows that were cut off with every sum',
    /^account first: row 8, its last one, is not the row that was written last$/,
    (tables) => {
      tables.journal.removeSync([1, 9])
      changeAccount(tables, (account) => ({
        ...account,
        rows: 8,
        chargedMicroUsd: account.chargedMicroUsd - 2_000,
      }))
      const day = '2026-07-30'
      tables.usage.putSync([1, day, 'search'], { queries: 2, amountMicroUsd: 2_000 })
    },
  ],
  [
    'an account that was renamed, in the index too',
    /^account renamed: its number, its name or its time of making is not what was written$/,
    (tables) => {
      changeAccount(tables, (account) => ({ ...account, name: 'renamed' }))
      tables.names.removeSync('first')
      tables.names.putSync('renamed', 1)
    },
  ],
  [
    'a key that was moved to another account',
    /^key key_\w{10} is not what was written: its account/,
    ({ keys }) => {
      const [{ key: id, value: key }] = Array.from(keys.getRange()) as [
        { key: string; value: never },
      ]
      const { accountNumber } = key as { accountNumber: number }
      keys.putSync(id, { ...(key as object), accountNumber: 3 - accountNumber } as never)
    },
  ],
  [
    'a key that was removed',
    /^account \w+: its keys or its suspension are not those that were written$/,
    ({ keys }) => keys.removeSync(Array.from(keys.getKeys())[0]!),
  ],
  [
    'a suspension that was set by hand',
    /^account first: its keys or its suspension/,
    (tables) => changeAccount(tables, (account) => ({ ...account, suspendedAtMs: 1 })),
  ],
]

describe('the proof by digests', () => {
  test('finds nothing where everything came through the ledger', () => {
    const environment = goodEnvironment()
    suspend(environment, 'first')
    const [key, other] = listKeys(environment)
    revokeKey(environment, key!.id)
    revokeKey(environment, other!.id)
    resume(environment, 'first')
    suspend(environment, 'second')
    expect(audit(environment)).toMatchObject({ contradictions: [] })
  })

  test.each(tamperings)('names %s', (_, expected, tamper) => {
    const environment = goodEnvironment()
    environment.transact(tamper)
    expect(audit(environment).contradictions).toContainEqual(expect.stringMatching(expected))
  })

  test.each([
    ['amount', { amountMicroUsd: -3_000, sales: salesOf({ search: 3 }) }],
    ['time', { atMs: 1 }],
    ['count of rows', { rows: 3 }],
  ])('names a row that others were folded into when its %s was changed', async (_, change) => {
    const clock = new HandClock()
    const environment = goodEnvironment(clock)
    expect(await compact(environment, clock.nowMs)).toBe(6)
    expect(audit(environment).contradictions).toEqual([])
    environment.transact((tables) => changeRow(tables, 5, change as Partial<JournalRow>))
    expect(audit(environment).contradictions).toContainEqual(
      expect.stringMatching(/^account first: row 5: its digest is another/),
    )
  })

  test('does not end at a row that was folded: what was written before and later is proved', async () => {
    const clock = new HandClock()
    const environment = goodEnvironment(clock)
    await compact(environment, clock.nowMs)
    topUp(environment, 'first', 1, 'later')
    environment.transact((tables) => changeRow(tables, 3, { atMs: 1 }))
    environment.transact((tables) => changeRow(tables, 10, { atMs: 1 }))
    const { contradictions } = audit(environment)
    expect(contradictions.map((each) => /row \d+/.exec(each)![0])).toEqual(['row 3', 'row 10'])
  })

  test('sums what a double does not hold', () => {
    const environment = newEnvironment()
    for (let number = 1; number <= 10; number += 1) createAccount(environment, `account-${number}`)
    environment.transact(({ accounts }) => {
      for (const { key, value } of Array.from(accounts.getRange())) {
        accounts.putSync(key, { ...value, creditedMicroUsd: 1e15 - 1 })
      }
    })
    expect(audit(environment).balanceMicroUsd).toBe(9_999_999_999_999_990n)
  })
})
