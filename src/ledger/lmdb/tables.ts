/** The tables of a ledger on a disk: the key and the value of each. The records are in `../account-records.ts`. */
import type { Database } from 'lmdb'
import type { Account, JournalRow, KeyRecord } from '../account-records.ts'
import type { Holdings, Sale } from '../port.ts'

/** The tables. Keys of several parts begin with the number of the account. */
export interface Tables {
  /** By account number. */
  readonly accounts: Database<Account, number>
  /** Name → account number. */
  readonly names: Database<number, string>
  /** Key id → key. */
  readonly keys: Database<KeyRecord, string>
  /** Account number, row number → row. */
  readonly journal: Database<JournalRow, [number, number]>
  /** Account number, reference of a top-up or an adjustment → number of its row. */
  readonly references: Database<number, [number, string]>
  /** Account number, UTC day, route → what was sold. */
  readonly usage: Database<Sale, [number, string, string]>
  /** Counters of changes, by topic. */
  readonly changes: Database<number, string>
  /** The last batch of charges that was written, under `last`. */
  readonly batches: Database<WrittenBatch, string>
  /** Keys that services need and no client sees, in hexadecimal; that of cursors under `cursors`. */
  readonly secrets: Database<string, string>
}

/** Which batch of charges was written: `number` counts up within a session. */
export interface WrittenBatch {
  readonly session: string
  readonly number: number
  /** What the service held besides, where it could tell. */
  readonly holdings?: Holdings
}
