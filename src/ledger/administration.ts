/**
 * The ledger as commands administer it, wherever it is kept. Every change is durable when its promise
 * resolves; a refused change throws a Refusal and has changed nothing.
 */
import type { Account, KeyRecord, KeyState } from './account-records.ts'
import type { Adjustment } from './checked-orders.ts'
import type { Holdings } from './port.ts'

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

/** What a top-up or an adjustment did: `credited` is false when its reference had been there before. */
export interface Credited {
  readonly account: Account
  readonly credited: boolean
}

/** A key that was just made: the only value that holds its text. */
export interface IssuedKey {
  readonly text: string
  readonly record: KeyRecord
}

/** A key as it may be shown to anybody who may see the list. */
export interface ListedKey
  extends Omit<KeyRecord, 'hash' | 'accountNumber' | 'unshown' | 'digest'> {
  readonly account: string
  readonly state: KeyState
}

/** Whose key, what for, and until when. */
export interface KeyOrder {
  readonly account: string
  readonly label: string | null
  readonly expiresAtMs: number | null
}

/** A rotation: the new key, the old one with the end it was given, and the old one as it was. */
export interface Rotation extends IssuedKey {
  readonly replaced: KeyRecord
  readonly before: KeyRecord
}

/** One credit or adjustment; the opening credit has no reference, only an adjustment has a reason. */
export interface Credit {
  readonly atMs: number
  readonly amountMicroUsd: number
  readonly reference: string | null
  readonly reason: string | null
}

/** What one route cost on one UTC day. */
export interface DailyCharge {
  readonly day: string
  readonly route: string
  readonly queries: number
  readonly amountMicroUsd: number
}

/** Credits by time, charges by day and route; the credits less the charges are the balance. */
export interface Statement {
  readonly account: Account
  readonly credits: readonly Credit[]
  readonly charges: readonly DailyCharge[]
  readonly balanceMicroUsd: number
}

/** What an audit read, and everything in it that contradicts something else; none is good. */
export interface Audit {
  readonly accounts: number
  readonly rows: number
  readonly keys: number
  /** Of all accounts together, which may be more than a double holds exactly. */
  readonly balanceMicroUsd: bigint
  /** From which row on rows were written with their digests, where that is not the first one. */
  readonly chainedFrom: readonly { readonly account: string; readonly row: number }[]
  /** What the service held when it wrote its last batch; undefined where it could not tell. */
  readonly holdings: Holdings | undefined
  readonly contradictions: readonly string[]
}
