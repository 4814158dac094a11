/** The teller: what was served is charged once, and a disk that fails stops the sale, not the books. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { accountNamed, createAccount, topUp } from '../../../src/ledger/books/accounts.ts'
import { audit } from '../../../src/ledger/books/audit.ts'
import { type Environment, openEnvironment } from '../../../src/ledger/books/environment.ts'
import { balanceOf } from '../../../src/ledger/books/journal.ts'
import { issueKey, revokeKey } from '../../../src/ledger/books/keys.ts'
import { statementOf } from '../../../src/ledger/books/statement.ts'
import { Balances } from '../../../src/ledger/live/balances.ts'
import { openTeller, Teller } from '../../../src/ledger/live/commits.ts'
import { Refusal } from '../../../src/problems.ts'
import {
  newEnvironment,
  newTeller,
  prices,
  startMs,
  stubLock,
  temporaryDirectory,
} from '../fixture.ts'

const usd = 1_000_000
const diskFull = new Refusal('ledger-refused', 'the disk is full')
const quiet = { prices, onKeyTable: () => {}, report: () => {} }

function ledgerBalance(environment: Environment, name = 'first'): number {
  return environment.read((tables) => balanceOf(accountNamed(tables, name)))
}

function environmentWithAccount(): Environment {
  const environment = newEnvironment()
  createAccount(environment, 'first')
  return environment
}

/** Serves searches as a serving thread does. */
function serve(balances: Balances, queries: number): void {
  expect(balances.take(0, queries * prices.search) >= 0).toBe(true)
  balances.record(0, 'search', queries)
}

describe('the teller', () => {
  test('starts with the balances and keys of the ledger', () => {
    const environment = environmentWithAccount()
    topUp(environment, 'first', usd, 'paid')
    const { record } = issueKey(environment, { account: 'first', label: null, expiresAtMs: null })
    const { teller, tables } = newTeller(environment)
    expect(teller.balances.balanceMicroUsd(0)).toBe(51 * usd)
    expect(tables).toEqual([
      {
        version: 1,
        keys: [
          {
            hash: record.hash,
            accountSlot: 0,
            keyId: record.id,
            expiresAtMs: Number.POSITIVE_INFINITY,
          },
        ],
      },
    ])
    expect(teller.keyTable).toBe(tables[0])
    expect(teller.balances.keyTableVersion()).toBe(1)
  })

  test('charges what was recorded, once, and nothing that was released', () => {
    const environment = environmentWithAccount()
    const { teller } = newTeller(environment)
    const balances = new Balances(teller.shared)
    serve(balances, 3)
    balances.take(0, 10 * prices.search)
    balances.release(0, 10 * prices.search)
    expect([teller.commit(), teller.commit()]).toEqual([true, true])
    expect(ledgerBalance(environment)).toBe(50 * usd - 3 * prices.search)
    expect(balances.balanceMicroUsd(0)).toBe(ledgerBalance(environment))
    expect(audit(environment)).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('writes nothing when nothing was recorded', () => {
    const environment = environmentWithAccount()
    const { teller } = newTeller(environment)
    teller.commit()
    expect(audit(environment).rows).toBe(1)
  })

  test('counts on when a counter passes 2³²', () => {
    const environment = environmentWithAccount()
    const teller = new Teller(environment, stubLock(), {
      ...quiet,
      prices: { ...prices, match: 0 },
    })
    const queries = () => statementOf(environment, 'first').charges[0]?.queries
    teller.balances.record(0, 'match', 2 ** 32 - 2)
    teller.commit()
    expect(queries()).toBe(2 ** 32 - 2)
    teller.balances.record(0, 'match', 5)
    expect(teller.balances.queriesRecorded(0, 'match')).toBe(3)
    teller.commit()
    expect(queries()).toBe(2 ** 32 + 3)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('stops the sale when charges cannot be written, and charges all of them afterwards', () => {
    const environment = environmentWithAccount()
    const { teller, reports } = newTeller(environment)
    const disk = vi.spyOn(environment, 'transact').mockImplementation(() => {
      throw diskFull
    })
    serve(teller.balances, 3)
    expect(teller.commit()).toBe(false)
    expect(teller.balances.isUnavailable()).toBe(true)
    serve(teller.balances, 2)
    expect(teller.commit()).toBe(false)
    disk.mockRestore()
    expect(ledgerBalance(environment)).toBe(50 * usd)
    expect(teller.commit()).toBe(true)
    expect(teller.balances.isUnavailable()).toBe(false)
    teller.commit()
    expect(ledgerBalance(environment)).toBe(50 * usd - 5 * prices.search)
    expect(teller.balances.balanceMicroUsd(0)).toBe(ledgerBalance(environment))
    expect(reports).toEqual([
      'charges cannot be recorded, so nothing is sold: the disk is full',
      'charges are recorded again',
    ])
    expect(audit(environment)).toMatchObject({ rows: 3, contradictions: [] })
  })

  test('charges once when a commit is written and yet reported as failed', () => {
    const environment = environmentWithAccount()
    const { teller } = newTeller(environment)
    const transact = environment.transact.bind(environment)
    const disk = vi.spyOn(environment, 'transact').mockImplementation((change) => {
      transact(change)
      throw diskFull
    })
    serve(teller.balances, 3)
    expect(teller.commit()).toBe(false)
    disk.mockRestore()
    serve(teller.balances, 1)
    teller.commit()
    teller.commit()
    expect(ledgerBalance(environment)).toBe(50 * usd - 4 * prices.search)
    expect(audit(environment)).toMatchObject({ rows: 3, contradictions: [] })
  })

  test('stops the sale while it cannot follow the ledger', () => {
    const environment = environmentWithAccount()
    const { teller, reports } = newTeller(environment)
    const disk = vi.spyOn(environment, 'read').mockImplementation(() => {
      throw diskFull
    })
    expect(teller.follow()).toBe(false)
    teller.commit()
    expect(teller.balances.isUnavailable()).toBe(true)
    disk.mockRestore()
    expect(teller.follow()).toBe(true)
    expect(teller.balances.isUnavailable()).toBe(false)
    expect(reports).toHaveLength(2)
  })

  test('follows accounts, credits and keys that others change, and adds a credit once', () => {
    const environment = environmentWithAccount()
    const { teller, tables } = newTeller(environment)
    const other = openEnvironment({ directory: environment.directory, clock: () => startMs })
    onTestFinished(() => other.close())
    serve(teller.balances, 4)
    topUp(other, 'first', 2 * usd, 'paid')
    createAccount(other, 'second')
    const { record } = issueKey(other, { account: 'second', label: null, expiresAtMs: null })
    teller.follow()
    teller.commit()
    teller.follow()
    expect(teller.balances.balanceMicroUsd(0)).toBe(52 * usd - 4 * prices.search)
    expect(teller.balances.balanceMicroUsd(1)).toBe(50 * usd)
    expect(tables.at(-1)?.keys).toMatchObject([{ accountSlot: 1, keyId: record.id }])
    revokeKey(other, record.id)
    teller.follow()
    expect(tables.at(-1)).toEqual({ version: 3, keys: [] })
    expect(tables).toHaveLength(3)
    expect(ledgerBalance(environment)).toBe(teller.balances.balanceMicroUsd(0))
  })

  test('loses what a crash takes away in favour of the customer', () => {
    const environment = environmentWithAccount()
    const crashed = newTeller(environment).teller
    serve(crashed.balances, 3)
    crashed.commit()
    serve(crashed.balances, 5)
    const { teller } = newTeller(environment)
    expect(teller.balances.balanceMicroUsd(0)).toBe(50 * usd - 3 * prices.search)
    serve(teller.balances, 1)
    teller.commit()
    expect(ledgerBalance(environment)).toBe(50 * usd - 4 * prices.search)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is refused a directory that another one has, until that one is closed', async () => {
    const options = { ...quiet, directory: temporaryDirectory(), clock: Date.now }
    const first = openTeller(options)
    expect(() => openTeller(options)).toThrow(expect.objectContaining({ code: 'already-running' }))
    await first.close()
    await openTeller(options).close()
  })

  test('gives the lock back when the ledger cannot be opened', () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'ledger.mdb'), 'not a ledger'.repeat(1_000))
    const options = { ...quiet, directory, clock: Date.now }
    for (let i = 0; i < 2; i++) {
      expect(() => openTeller(options)).toThrow(expect.objectContaining({ code: 'ledger-corrupt' }))
    }
  })

  test('is refused a directory that cannot be made', () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const options = { ...quiet, directory: join(file, 'below'), clock: Date.now }
    expect(() => openTeller(options)).toThrow(/^the ledger in .* could not be locked: /)
  })

  test('charges what is left when it is closed', async () => {
    const options = { ...quiet, directory: temporaryDirectory(), clock: Date.now }
    const teller = openTeller(options)
    createAccount(teller.environment, 'first')
    teller.follow()
    serve(teller.balances, 7)
    await teller.close()
    const environment = openEnvironment(options)
    onTestFinished(() => environment.close())
    expect(ledgerBalance(environment)).toBe(50 * usd - 7 * prices.search)
  })

  test('charges what is left when it is closed after a failure', async () => {
    const options = { ...quiet, directory: temporaryDirectory(), clock: Date.now }
    const teller = openTeller(options)
    createAccount(teller.environment, 'first')
    teller.follow()
    serve(teller.balances, 1)
    const disk = vi.spyOn(teller.environment, 'transact').mockImplementation(() => {
      throw diskFull
    })
    teller.commit()
    disk.mockRestore()
    serve(teller.balances, 2)
    await teller.close()
    const environment = openEnvironment(options)
    onTestFinished(() => environment.close())
    expect(ledgerBalance(environment)).toBe(50 * usd - 3 * prices.search)
  })

  test('says so when it is closed and the last charges cannot be written', async () => {
    const options = { ...quiet, directory: temporaryDirectory(), clock: Date.now }
    const teller = openTeller(options)
    createAccount(teller.environment, 'first')
    teller.follow()
    serve(teller.balances, 1)
    vi.spyOn(teller.environment, 'transact').mockImplementation(() => {
      throw diskFull
    })
    await expect(teller.close()).rejects.toThrow('could not be written and are lost')
    await openTeller(options).close()
  })

  test('stops the sale when another process has taken its lock', () => {
    const environment = environmentWithAccount()
    let held = true
    const { teller, reports } = newTeller(environment, { isHeld: () => held, release: () => {} })
    held = false
    serve(teller.balances, 1)
    expect(teller.commit()).toBe(false)
    expect(teller.balances.isUnavailable()).toBe(true)
    expect(reports[0]).toContain('another process took the lock')
    expect(ledgerBalance(environment)).toBe(50 * usd)
  })

  test('commits and follows by itself once it is started', async () => {
    const options = { ...quiet, directory: temporaryDirectory(), clock: Date.now }
    const teller = openTeller(options)
    onTestFinished(() => teller.close())
    teller.start(10)
    createAccount(teller.environment, 'first')
    await expect.poll(() => teller.balances.balanceMicroUsd(0)).toBe(50 * usd)
    serve(teller.balances, 1)
    await expect.poll(() => ledgerBalance(teller.environment)).toBe(50 * usd - prices.search)
  })
})
