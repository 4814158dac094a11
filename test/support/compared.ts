/** Two snapshots as the gates compare them. */
import { openEngine } from '../../src/engine/open.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import type { Comparison } from '../../src/sync/changes/changes.ts'
import { pairOf } from '../../src/sync/changes/pair.ts'
import { answersChanged, questionsOf } from '../../src/sync/changes/single/first-answers.ts'

/** @param nowMs when they are compared, in milliseconds since the epoch. */
export function compared(before: Snapshot, next: Snapshot, nowMs = 0): Comparison {
  const answers = answersChanged(openEngine(next), questionsOf(before))
  return { pair: pairOf(before, next), answers, nowMs }
}
