/** Two snapshots as the gates compare them. */
import type { Snapshot } from '../../src/snapshot/file.ts'
import type { Comparison } from '../../src/sync/changes/changes.ts'
import { pairOf } from '../../src/sync/changes/pair.ts'

/** @param nowMs when they are compared, in milliseconds since the epoch. */
export function compared(before: Snapshot, next: Snapshot, nowMs = 0): Comparison {
  return { pair: pairOf(before, next), nowMs }
}
