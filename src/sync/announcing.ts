/**
 * Announces a snapshot that was published before (`announceSnapshot`), as a sync does: the file of changes is written
 * first, and a snapshot that cannot be served is refused.
 */

import { storedFactsOf } from '../snapshot/facts.ts'
import { directoryStore, loadForAnswers } from '../snapshot/store/directory.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import { heldBack } from '../snapshot/store/states.ts'
import { factsIfReadable, findSnapshot } from '../snapshot/store/store.ts'
import { pairOf } from './changes/pair.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { eraseFromHistory, writeHistory } from './history.ts'

/**
 * Announces the snapshot whose id begins with `idStart`.
 * @returns its id, and false where it was announced already.
 * @throws Refusal `snapshot-missing`, `snapshot-refused`, `already-running` while a sync is at work.
 */
export async function announceStored(
  snapshots: string,
  idStart: string,
  clock: () => number,
): Promise<{ readonly id: string; readonly announced: boolean }> {
  const store = directoryStore(snapshots)
  // An id that is unknown is refused before the lock creates the directory.
  await findSnapshot(store, idStart)
  return withDirectoryLock(snapshots, async () => {
    const { id } = await findSnapshot(store, idStart)
    const { current } = await store.pointers()
    if (current === id) return { id, announced: false }
    const snapshot = loadForAnswers(snapshots, id)
    const { header } = snapshot
    const next = storedFactsOf(snapshot)
    const before = current === undefined ? undefined : await factsIfReadable(store, current)
    const pair = before && pairOf(before, next)
    const removals = readRemovals(snapshots)
    writeHistory({ snapshots, header, current, pair, removals, nowMs: clock() })
    eraseFromHistory(snapshots, removals)
    await store.announce(id)
    heldBack.remove(snapshots)
    return { id, announced: true }
  })
}
