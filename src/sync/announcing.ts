/**
 * Announces a snapshot that was published before, as a sync does: the file of changes is written
 * first, and a snapshot that cannot be served is refused.
 */

import { storedFactsOf } from '../snapshot/facts.ts'
import {
  announce,
  factsIfReadable,
  findSnapshot,
  loadForAnswers,
  pointersOf,
} from '../snapshot/store/directory.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import { heldBack } from '../snapshot/store/states.ts'
import { pairOf } from './changes/pair.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { eraseFromHistory, writeHistory } from './history.ts'

/**
 * @returns the id, and false where it was announced already.
 * @throws Refusal `snapshot-missing`, `snapshot-refused`, `already-running` while a sync is at
 * work.
 */
export async function announceStored(
  snapshots: string,
  idStart: string,
  clock: () => number,
): Promise<{ readonly id: string; readonly announced: boolean }> {
  // An id that is unknown is refused before the lock creates the directory.
  findSnapshot(snapshots, idStart)
  return withDirectoryLock(snapshots, async () => {
    const { id } = findSnapshot(snapshots, idStart)
    const { current } = pointersOf(snapshots)
    if (current === id) return { id, announced: false }
    const snapshot = loadForAnswers(snapshots, id)
    const { header } = snapshot
    const next = storedFactsOf(snapshot)
    const before = current === undefined ? undefined : factsIfReadable(snapshots, current)
    const pair = before && pairOf(before, next)
    const removals = readRemovals(snapshots)
    writeHistory({ snapshots, header, current, pair, removals, nowMs: clock() })
    eraseFromHistory(snapshots, removals)
    announce(snapshots, id)
    heldBack.remove(snapshots)
    return { id, announced: true }
  })
}
