/** What the administration of a ledger is asked for, and what it returns. */
import type { AdminScope } from '../../admin-scopes.ts'
import type { Account, KeyRecord, KeySecret, KeyState } from './account-records.ts'
import type { TermsChange } from './checked-terms.ts'
import type { DailySale } from './port.ts'

export interface TrailPage {
  readonly limit: number
  /** Entries with smaller numbers; all of them where it is absent. */
  readonly before?: number | undefined
  readonly subject?: string | undefined
}

export interface AdminKey {
  readonly id: string
  readonly label: string | null
  readonly scopes: readonly AdminScope[]
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  /** Digest of all of it and of its hash. */
  readonly digest: string
}

export interface AdminKeyOrder extends Pick<AdminKey, 'label' | 'scopes' | 'expiresAtMs'> {}

/** An admin key that was just made: the only value that holds its text. */
export interface IssuedAdminKey {
  readonly text: string
  readonly record: AdminKey
}

/** A node that sells from leases of a database. */
export interface SellingNode {
  readonly name: string
  readonly sinceMs: number
  /** By the clock of the database; one that is past belongs to a node that was not heard of in time. */
  readonly leasedUntilMs: number
  readonly isLate: boolean
  readonly accounts: number
  readonly leasedMicroUsd: number
}

/** Result of a top-up or an adjustment: `credited` is false if the ledger had its reference already. */
export interface Credited {
  readonly account: Account
  readonly credited: boolean
}

/** A key that was just made: the only value that holds its text. */
export interface IssuedKey {
  readonly text: string
  readonly record: KeyRecord
}

export interface KeyFacts extends Omit<KeyRecord, 'accountNumber' | 'secrets' | 'unshown'> {
  readonly secrets: readonly Omit<KeySecret, 'hash'>[]
  readonly account: string
  readonly state: KeyState
}

export interface ListedKey extends KeyFacts {
  readonly spentMicroUsd: number
  /** The same, in the period of its cap; absent without a cap. */
  readonly spentOfCapMicroUsd?: number
}

export interface KeyOrder extends TermsChange {
  readonly account: string
  readonly label: string | null
  readonly expiresAtMs: number | null
}

/** Changes of a key. Absent members stay. */
export interface KeyChange extends TermsChange {
  readonly label?: string | null
  readonly expiresAtMs?: number | null
}

export interface OnceNote {
  readonly id: string
  readonly content: string
  /** The owner, of whom so many notes are kept at most. */
  readonly whose: string
}

/** Result of keeping a note: it was kept, a note with its id exists, or there are too many. */
export type NoteKeeping = 'kept' | 'known' | 'full'

/** `used` with the key of that use, `spent` where none was wanted, `unknown` for no such note. */
export type Redeemed =
  | { readonly state: 'issued'; readonly issued: IssuedKey }
  | { readonly state: 'used'; readonly key: string | null }
  | { readonly state: 'spent' }
  | { readonly state: 'unknown' }

export type OrderOfNote = (content: string, ageMs: number) => KeyOrder | undefined

export interface Rotation extends IssuedKey {
  readonly oldEndsAtMs: number
}

/** One credit or adjustment; the opening credit has no reference, only an adjustment has a reason. */
export interface Credit {
  readonly atMs: number
  readonly amountMicroUsd: number
  readonly reference: string | null
  readonly reason: string | null
}

/** Credits by time, charges by day and route; the credits less the charges are the balance. */
export interface Statement {
  readonly account: Account
  readonly credits: readonly Credit[]
  readonly charges: readonly DailySale[]
  readonly balanceMicroUsd: number
}

export interface OwnKey {
  readonly keyId: string
  /** UTC days, today included; absent for the current month. */
  readonly days?: number
}

export interface OwnerView {
  readonly account: Account
  readonly key: Omit<KeyRecord, 'secrets'>
  readonly atMs: number
  /** By all keys of the account, from the first of the month of `atMs`, or from the first day asked for if earlier. */
  readonly charges: readonly DailySale[]
  readonly keyCharges: readonly DailySale[]
}

/** UTC days, the first and the last, as `2026-07-28`. */
export interface UsageRange {
  readonly fromDay: string
  readonly toDay: string
}

/** Sales to one key on one route on one UTC day. */
export interface KeyUsage extends DailySale {
  readonly keyId: string
}

export interface Audit {
  readonly accounts: number
  readonly rows: number
  readonly keys: number
  /** Sum over all accounts, which may be more than a double holds exactly. */
  readonly balanceMicroUsd: bigint
  readonly contradictions: readonly string[]
}
