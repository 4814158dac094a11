/**
 * The ledger as a running service uses it: the sale (`live/`) knows nothing else of the durable ledgers
 * (`lmdb/`, `postgres/`). Amounts are sums since the creation of the account, so reading one twice does no
 * harm. Imports nothing of the ledger.
 */
import type { RouteName } from '../operations.ts'

/** The most accounts that one service sells to: each has a slot in shared memory. */
export const accountsMax = 65_536

/** Bytes of the key that the cursors of pages are written with. */
export const cursorKeyBytes = 32

/** What was sold on one route. */
export interface Sale {
  readonly queries: number
  readonly amountMicroUsd: number
}

/** What was sold, by route; a route without sales is absent. */
export type Sales = Readonly<Partial<Record<RouteName, Sale>>>

/** What one account is charged for. */
export interface Charge {
  readonly accountNumber: number
  readonly sales: Sales
}

/**
 * What a service held of all accounts together at one moment, apart from a batch of charges. Once
 * that batch is written, `live + reserved + uncommitted = granted - spent`.
 */
export interface Holdings {
  /** All that the accounts had been granted, as far as the service knew. */
  readonly grantedMicroUsd: number
  /** What could still be reserved. */
  readonly liveMicroUsd: number
  /** Of requests whose answer was being written. */
  readonly reservedMicroUsd: number
  /** Of answers that were written, and whose charge was not yet in a batch. */
  readonly uncommittedMicroUsd: number
}

/** The charges of one window, at most one for each account. */
export interface ChargeBatch {
  /** Counts up from 1 within a session. */
  readonly number: number
  readonly charges: readonly Charge[]
  /** Absent when threads were in the middle of reservations whenever they were looked at. */
  readonly holdings: Holdings | undefined
}

/** What a service may sell to an account: what was granted less what was spent. */
export interface Funds {
  readonly accountNumber: number
  /** Less what was taken back, so it may shrink. */
  readonly grantedMicroUsd: number
  readonly spentMicroUsd: number
  /** What the account has besides, which others may be selling from; absent where there are none. */
  readonly heldByOtherNodesMicroUsd?: number
}

/** A key that is good at the moment; none is of an account that is suspended. */
export interface GoodKey {
  readonly id: string
  /** SHA-256 of its text, in hexadecimal. */
  readonly hash: string
  readonly accountNumber: number
  /** Milliseconds since the epoch; Infinity where it has no end. */
  readonly expiresAtMs: number
}

/** What changed; all of one moment. */
export interface Changes {
  /** To be given with the next question. Means something only to the session it came from. */
  readonly cursor: string
  /** Of every account whose grants may have changed. */
  readonly funds: readonly Funds[]
  /** Every good key, when any key changed. */
  readonly keys: readonly GoodKey[] | undefined
}

/** What is live, for a ledger that leases to several services what they may sell. */
export interface LiveFunds {
  /** What can still be reserved of an account. */
  liveMicroUsd(accountNumber: number): number
  /** Takes up to an amount from what can be reserved, for good; returns how much that was. */
  withdraw(accountNumber: number, amountMicroUsd: number): number
  /** The dearest request of each account, since the last call, for which too little was live. */
  takeMissed(): ReadonlyMap<number, number>
  /** Says whether it is known at the moment what accounts have besides. */
  setUncertain(uncertain: boolean): void
  /** Has `readChanges` be asked at once. */
  follow(): void
}

/**
 * A service's hold on the ledger, from opening to closing; meanwhile no other service has one, unless
 * the ledger leases. Its caller waits for each call before the next. All of them throw Refusal `ledger-refused` when the
 * ledger cannot be reached, and after the hold was lost to another service `already-running`.
 */
export interface LedgerSession {
  /**
   * Makes the account `default` with a key when there is no account at all; its key anew while that
   * was never shown.
   * @returns the text of the key, which is nowhere else; undefined when there was an account.
   */
  createFirstAccount(): Promise<string | undefined>

  /** Says that the key of the first account was shown. */
  firstKeyShown(): Promise<void>

  /**
   * The secret key that cursors of pages are written with: 32 random bytes, made with the ledger's first
   * service, and the same for every service of this ledger ever after.
   */
  cursorKey(): Promise<Uint8Array>

  /** What changed since a cursor, also by other processes; everything, without one. */
  readChanges(since: string | undefined): Promise<Changes>

  /**
   * Writes a batch; durable once this is done. A batch that failed may have been written all the
   * same: it is sent again as it was, before any other, and is charged once. Where money was taken
   * back while it was being sold, what is missing is granted.
   * @returns the funds of the accounts in the batch, as they are afterwards.
   */
  commit(batch: ChargeBatch): Promise<readonly Funds[]>

  /** What time it is by the clock of the ledger, by which keys expire: milliseconds since the epoch. */
  readonly nowMs: () => number

  /** Lets go of the ledger; everything committed is durable. */
  close(): Promise<void>

  /**
   * Hands over what is live, once. Only a ledger that leases has this; then the funds that it returns
   * may change until they are used, as what is withdrawn is not granted any more.
   */
  readonly bind?: (live: LiveFunds) => void

  /** Until when its leases may be sold from, by the clock of the service; absent where always. */
  readonly heldUntilMs?: () => number

  /** Charges that came too late and are not charged, in micro-USD; absent where none can be. */
  readonly givenAwayMicroUsd?: () => number

  /**
   * What was sold to accounts that the ledger has lost since, or of another ledger, and is not charged, in
   * micro-USD; absent where there can be none.
   */
  readonly writtenOffMicroUsd?: () => number
}
