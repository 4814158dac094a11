/**
 * A process that opens the ledger may put the number of the last transaction in LMDB's lock file back behind a commit of
 * another one. No commit is lost by that.
 */
import { spawnSync } from 'node:child_process'
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newestTransaction } from '../../../../src/ledger/disk/pages.ts'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import { newEnvironment } from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

/** As opening the file does that read its heads some commits ago. The descriptor stays open: closing it ends LMDB's locks. */
function putBack({ directory }: Environment, commits: number): void {
  const path = join(directory, 'ledger.mdb')
  const number = Buffer.alloc(8)
  number.writeBigUInt64LE(BigInt(newestTransaction(path) - commits))
  writeSync(openSync(`${path}-lock`, 'r+'), number, 0, 8, 8)
}

function ledgerWithAccount(): Environment {
  const environment = newEnvironment()
  createAccount(environment, 'first')
  return environment
}

function references(environment: Environment): (string | null)[] {
  return statementOf(environment, 'first').credits.map(({ reference }) => reference)
}

describe('a number of the last transaction that was put back', () => {
  test.each([1, 2, 3])('by %i commits loses none of them', (commits) => {
    const environment = ledgerWithAccount()
    const before = ['one', 'two', 'three', 'four']
    for (const reference of before) topUp(environment, 'first', 1, reference)
    putBack(environment, commits)
    topUp(environment, 'first', 1, 'after')
    expect(references(environment)).toEqual([null, ...before, 'after'])
    expect(audit(environment).contradictions).toEqual([])
  })

  test('again and again loses nothing', () => {
    const environment = ledgerWithAccount()
    const expected = Array.from({ length: 50 }, (_, index) => `payment-${index}`)
    for (const reference of expected) {
      topUp(environment, 'first', 1, reference)
      putBack(environment, 1)
    }
    topUp(environment, 'first', 1, 'last')
    expect(references(environment)).toEqual([null, ...expected, 'last'])
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is put right by the next process that opens the ledger, and by a change that changes nothing', () => {
    const environment = ledgerWithAccount()
    topUp(environment, 'first', 1, 'paid')
    putBack(environment, 1)
    expect(references(environment)).toEqual([null])
    environment.transact(() => {})
    expect(references(environment)).toEqual([null, 'paid'])
    putBack(environment, 1)
    const customer = compiled(join(import.meta.dirname, '..', 'lmdb', 'customer.ts'))
    const opening = [customer, environment.directory, '0']
    expect(spawnSync(process.execPath, opening).status).toBe(0)
    expect(references(environment)).toEqual([null, 'paid'])
  })
})
