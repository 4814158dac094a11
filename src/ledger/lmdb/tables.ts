/** The tables of a ledger on a disk: the key and the value of each. The records are in `../account-records.ts`. */
import type { Database } from 'lmdb'
import type { Account, JournalRow, KeyRecord } from '../account-records.ts'
import type { AdminKeyRecord } from '../admin-keys.ts'
import type { Holdings, Sale } from '../port.ts'
import type { MadeChange } from '../trail/cause.ts'
import type { TrailEntry } from '../trail/entries.ts'

/** The tables. Keys of several parts begin with the number of the account. */
export interface Tables {
  /** By account number. */
  readonly accounts: Database<Account, number>
  /** Name → account number. */
  readonly names: Database<number, string>
  /** Key id → key. */
  readonly keys: Database<KeyRecord, string>
  /** Hash of a secret → the id of its key. */
  readonly keySecrets: Database<string, string>
  /** Account number, row number → row. */
  readonly journal: Database<JournalRow, [number, number]>
  /** Account number, reference of a top-up or an adjustment → number of its row. */
  readonly references: Database<number, [number, string]>
  /** Account number, UTC day, route → what was sold. */
  readonly usage: Database<Sale, [number, string, string]>
  /** Account number, key id, UTC day, route → what was sold. */
  readonly keyUsage: Database<Sale, [number, string, string, string]>
  /** Key id → what it has spent. */
  readonly spending: Database<SpendingRecord, string>
  /** Counters of changes, by topic. */
  readonly changes: Database<number, string>
  /** The last batch of charges that was written, under `last`. */
  readonly batches: Database<WrittenBatch, string>
  /** Keys that services need and no client sees, in hexadecimal; that of cursors under `cursors`. */
  readonly secrets: Database<string, string>
  /** The audit log, by number. */
  readonly trail: Database<TrailEntry, number>
  /** Number of the last entry of the audit log, under `trail`. */
  readonly heads: Database<number, string>
  /** Admin key id → admin key. */
  readonly adminKeys: Database<AdminKeyRecord, string>
  /** Id of an `Idempotency-Key` → the change of the admin API that was made under it. */
  readonly made: Database<MadeChange, string>
  /** Id → a note that is good once. */
  readonly once: Database<OnceRecord, string>
}

/** A note that is good once. */
export interface OnceRecord {
  readonly content: string
  readonly whose: string
  readonly madeAtMs: number
  /** The key that came of its use, or null for none; absent before it was used. */
  readonly key?: string | null
}

/** A batch of charges that was written: `number` counts up within a session. */
export interface WrittenBatch {
  readonly session: string
  readonly number: number
  /** Amounts that the service held besides, if it could tell. */
  readonly holdings?: Holdings
}

/** Spending of a key. */
export interface SpendingRecord {
  readonly accountNumber: number
  /** In micro-USD: in all under `total`; of the last days and months under their names. */
  readonly spent: Readonly<Record<string, number>>
}
