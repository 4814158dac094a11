/**
 * Accounts and keys, and what follows from one alone. Amounts are whole micro-USD, times
 * milliseconds since the epoch.
 */
import type { KeyTerms } from './port.ts'

/** A movement of money that is no charge: a credit is positive, an adjustment either. */
export interface Movement {
  readonly kind: 'opening' | 'top-up' | 'adjustment'
  readonly amountMicroUsd: number
  /** Null for the opening alone. */
  readonly reference: string | null
  /** Null for all but an adjustment. */
  readonly reason: string | null
}

export interface Account {
  /** 1 for the first account; numbers have no gaps and are never given twice. */
  readonly number: number
  readonly name: string
  readonly createdAtMs: number
  /** Sum of all rows but charges, and of the charges without their sign. */
  readonly creditedMicroUsd: number
  readonly chargedMicroUsd: number
  /** What no session of a service has leased. */
  readonly freeMicroUsd: number
  readonly creditCount: number
  readonly suspendedAtMs: number | null
}

/** A key as it was read. Times are milliseconds since the epoch; null stands for never or none. */
export interface KeyRecord {
  readonly id: string
  readonly accountNumber: number
  /** The name of its account. */
  readonly account: string
  readonly label: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  /** It expires at `expiresAtMs`, not after it. */
  readonly state: 'active' | 'expired' | 'revoked'
  /** Its secrets, the oldest first. All but the last have an end. */
  readonly secrets: readonly KeySecret[]
  readonly terms?: KeyTerms
}

/** A text by which a key is used; it is good while its key is, and until its own end. */
interface KeySecret {
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string
  readonly createdAtMs: number
  /** Null for the one that was made last. */
  readonly endsAtMs: number | null
}

export function isSuspended({ suspendedAtMs }: Pick<Account, 'suspendedAtMs'>): boolean {
  return suspendedAtMs !== null
}

export function balanceOf(account: Pick<Account, 'creditedMicroUsd' | 'chargedMicroUsd'>): number {
  return account.creditedMicroUsd - account.chargedMicroUsd
}

const dayMs = 86_400_000

export function dayNumber(atMs: number): number {
  return Math.floor(atMs / dayMs)
}

/** A UTC day since the epoch, as `2026-07-28`. */
export function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** As JSON shows it: ISO 8601 in UTC. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}
