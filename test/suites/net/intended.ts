/**
 * The differences between two builds that are intended. The net passes over a difference that a row
 * of this list describes, and over no other. The list is empty between two changes of the interface.
 */
import type { Difference } from './comparison.ts'

/** One intended difference. */
export interface Intended {
  /** Why the newer build may answer differently: one sentence. */
  readonly reason: string
  /** Whether a difference is this one. Describe both answers as closely as possible. */
  readonly covers: (difference: Difference) => boolean
}

/** The intended differences. */
export const intended: readonly Intended[] = []
