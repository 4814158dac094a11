/**
 * A ledger that a service wrote before rows had digests: `without-digests.mdb.br` holds two accounts,
 * top-ups, an adjustment, a suspension, charges of two days, and a day whose charges were folded.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import { openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { attributeEarlierUsage } from '../../../../src/ledger/lmdb/lineages/usage-by-key.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import { HandClock, salesOf, temporaryDirectory } from '../../../support/ledger-fixture.ts'

function openEarlier() {
  const directory = temporaryDirectory()
  const stored = readFileSync(join(import.meta.dirname, 'without-digests.mdb.br'))
  writeFileSync(join(directory, 'ledger.mdb'), brotliDecompressSync(stored))
  const clock = new HandClock()
  clock.nowMs = Date.UTC(2026, 10, 24)
  const environment = openEnvironment({ directory, clock: clock.read })
  onTestFinished(() => environment.close())
  return environment
}

test('a ledger of an earlier version keeps every amount, and its audit says from where it has digests', () => {
  const environment = openEarlier()
  expect(audit(environment)).toMatchObject({
    accounts: 2,
    rows: 8,
    keys: 2,
    balanceMicroUsd: 102_991_000n,
    chainedFrom: [
      { account: 'default', row: 13 },
      { account: 'second', row: 2 },
    ],
    contradictions: [],
  })
  const { balanceMicroUsd, credits } = statementOf(environment, 'default')
  expect(balanceMicroUsd).toBe(52_991_000)
  expect(credits).toHaveLength(3)
})

test('a ledger of an earlier version goes on, and a change of one of its old rows is named', () => {
  const environment = openEarlier()
  topUp(environment, 'default', 1_000_000, 'invoice 2')
  const charges = [{ accountNumber: 1, sales: salesOf({ search: 1 }) }]
  environment.read((tables) =>
    attributeEarlierUsage(tables, (...change) => environment.transact(...change)),
  )
  chargeBatch(environment, { session: 'later', number: 1, charges, holdings: undefined })
  expect(audit(environment)).toMatchObject({ rows: 10, contradictions: [] })
  environment.transact(({ journal }) => {
    const row = journal.get([1, 1])!
    journal.putSync([1, 1], { ...row, atMs: row.atMs + 1 })
  })
  expect(audit(environment).contradictions).toEqual([
    expect.stringMatching(/^account default: row 1: its digest is another/),
  ])
})
