/**
 * The differences between two builds that are intended, one row for each: how it leaves an answer of the older build.
 * What all rows leave has to be the answer of the newer build to the byte. The list is empty between two changes of the
 * interface: the change that makes a difference adds its row, and the next build to compare with takes it out.
 */
import type { ComparedAnswer, Difference } from './comparison.ts'

export interface Intended {
  /** Why the newer build answers differently: one sentence. */
  readonly reason: string
  /** The answer as the newer build has to give it; the same object where the row has nothing to change. */
  readonly rewrite: (before: ComparedAnswer, difference: Difference) => ComparedAnswer
}

export const intended: readonly Intended[] = []
