/**
 * The thread of a `Mirroring`: it fetches what object storage announces, again and again. It yields to the serving
 * threads wherever the system lets it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openObjects } from '../../objects/object-address.ts'
import { BackOff } from '../../objects/patience.ts'
import { Refusal } from '../../problems.ts'
import { Channel } from '../../process/channel.ts'
import { giveWay } from '../../process/thread.ts'
import { orStoreRefused } from '../../snapshot/store/system-errors.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { Mirror } from '../../sync/remote/mirror.ts'
import { steadinessOf } from '../../sync/remote/shared-store.ts'
import { takeSyncStatus } from '../../sync/remote/sync-status.ts'
import type { MirrorCalls, MirroringCalls, MirrorOrder } from './mirroring.ts'

/** Looks are not in step with those of other nodes. */
const unevenness = 0.2

giveWay()
const { from, directory, keep, activateAfter, transferRate, intervalMs }: MirrorOrder = workerData
const report = (line: string) => channel.notify('report', line)
const steadiness = steadinessOf(transferRate, Date.now, report)
const backOff = new BackOff(Math.random)
const store = await openObjects(from)
const mirror = new Mirror({
  ...{ store, directory, keep, steadiness },
  holding: (lockName, work) => withDirectoryLock(directory, work, lockName),
  activateAfterMs: activateAfter,
  clock: Date.now,
  onChange: (state) => channel.notify('take', state),
})
const channel = new Channel<MirrorCalls, MirroringCalls>(parentPort!, {
  distrust: () => mirror.distrust(),
})
for (;;) {
  let waitMs = intervalMs * (1 - unevenness * Math.random())
  try {
    await orStoreRefused(directory, async () => {
      await mirror.look()
      await takeSyncStatus(store, directory, steadiness)
    })
    backOff.reset()
    channel.notify('succeed', undefined)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    channel.notify('fail', { code: error.code, message: error.message })
    // A damaged file may be announced anew at any moment; storage and disk are left alone for longer.
    const isPatient = error.code.startsWith('storage-') || error.code === 'store-refused'
    if (isPatient) waitMs = Math.max(waitMs, backOff.nextMs())
  }
  await steadiness.sleep(waitMs)
}
