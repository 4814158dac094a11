/** Backups: whole and verified whatever is written meanwhile, and a way back. */
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lockDirectory } from '../../../../src/ledger/held-file.ts'
import { ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { Commits } from '../../../../src/ledger/live/commits.ts'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { backUp, restore } from '../../../../src/ledger/lmdb/backup.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import {
  type Environment,
  openEnvironment,
  withEnvironment,
} from '../../../../src/ledger/lmdb/environment.ts'
import { openSession } from '../../../../src/ledger/lmdb/session.ts'
import {
  newEnvironment,
  prices,
  salesOf,
  sellWithoutKey,
  startMs,
  temporaryDirectory,
} from '../../../support/ledger-fixture.ts'

const clock = () => startMs

function rowsIn(directory: string): Promise<number> {
  return withEnvironment({ directory, clock }, (environment) => {
    const { rows, contradictions } = audit(environment)
    expect(contradictions).toEqual([])
    return rows
  })
}

async function restored(backup: string, directory: string) {
  const lock = await lockDirectory(directory)
  return restore({ backup, directory, lock, clock }).finally(() => lock.release())
}

function charge(environment: Environment, number: number): void {
  const charges = [{ accountNumber: 1, keyId: 'key_1', sales: salesOf({ search: 1 }) }]
  chargeBatch(environment, { session: 'test', number, charges, holdings: undefined })
}

describe('a backup', () => {
  test('is the ledger, for its owner only, and nothing else', async () => {
    const environment = newEnvironment(clock)
    createAccount(environment, 'first')
    topUp(environment, 'first', 5, 'paid')
    const directory = join(temporaryDirectory(), 'made', 'here')
    expect(await backUp(environment, directory)).toEqual(audit(environment))
    expect(readdirSync(directory)).toEqual(['ledger.mdb'])
    expect(statSync(join(directory, 'ledger.mdb')).mode & 0o777).toBe(0o600)
    expect(await rowsIn(directory)).toBe(2)
  })

  test('is refused where there is a ledger, which stays as it is', async () => {
    const environment = newEnvironment(clock)
    const other = newEnvironment(clock)
    createAccount(other, 'other')
    await expect(backUp(environment, other.directory)).rejects.toThrow(
      `there is already a ledger in ${other.directory}`,
    )
    expect(audit(other).rows).toBe(1)
  })

  test('is refused where nothing can be written, and when its books do not balance', async () => {
    const environment = newEnvironment(clock)
    createAccount(environment, 'first')
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    await expect(backUp(environment, join(file, 'below'))).rejects.toMatchObject({
      code: 'ledger-refused',
    })
    environment.transact(({ accounts }) => {
      accounts.putSync(1, { ...accounts.get(1)!, chargedMicroUsd: 1 })
    })
    const directory = temporaryDirectory()
    await expect(backUp(environment, directory)).rejects.toThrow(
      'the books in the copy do not balance (1): account first: balance is 49.999999 USD',
    )
    expect(readdirSync(directory)).toEqual([])
  })

  test('under load is whole, and at most one window behind what was committed', async () => {
    const directory = temporaryDirectory()
    const session = await openSession(directory, clock)
    await session.createFirstAccount()
    const quiet = () => {}
    const options = { threads: 1, clock, onKeys: quiet, report: quiet, onImbalance: quiet }
    const commits = await Commits.open(session, options)
    onTestFinished(() => commits.close())
    sellWithoutKey(commits)
    const balances = new ThreadBalances(commits.shared, 0)
    const environment = openEnvironment({ directory, clock })
    onTestFinished(() => environment.close())
    let rows = 1
    let isSelling = true
    const selling = (async () => {
      while (isSelling) {
        balances.take([0], prices.search)
        balances.record(0, [0], 'search', 1, prices.search)
        await commits.commit()
        rows += 1
        await new Promise(setImmediate)
      }
    })()
    for (let number = 0; number < 10; number += 1) {
      const backup = join(temporaryDirectory(), 'backup')
      const before = rows
      const found = await backUp(environment, backup)
      expect(found.contradictions).toEqual([])
      expect(await rowsIn(backup)).toBe(found.rows)
      expect(found.rows).toBeGreaterThanOrEqual(before)
      expect(found.rows).toBeLessThanOrEqual(rows + 1)
    }
    isSelling = false
    await selling
    expect(rows).toBeGreaterThan(10)
  }, 60_000)
})

describe('a restoration', () => {
  test('puts the backup in place, and keeps what was there, both whole', async () => {
    const environment = newEnvironment(clock)
    createAccount(environment, 'first')
    const backup = temporaryDirectory()
    await backUp(environment, backup)
    for (let number = 1; number <= 5; number += 1) charge(environment, number)
    await environment.close()
    const { audit: found, replaced } = await restored(backup, environment.directory)
    expect(found.rows).toBe(1)
    expect(replaced).toBe(join(environment.directory, 'replaced-2026-07-28T12-00-00.000Z'))
    expect(await rowsIn(environment.directory)).toBe(1)
    expect(await rowsIn(replaced!)).toBe(6)
    expect(await rowsIn(backup)).toBe(1)
  })

  test('works where the ledger is damaged, or gone', async () => {
    const environment = newEnvironment(clock)
    createAccount(environment, 'first')
    const backup = temporaryDirectory()
    await backUp(environment, backup)
    await environment.close()
    truncateSync(join(environment.directory, 'ledger.mdb'), 5_000)
    expect((await restored(backup, environment.directory)).replaced).toBeDefined()
    expect(await rowsIn(environment.directory)).toBe(1)
    const fresh = temporaryDirectory()
    expect((await restored(backup, fresh)).replaced).toBeUndefined()
    expect(await rowsIn(fresh)).toBe(1)
  })

  test('of a backup that is damaged or none changes nothing', async () => {
    const environment = newEnvironment(clock)
    createAccount(environment, 'first')
    const backup = temporaryDirectory()
    await expect(restored(backup, environment.directory)).rejects.toThrow(`no ledger in ${backup}`)
    await backUp(environment, backup)
    truncateSync(join(backup, 'ledger.mdb'), 9_000)
    await expect(restored(backup, environment.directory)).rejects.toMatchObject({
      code: 'ledger-corrupt',
    })
    expect(audit(environment)).toMatchObject({ rows: 1, contradictions: [] })
    expect(
      readdirSync(environment.directory).filter((name) => /partial|replaced/.test(name)),
    ).toEqual([])
    expect(existsSync(join(environment.directory, 'ledger.mdb'))).toBe(true)
  })
})
