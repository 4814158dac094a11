/**
 * What the main thread and a serving thread say to each other. Sections are shared memory, so that
 * passing a snapshot passes references.
 */
import type { Snapshot } from '../snapshot/file.ts'

/** To a serving thread. */
export type Order =
  | { readonly kind: 'listen'; readonly host: string; readonly port: number }
  | { readonly kind: 'prepare'; readonly snapshot: Snapshot }
  | { readonly kind: 'switch'; readonly id: string }
  | { readonly kind: 'close' }

/** From a serving thread; each answers the order of the same name. */
export type Report =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'cannot-listen' }
  | { readonly kind: 'prepared'; readonly id: string }
  | { readonly kind: 'switched'; readonly id: string }
  | { readonly kind: 'closed' }
