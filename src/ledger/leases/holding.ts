/**
 * What a service holds of one account: what it may sell, what it sold, and how fast. Its sums are the
 * `LeaseTable`'s to change.
 */
import type { Funds } from '../port.ts'
import { idleMs, rateAfter, requestMicroUsd, type Want } from './lease-policy.ts'
import type { Lease } from './settlement.ts'

/** An account as the database told it last. */
export interface AccountNews {
  readonly id: number
  /** When it was made, in microseconds: a database that lost an account may give its number to another. */
  readonly madeAtUs: number
  readonly balance: number
  /** The number of the change by which everybody was to give back; 0 where there was none. */
  readonly recalled: number
}

/** What is held of one account. Sums of the session begin anew with it, those of funds never. */
export class Holding implements Funds {
  readonly accountNumber: number
  grantedMicroUsd = 0
  spentMicroUsd = 0
  heldByOtherNodesMicroUsd = 0
  /** Of the session: what it may sell in all, and what it has sold in windows that are durable. */
  leasedMicroUsd = 0
  soldMicroUsd = 0
  /** What the database has of them, and of the account. */
  told: Lease
  /** By which version it changed last; 0 until it was leased for the first time. */
  version = 0
  firstVersion = 0
  /** Whether it has to be leased something for the first time in this session. */
  isUnleased = true
  /** Whether the database does not have the account any more: nothing is done until it has. */
  isLost = false
  madeAtUs: number
  recalled: number
  givesAll = false
  rate = 0
  soldSinceLookMicroUsd = 0
  soldAtMs = Number.NEGATIVE_INFINITY
  /** The cost of a request that had to be refused, and how long it is remembered. */
  neededMicroUsd = 0
  neededUntilMs = 0
  recalledAtMs = Number.NEGATIVE_INFINITY
  /** Of the dearest request that was refused, or what one is thought to cost. */
  requestMicroUsd = requestMicroUsd
  /** Until when no more is asked for, as there was less than that. */
  contentUntilMs = 0

  constructor({ id, madeAtUs, balance, recalled }: AccountNews) {
    this.accountNumber = id
    this.madeAtUs = madeAtUs
    this.recalled = recalled
    this.told = noLease(id, balance)
  }

  /** What the lease still has, as far as windows go. */
  get roomMicroUsd(): number {
    return this.leasedMicroUsd - this.soldMicroUsd
  }
}

/** What the database has of a session before it has leased anything to it. */
export function noLease(accountNumber: number, balanceMicroUsd: number): Lease {
  return { accountNumber, grantedMicroUsd: 0, spentMicroUsd: 0, balanceMicroUsd }
}

/** The lease that a node wants of an account. */
export function wantOf(
  { accountNumber, requestMicroUsd }: Holding,
  amountMicroUsd: number,
  neededMicroUsd: number,
  recalls: boolean,
): Want {
  const amount = Math.ceil(amountMicroUsd)
  return { accountNumber, amountMicroUsd: amount, neededMicroUsd, requestMicroUsd, recalls }
}

/** The rate rises at once and falls slowly: too small a lease is felt, one too large is not. */
export function measure(holding: Holding, seconds: number): void {
  const sold = holding.soldSinceLookMicroUsd
  holding.rate = Math.max(rateAfter(holding.rate, sold, seconds), sold / Math.max(seconds, 0.1))
  holding.soldSinceLookMicroUsd = 0
}

/** Whether nothing is to be done about it until it is sold from, missed or heard of again. */
export function isQuiet(holding: Holding, nowMs: number): boolean {
  return nowMs - holding.soldAtMs > 2 * idleMs && holding.neededMicroUsd === 0 && !holding.givesAll
}
