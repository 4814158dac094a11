/**
 * What the tests of the ledger share: a directory that is removed, a clock that is set by hand, and
 * a teller whose crash can be told from its end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Environment, openEnvironment } from '../../src/ledger/books/environment.ts'
import { Teller } from '../../src/ledger/live/commits.ts'
import type { KeyTable } from '../../src/ledger/live/keyring.ts'
import type { Prices } from '../../src/operations.ts'
import type { Lock } from '../../src/process/lock.ts'

/** Prices that are all different, so that a mixed-up route shows in the amount. */
export const prices: Prices = { search: 1_000, detail: 2_000, peers: 3_000, match: 500 }

/** The start of every test clock: 2026-07-28T12:00:00Z. */
export const startMs = Date.UTC(2026, 6, 28, 12)

/** A new directory, removed when the test is done. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A clock that stands still until it is moved. */
export class HandClock {
  nowMs = startMs
  readonly read = (): number => this.nowMs
}

/** A new ledger in a new directory, closed when the test is done. */
export function newEnvironment(clock: () => number = () => startMs): Environment {
  const environment = openEnvironment({ directory: temporaryDirectory(), clock, create: true })
  onTestFinished(() => environment.close())
  return environment
}

/** A lock that is always held, for a teller whose crash must leave nothing behind. */
export function stubLock(): Lock {
  return { isHeld: () => true, release: () => {} }
}

/** A teller without timers on an open ledger, and what it said. Dropping it is a crash. */
export function newTeller(environment: Environment, lock: Lock = stubLock()) {
  const tables: KeyTable[] = []
  const reports: string[] = []
  const teller = new Teller(environment, lock, {
    prices,
    onKeyTable: (table) => tables.push(table),
    report: (line) => reports.push(line),
  })
  return { teller, tables, reports }
}
