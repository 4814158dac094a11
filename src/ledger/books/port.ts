/**
 * The ledger as a running service uses it: `live/` knows nothing else of the durable ledger.
 * Amounts are sums since the creation of the account, so reading one twice does no harm.
 */
import type { CapPeriod } from '../../money.ts'
import type { RouteName } from '../../operations.ts'

/** The most accounts that one service holds at a time: each has a slot in shared memory. */
export const accountsMax = 65_536

/** Keys that a thread knows at most: some 16 MiB. One more takes the place of the oldest. */
export const keysMax = 32_768

/** The most accounts of a ledger. A service holds those whose keys were sent to it. */
export const databaseAccountsMax = 10_000_000

/** The most keys that one service sells to, and the most of them that have terms. */
export const soldKeysMax = 131_072
export const termsMax = 65_536

export interface KeyCap {
  readonly amountMicroUsd: number
  readonly period: CapPeriod
}

/** Permitted use of a key: one operation; as `mcp`, the tools; as `account`, to see the whole account. */
export type KeyScope = RouteName | 'mcp' | 'account'

/** Restrictions of a key. An absent member restricts nothing. Rotation changes none of them. */
export interface KeyTerms {
  readonly cap?: KeyCap
  readonly scopes?: readonly KeyScope[]
  readonly requestsPerSecond?: number
  readonly addresses?: readonly string[]
}

/** Bytes of the key that the cursors of pages are written with. */
export const cursorKeyBytes = 32

export interface Sale {
  readonly queries: number
  readonly amountMicroUsd: number
}

/** What was sold with a key on a route. */
export interface Charge extends Sale {
  readonly accountNumber: number
  readonly keyId: string
  /** Whether it was taken from the cap of the key, too; absent where it was not. */
  readonly isCapped?: true
  readonly route: RouteName
}

export interface ChargeBatch {
  /** Counts up from 1 within a session. */
  readonly number: number
  readonly charges: readonly Charge[]
}

/** Grants less spending may be sold. A cap grants its amount and spends the sales of its period. */
export interface Funds {
  readonly accountNumber: number
  /** Absent for the account itself. */
  readonly keyId?: string
  /** Less what was taken back, so it may shrink. */
  readonly grantedMicroUsd: number
  readonly spentMicroUsd: number
  /** Amount that the account has besides, from which other nodes may be selling; absent if there are none. */
  readonly heldByOtherNodesMicroUsd?: number
}

/** A secret of a key that is good at the moment; none is of an account that is suspended. */
export interface GoodKey {
  readonly id: string
  /** SHA-256 of its text, in hexadecimal. */
  readonly hash: string
  readonly accountNumber: number
  /** Milliseconds since the epoch; Infinity where it has no end. */
  readonly expiresAtMs: number
  readonly terms?: KeyTerms
}

/** Changes since the last were read; all of one moment. */
export interface Changes {
  /** Funds of every account that is held whose grants may have changed, and of every cap that may have. */
  readonly funds: readonly Funds[]
  /** Ids of the keys that changed or ended: they are to be sought again. */
  readonly changedKeys: readonly string[] | 'all'
  /** Those of the keys that were sought or changed which are good, as they are after these changes. */
  readonly keys: readonly GoodKey[]
  /** Hashes of those that were sought and are not good. */
  readonly badKeys: readonly string[]
}

export type FundsId = number | string

export interface LiveFunds {
  liveMicroUsd(id: FundsId): number
  /** Withdraws up to an amount from what can be reserved, for good; returns the amount withdrawn. */
  withdraw(id: FundsId, amountMicroUsd: number): number
  /** The dearest request of each account and cap, since the last call, for which too little was live. */
  takeMissed(): ReadonlyMap<FundsId, number>
  /** Sets whether the amounts that accounts have besides are uncertain at the moment. */
  setUncertain(uncertain: boolean): void
}

/** Sales on one UTC day (`2026-07-28`) on one route, of all keys or of one. */
export interface DailySale extends Sale {
  readonly day: string
  readonly route: string
  readonly keyId?: string
}

/**
 * A service's hold on the ledger, from opening to closing; meanwhile no other service has one, unless
 * the ledger leases. Its caller waits for each call before the next. All of them throw Refusal `ledger-refused` when the
 * ledger cannot be reached, and after the hold was lost to another service `already-running`.
 */
export interface LedgerSession {
  /** Reads the changes since the last that it returned, also by other processes; everything at first. */
  readChanges(): Promise<Changes>

  /**
   * Durable once this is done. A batch that failed may have been written all the same: it is sent
   * again as it was, before any other, and is charged once. If money was taken back while it was
   * being sold, the missing amount is granted.
   * @returns the funds of the accounts in the batch, and of the caps whose spending it raises.
   */
  commit(batch: ChargeBatch): Promise<readonly Funds[]>

  /** What is found comes with later changes; after seconds without it may be sought again. */
  seek(keyHash: string): void

  /** The time by the clock of the ledger, by which keys expire: milliseconds since the epoch. */
  readonly nowMs: () => number

  /** Lets go of the ledger; everything committed is durable. */
  close(): Promise<void>

  /**
   * Only a ledger that leases has this; the funds that it returns may then change until they are
   * used. @param follow requests a call of `readChanges` at once.
   */
  readonly bind?: (live: LiveFunds, follow: () => void) => void

  /** Time until which its leases may be sold from, by the clock of the service; absent if there is no limit. */
  readonly heldUntilMs?: () => number

  /** Sales that are not charged, as they came too late or the ledger has lost their account, in micro-USD. */
  readonly givenAwayMicroUsd: () => number

  /** Checkpoints that failed: the ledger takes charges, and its `-wal` grows; absent where there are none. */
  readonly checkpointFailures?: () => number

  /** Waiting time of the oldest sale that the ledger does not have yet, ms; absent if none waits. */
  readonly outboxAgeMs?: () => number
}
