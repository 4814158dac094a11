/**
 * What authorizations need of a ledger: notes that are good once, and keys that are renewed in their lineage. Each is
 * one transaction of the ledger, so it holds for all services of it: of two that use a note or renew a key at the same
 * time, one does, and the other learns it.
 */
import type { IssuedKey, KeyOrder } from './administration.ts'

/** A note that is good once. */
export interface OnceNote {
  readonly id: string
  readonly content: string
  /** Of whom `notesOfOneMax` are kept at most. */
  readonly whose: string
}

/** How long a note is kept, so that its second use is noticed. */
export const notesKeptMs = 600_000
/** Of one, and of all. */
export const notesOfOneMax = 50
export const notesMax = 10_000

/** What came of keeping a note: it was kept, one with its id was there, or there are too many. */
export type Keeping = 'kept' | 'known' | 'full'

/**
 * What came of a note: a key; nothing, because it was used before (with the key that came of it then); nothing, because no key
 * was wanted; or nothing, because there is no such note.
 */
export type Redeemed =
  | { readonly state: 'issued'; readonly issued: IssuedKey }
  | { readonly state: 'used'; readonly key: string | null }
  | { readonly state: 'spent' }
  | { readonly state: 'unknown' }

/** The key that a note stands for; undefined for none. @param ageMs of the note, by the clock of the ledger. */
export type OrderOfNote = (content: string, ageMs: number) => KeyOrder | undefined

/** The part of the books that authorizations use. */
export interface GrantBooks {
  /**
   * Ends a key and makes another of its lineage, which ends at a time in milliseconds. Undefined for a key that was
   * revoked or renewed before, and for one whose parent has ended; nothing is changed then.
   */
  renewKey(id: string, expiresAtMs: number): Promise<IssuedKey | undefined>
  /**
   * Ends every active key of a lineage with such a beginning of its label, and what ends with it. No key escapes by
   * being renewed meanwhile. @returns how many.
   */
  endLineage(lineage: string, labelPrefix: string): Promise<number>
  /** Keeps a note; forgets those that are older than `notesKeptMs`. */
  keepNote(note: OnceNote): Promise<Keeping>
  /**
   * Uses a note up, and issues the key that it stands for in the same transaction.
   * @throws Refusal as `issueKey`; the note is not used up then.
   */
  redeemNote(id: string, orderOf: OrderOfNote): Promise<Redeemed>
}
