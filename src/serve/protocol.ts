/**
 * What the main thread and a serving thread say to each other. Sections are shared memory, so that
 * passing a snapshot passes references.
 */
import type { SharedBalances } from '../ledger/balances.ts'
import type { KeyTable } from '../ledger/keyring.ts'
import type { Prices } from '../ledger/route.ts'
import type { Snapshot } from '../snapshot/file.ts'

/** What a serving thread is started with. */
export interface ThreadStart {
  readonly balances: SharedBalances
  readonly prices: Prices
}

/** To a serving thread. */
export type Order =
  | { readonly kind: 'listen'; readonly host: string; readonly port: number }
  | { readonly kind: 'prepare'; readonly snapshot: Snapshot }
  | { readonly kind: 'switch'; readonly id: string }
  | { readonly kind: 'take-keys'; readonly table: KeyTable }
  | { readonly kind: 'close' }

/** From a serving thread; each answers one order. Taking keys is not reported. */
export type Report =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'cannot-listen' }
  | { readonly kind: 'prepared'; readonly id: string }
  | { readonly kind: 'switched'; readonly id: string }
  | { readonly kind: 'closed' }
