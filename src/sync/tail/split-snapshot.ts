/** The part of a sync that splits what it announced: it connects to the tail, and says what is wrong with that. */
import { limits } from '../../limits.ts'
import type { SnapshotStore } from '../../snapshot/store/store.ts'
import { openRedisTail } from '../../tail/redis-tail.ts'
import type { Progress } from '../progress.ts'
import { publishTail } from './publish-tail.ts'

/** The settings of a split. */
interface SplitSettings {
  readonly tail: string
  readonly head: number
  readonly snapshots: string
  readonly keep: number
  /** Duration for which the tail of the snapshot before stays, ms. */
  readonly fetchGrace: number
  readonly force: boolean
  readonly progress: Progress
}

/**
 * Splits an announced snapshot.
 * @returns the id of its head; undefined where that would hold everybody.
 * @throws Refusal `tail-unreachable`, `wrong-usage` without a client of Redis, and those of a store.
 */
export async function splitSnapshot(
  settings: SplitSettings,
  store: SnapshotStore,
  id: string,
): Promise<string | undefined> {
  const { progress, fetchGrace: graceMs } = settings
  const tail = await openRedisTail(settings.tail, {
    commandMsMax: limits.tailWriteMsMax,
    onComplaint: progress.note,
  })
  try {
    for (const complaint of await tail.complaints()) progress.note(complaint)
    return await publishTail({ ...settings, tail, graceMs }, store, id)
  } finally {
    await tail.close()
  }
}
