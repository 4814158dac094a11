/** The kinds of a ledger in a directory, for tests of each; that of SQLite is one whose file is there before the first start. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteFileName } from '../../src/ledger/sql/sqlite/driver.ts'

/** Kinds of ledgers. */
export const ledgerKinds = ['LMDB', 'SQLite'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** The files that commits are written to. */
export const writtenFiles = { LMDB: 'ledger.mdb', SQLite: `${sqliteFileName}-wal` } as const

/** Makes a directory that is to have a ledger of a kind; returns it. */
export function beginLedger(kind: LedgerKind, data: string): string {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (kind === 'SQLite') writeFileSync(join(data, sqliteFileName), '', { mode: 0o600 })
  return data
}
