/**
 * What the tests of the ledger share: a temporary directory, a clock that is set by hand, and
 * commits whose crash is not their end.
 */
import { onTestFinished } from 'vitest'
import {
  type Balances,
  cellsPerLine,
  saleCells,
  ThreadBalances,
} from '../../src/ledger/live/balances.ts'
import { Commits } from '../../src/ledger/live/commits.ts'
import type { KeyEntry, KeyNews, KeyOwner } from '../../src/ledger/live/keyring.ts'
import { allKeys } from '../../src/ledger/lmdb/by-key/stored-keys.ts'
import { type Environment, openEnvironment } from '../../src/ledger/lmdb/environment.ts'
import { LmdbSession } from '../../src/ledger/lmdb/session.ts'
import type { Sales } from '../../src/ledger/port.ts'
import { defaultPrices, type Prices, type RouteName, routeNames } from '../../src/operations.ts'
import type { Lock } from '../../src/process/lock.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export { temporaryDirectory }

/** Prices that are all different, so that a mixed-up route shows in the amount. */
export const prices: Prices = {
  ...defaultPrices,
  search: 1_000,
  detail: 2_000,
  peers: 3_000,
  match: 500,
}

/** The start of every test clock: 2026-07-28T12:00:00Z. */
export const startMs = Date.UTC(2026, 6, 28, 12)

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

/** A lock that is always held, for a service whose crash must leave nothing behind. */
export function stubLock(): Lock {
  return { isHeld: () => true, release: () => {} }
}

/** Commits without timers on an open ledger, one thread that sells, and what was said. */
export async function newCommits(environment: Environment, lock: Lock = stubLock()) {
  const news: KeyNews[] = []
  const keys = new Map<string, KeyEntry>()
  const reports: string[] = []
  const imbalances: string[] = []
  const commits = await Commits.open(new LmdbSession(environment, lock), {
    threads: 1,
    clock: environment.clock,
    onKeys: (each) => {
      news.push(each)
      for (const hash of [...each.changed, ...each.bad]) keys.delete(hash)
      for (const key of each.keys) keys.set(key.hash, key)
    },
    report: (line) => reports.push(line),
    onImbalance: (line) => imbalances.push(line),
  })
  /** Follows the ledger, and sends every key that there is. */
  const sendKeys = async () => {
    await commits.follow()
    for (const { secrets } of environment.read(allKeys)) {
      for (const { hash } of secrets) commits.seek(hash)
    }
    await commits.follow()
  }
  await sendKeys()
  if (keys.size === 0) sellWithoutKey(commits)
  const balances = new ThreadBalances(commits.shared, 0)
  return { commits, balances, news, keys, sendKeys, reports, imbalances }
}

/** The owner of a key of the account in a slot, which has the first purses and lines, without terms. */
export function ownerAt(slot: number, keyId = 'key_1'): KeyOwner {
  return { accountSlot: slot, keyId, line: slot, purses: [slot] }
}

/** Gives the first account a line of sales. */
export function sellWithoutKey({ slots }: Commits): void {
  slots.placeOf(1, 'key_0000000000', false)
}

/** What was sold, by route, at the prices of the tests. */
export function salesOf(queries: Partial<Record<RouteName, number>>): Sales {
  const sold = routeNames.filter((route) => queries[route] !== undefined)
  return Object.fromEntries(
    sold.map((route) => {
      const count = queries[route]!
      return [route, { queries: count, amountMicroUsd: count * prices[route] }]
    }),
  )
}

/** What threads have recorded on a line. */
export function recordedIn(balances: Balances, line: number): Sales {
  const cells = new Float64Array(cellsPerLine)
  balances.readLine(line, cells)
  return Object.fromEntries(
    saleCells
      .filter(({ queries }) => cells[queries] !== 0)
      .map(({ route, queries, amount }) => {
        return [route, { queries: cells[queries]!, amountMicroUsd: cells[amount]! }]
      }),
  )
}
