/**
 * The part of a sync that splits what it announced: it connects to the tail and to the storage of heads, and says
 * what is wrong with them.
 */
import { join } from 'node:path'
import { limits } from '../../limits.ts'
import { directoryStore } from '../../snapshot/store/directory.ts'
import type { SnapshotStore } from '../../snapshot/store/store.ts'
import { placeWithin } from '../../storage-addresses.ts'
import { openRedisTail } from '../../tail/redis-tail.ts'
import { openShared, type SharedOptions } from '../remote/shared-store.ts'
import { headDirectory, publishTail } from './publish-tail.ts'

/** The settings of a split. `fetchGrace` is how long the tail of the snapshot before stays, ms, too. */
interface SplitSettings extends SharedOptions {
  readonly tail: string
  readonly head: number
  readonly force: boolean
}

/**
 * Splits an announced snapshot.
 * @returns the id of its head.
 * @throws Refusal `tail-unreachable`, `wrong-usage` without a client of Redis, and those of a store.
 */
export async function splitSnapshot(
  settings: SplitSettings,
  store: SnapshotStore,
  id: string,
): Promise<string> {
  const { snapshots, progress, fetchGrace: graceMs } = settings
  const tail = await openRedisTail(settings.tail, {
    commandMsMax: limits.tailWriteMsMax,
    onComplaint: progress.note,
  })
  try {
    for (const complaint of await tail.complaints()) progress.note(complaint)
    const heads = await openHeads({ ...settings, snapshots: join(snapshots, headDirectory) })
    return await publishTail({ ...settings, tail, graceMs }, { wholes: store, heads }, id)
  } finally {
    await tail.close()
  }
}

/** The directory of heads as a store, which announces in object storage first where that of the snapshots does. */
async function openHeads(settings: SplitSettings): Promise<SnapshotStore> {
  const { publish, snapshots } = settings
  if (publish === '') return directoryStore(snapshots)
  const shared = await openShared({ ...settings, publish: placeWithin(publish, headDirectory) })
  await shared.catchUp()
  return shared
}
