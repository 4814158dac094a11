/** What the tests of the ledger share. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Books } from '../../src/ledger/books/books.ts'
import { openBooks } from '../../src/ledger/books/open-books.ts'
import type { Charge, ChargeBatch } from '../../src/ledger/books/port.ts'
import { makeTables } from '../../src/ledger/books/schema.ts'
import { openSession as insertSession } from '../../src/ledger/books/session-rows.ts'
import { WholeSession } from '../../src/ledger/leases/whole-session.ts'
import { type Balances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import { Commits } from '../../src/ledger/live/commits.ts'
import type { KeyEntry, KeyNews, KeyOwner } from '../../src/ledger/live/keyring.ts'
import { SqliteFile } from '../../src/ledger/sql/sqlite/driver.ts'
import { defaultPrices, type Prices, type RouteName, routeNames } from '../../src/operations.ts'
import type { Lock } from '../../src/process/lock.ts'
import { sqlite } from '../../src/process/sqlite.ts'
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

/** Where a query of search costs 1 micro-USD, so that any amount can be sold. */
export const unitPrices: Prices = { ...prices, search: 1 }

/** The start of every test clock: 2026-07-28T12:00:00Z. */
export const startMs = Date.UTC(2026, 6, 28, 12)

export class HandClock {
  nowMs = startMs
  readonly read = (): number => this.nowMs
}

/** The books of a directory, made if there are none; closed when the test is done. Their `place` is the directory. */
export async function newBooks(
  clock: () => number = () => startMs,
  data = temporaryDirectory(),
): Promise<Books> {
  const books = await openBooks({ data, ledger: null, clock, create: true })
  onTestFinished(() => books.close())
  return books
}

/** The same with accounts. */
export async function booksWith(
  accounts: readonly string[],
  ...of: Parameters<typeof newBooks>
): Promise<Books> {
  const books = await newBooks(...of)
  for (const account of accounts) await books.createAccount(account)
  return books
}

/** Changes a ledger past its books, or reads it. */
export async function askLedger<R extends object>(
  directory: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const path = join(directory, 'ledger.db')
  const sql = new SqliteFile({ path, isService: false, clock: () => startMs })
  try {
    return await sql.transaction((query) => query<R>(text, values))
  } finally {
    await sql.close()
  }
}

/** Changes a ledger as a program does that minds no references between tables. */
export function damageLedger(directory: string, text: string): void {
  const { DatabaseSync: Database } = sqlite()
  const database = new Database(join(directory, 'ledger.db'))
  database.exec(`pragma foreign_keys=off; ${text}`)
  database.close()
}

/** A lock that is always held, for a service whose crash must leave nothing behind. */
function stubLock(): Lock {
  return { isHeld: () => true, release: () => {} }
}

export async function newSession(...place: Parameters<typeof openSession>) {
  const opened = await openSession(...place)
  onTestFinished(() => opened.session.close().catch(() => {}))
  return opened
}

/** A service's session with a ledger, which takes the place of those before it as after a crash; and its file. */
export async function openSession(
  directory: string,
  clock: () => number = () => startMs,
  lock: Lock = stubLock(),
) {
  const report = () => {}
  const sql = new SqliteFile({ path: join(directory, 'ledger.db'), isService: true, clock })
  await makeTables(sql)
  const id = randomUUID()
  await insertSession(sql, { id, node: 'test', isWhole: true })
  const session = new WholeSession({ directory, node: 'test', clock, report }, { lock, sql, id })
  return { session, sql }
}

/** Commits without timers on a ledger, one thread that sells, the file, and what was said. */
export async function newCommits(
  directory: string,
  clock?: () => number,
  more: { readonly lock?: Lock; readonly soldAt?: Prices } = {},
) {
  const news: KeyNews[] = []
  const keys = new Map<string, KeyEntry>()
  const reports: string[] = []
  const imbalances: string[] = []
  const { session, sql } = await newSession(directory, clock, more.lock)
  const commits = await Commits.open(session, {
    ...{ threads: 1, prices: more.soldAt ?? prices },
    clock: session.nowMs,
    onKeys: (each) => {
      news.push(each)
      for (const hash of [...each.changed, ...each.bad]) keys.delete(hash)
      for (const key of each.keys) keys.set(key.hash, key)
    },
    report: (line) => reports.push(line),
    onImbalance: (line) => imbalances.push(line),
  })
  const sendKeys = async () => {
    await commits.follow()
    const secrets = await askLedger<{ hash: string }>(directory, 'select hash from key_secret')
    for (const { hash } of secrets) commits.seek(hash)
    await commits.follow()
  }
  await sendKeys()
  // Without a key the first account has a line of sales all the same.
  if (keys.size === 0) commits.slots.placeOf(1, 'key_0000000000', false)
  const balances = new ThreadBalances(commits.shared, 0)
  return { commits, balances, sql, news, keys, sendKeys, reports, imbalances }
}

/** The owner of a key of the account in a slot, which has the first purses and lines, without terms. */
export function ownerAt(slot: number, keyId = 'key_1'): KeyOwner {
  return { accountSlot: slot, keyId, line: slot, purses: [slot] }
}

/** What so many queries of a route with a key are charged, at the prices of the tests. */
export function chargeOf(
  accountNumber: number,
  keyId: string,
  queries: number,
  route: RouteName = 'search',
): Charge {
  return { accountNumber, keyId, route, queries, amountMicroUsd: queries * prices[route] }
}

export function batchOf(number: number, ...charges: Charge[]): ChargeBatch {
  return { number, charges }
}

/** The queries that are recorded on a line, by route. */
export function recordedIn(balances: Balances, line: number): Record<string, number> {
  const sold = routeNames.map((route, cell) => [route, balances.lineCell(line, cell)] as const)
  return Object.fromEntries(sold.filter(([, queries]) => queries !== 0))
}
