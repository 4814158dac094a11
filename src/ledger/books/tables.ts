/**
 * What stands in the ledger: its tables and the values in them. Whoever reads or writes the ledger
 * shares these types; this file imports nothing of the ledger but the port's.
 */
import type { Database } from 'lmdb'
import type { Holdings, Sale, Sales } from '../port.ts'

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

/** What a change concerns, for those who follow the ledger: credits and accounts, or keys. */
export type Topic = 'accounts' | 'keys'

/** Which batch of charges was written: `number` counts up within a session. */
export interface WrittenBatch {
  readonly session: string
  readonly number: number
  /** What the service held besides, where it could tell. */
  readonly holdings?: Holdings
}

/** A movement of money: a credit is positive, a charge negative, an adjustment either. */
export type Movement =
  | { readonly kind: 'opening'; readonly amountMicroUsd: number }
  | { readonly kind: 'top-up'; readonly amountMicroUsd: number; readonly reference: string }
  | {
      readonly kind: 'adjustment'
      readonly amountMicroUsd: number
      readonly reference: string
      readonly reason: string
    }
  | {
      readonly kind: 'charge'
      readonly amountMicroUsd: number
      readonly sales: Sales
      /** For how many rows of the same day it stands: those before it, and itself; absent for 1. */
      readonly rows?: number
    }

/** A movement as it stands in the journal, with the balance after it. */
export type JournalRow = Movement & {
  readonly atMs: number
  readonly balanceMicroUsd: number
  /** Of this row and of what is before it; see `../chain/digests.ts`. Absent in what earlier versions wrote. */
  readonly digest?: string
  /** Of a row that others were folded into. */
  readonly seal?: string
}

/** What chains the rows and the keys of an account. */
export interface Chain {
  /** The digest of its number, its name and its time of making. */
  readonly origin: string
  /** Of the last row, and its number. */
  readonly digest: string
  readonly row: number
  /** Of all its keys together, and of its suspension. */
  readonly keys: string
  /** The last of the rows that had no digest when they were written; absent where there is none. */
  readonly rowsBefore?: number
}

/** An account. */
export interface Account {
  /** 1 for the first account; numbers have no gaps and are never given twice. */
  readonly number: number
  readonly name: string
  readonly createdAtMs: number
  /** Sum of all rows but charges, and of the charges without their sign. */
  readonly creditedMicroUsd: number
  readonly chargedMicroUsd: number
  /** Sum of the adjustments below zero, without their sign; absent where there is none. */
  readonly takenBackMicroUsd?: number
  /** Rows that were written to the journal; the last one has this number. */
  readonly rows: number
  /** Since when its keys are not good; null or absent while they are. */
  readonly suspendedAtMs?: number | null
  /** Absent in what earlier versions wrote, until the ledger is opened. */
  readonly chain?: Chain
}

/** A key. Times are milliseconds since the epoch; null stands for never or none. */
export interface KeyRecord {
  readonly id: string
  readonly accountNumber: number
  readonly hash: string
  readonly label: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  /** Id of the key that a rotation put in its place. */
  readonly replacedBy: string | null
  /** Set while a key that a service made by itself has not been shown; see `first-account.ts`. */
  readonly unshown?: true
  /** Of all of this; absent in what earlier versions wrote. */
  readonly digest?: string
}
