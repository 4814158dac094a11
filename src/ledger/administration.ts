/**
 * The ledger as commands administer it, wherever it is kept. Every change is durable when its promise
 * is done; what is refused throws a Refusal and has changed nothing.
 */
import type { Credited } from './books/accounts.ts'
import type { Audit } from './books/audit.ts'
import type { Adjustment } from './books/checked-orders.ts'
import type { IssuedKey, KeyOrder, ListedKey, Rotation } from './books/keys.ts'
import type { Statement } from './books/statement.ts'
import type { Account } from './books/tables.ts'

/** What can be done with accounts and keys. */
export interface Administration {
  /** Where the ledger is, for messages. */
  readonly place: string
  createAccount(name: string): Promise<Account>
  /** Every account, oldest first. */
  accounts(): Promise<readonly Account[]>
  accountNamed(name: string): Promise<Account>
  topUp(name: string, amountMicroUsd: number, reference: string): Promise<Credited>
  adjust(name: string, adjustment: Adjustment): Promise<Credited>
  /** False when it was suspended before. */
  suspend(name: string): Promise<boolean>
  /** False when it was not suspended. */
  resume(name: string): Promise<boolean>
  statementOf(name: string): Promise<Statement>
  issueKey(order: KeyOrder): Promise<IssuedKey>
  /** Every key that was ever issued, oldest first. */
  listKeys(): Promise<readonly ListedKey[]>
  /** False when it had been revoked. */
  revokeKey(id: string): Promise<boolean>
  rotateKey(id: string, overlapMs: number): Promise<Rotation>
  /** Takes back a key whose text could not be shown, and with it what its rotation had changed. */
  withdrawKey(issued: IssuedKey | Rotation): Promise<void>
  audit(): Promise<Audit>
  /** Folds the charges of days that ended so long ago, in milliseconds. Services may sell meanwhile. */
  compact(agoMs: number): Promise<Compacted>
  close(): Promise<void>
}

/** What a compaction has removed. */
export interface Compacted {
  /** Of the journal. */
  readonly rows: number
  /** That had ended, with their leases; 0 of a ledger that does not lease. */
  readonly sessions: number
}

/** Which ledger is meant. */
export interface LedgerPlace {
  /** The directory where it lies, unless it is a database. */
  readonly data: string
  /** The address of the database; null where there is none. */
  readonly ledger: string | null
}
