/**
 * Gives digests to what an earlier version of the service wrote without: all of a ledger that it made, or what
 * it added when an operator went back to it. The account says up to which row that was; from the next one on
 * every row was written with its digest. May be interrupted anywhere, and goes on from there.
 */
import type { Account } from '../account-records.ts'
import {
  keyDigest,
  noKeys,
  originOf,
  rowDigest,
  suspensionDigest,
  withToggledDigest,
} from '../chain/digests.ts'
import { allKeys, storedKey } from './lineages/stored-keys.ts'
import type { Tables } from './tables.ts'

/** Runs a change in one durable transaction, by which the file may grow by so many bytes. */
type Transact = <T>(change: (tables: Tables) => T, growthBytes: number) => T

/**
 * Scope of chaining. `new`: a ledger that has no digests. `all`: also entries added without digests; only
 * a service does that, which has the ledger for itself, so that commands show entries added by hand.
 */
export type DigestScope = 'new' | 'all'

/** Rows in one transaction, in some 50 ms. */
const rowsMax = 2_000

/** Growth of the file with a row or a key that is written anew; some 500 were seen. */
const growthBytesEach = 1_024

/** The counter of changes of keys up to which keys have digests. */
export const digestedKeys = 'keys-digested'

/** Chains what is without digests. A row takes some 25 µs of processor time, once. Throws what `transact` throws. */
export function chainLedger(tables: Tables, transact: Transact, without: DigestScope): void {
  const all = Array.from(tables.accounts.getRange(), ({ value }) => value)
  if (all.length === 0) return
  for (const { number } of all.filter((account) => isBehind(account, without))) {
    while (transact((writable) => chainRows(writable, number), rowsMax * growthBytesEach)) {}
  }
  if (!areKeysBehind(tables, without)) return
  const written = tables.keys.getKeysCount() + all.length
  transact(digestKeys, written * growthBytesEach)
}

function isBehind({ chain, rows }: Account, without: DigestScope): boolean {
  if (chain === undefined || chain.row < (chain.rowsBefore ?? 0)) return true
  return without === 'all' && chain.row < rows
}

function areKeysBehind(tables: Tables, without: DigestScope): boolean {
  const changes = tables.changes.get('keys')
  const digested = tables.changes.get(digestedKeys)
  if (digested === changes) return false
  return without === 'all' || digested === undefined
}

/** Chains some rows of an account; returns whether there are more. */
function chainRows(tables: Tables, number: number): boolean {
  const account = tables.accounts.get(number)!
  const origin = originOf(account)
  const before = account.chain ?? { origin, digest: origin, row: 0, keys: noKeys }
  const rowsBefore = account.rows
  let { digest, row: last } = before
  const start: [number, number] = [number, last + 1]
  const end: [number, number] = [number + 1, 0]
  const found = Array.from(tables.journal.getRange({ start, end, limit: rowsMax }))
  for (const { key, value: row } of found) {
    const [, sequence] = key
    digest = rowDigest({ accountNumber: number, sequence, previous: digest }, row)
    tables.journal.putSync(key, { ...row, digest })
    last = sequence
  }
  const isDone = found.length < rowsMax
  const row = isDone ? account.rows : last
  tables.accounts.putSync(number, { ...account, chain: { ...before, digest, row, rowsBefore } })
  return !isDone
}

function digestKeys(tables: Tables): void {
  const sets = new Map<number, string>()
  const toggle = (number: number, digest: string) =>
    sets.set(number, withToggledDigest(sets.get(number) ?? noKeys, digest))
  for (const key of allKeys(tables)) {
    const digest = keyDigest(key)
    tables.keys.putSync(key.id, storedKey({ ...key, digest }))
    toggle(key.accountNumber, digest)
  }
  for (const { key: number, value: account } of Array.from(tables.accounts.getRange())) {
    const { suspendedAtMs = null, chain } = account
    if (suspendedAtMs !== null) toggle(number, suspensionDigest(number, suspendedAtMs))
    const keys = sets.get(number) ?? noKeys
    tables.accounts.putSync(number, { ...account, chain: { ...chain!, keys } })
  }
  tables.changes.putSync(digestedKeys, tables.changes.get('keys') ?? 0)
}
