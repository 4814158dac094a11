/**
 * The thread of a `Mirroring`: it fetches what object storage announces, again and again. It yields to the serving
 * threads wherever the system lets it.
 */
import { parentPort } from 'node:worker_threads'
import { openObjects } from '../../objects/object-address.ts'
import { BackOff } from '../../objects/patience.ts'
import { Refusal } from '../../problems.ts'
import { Channel } from '../../process/channel.ts'
import { giveWay } from '../../process/thread.ts'
import { orStoreRefused } from '../../snapshot/store/system-errors.ts'
import { Mirror, type WithLock } from '../../sync/remote/mirror.ts'
import { steadinessOf } from '../../sync/remote/shared-store.ts'
import { takeSyncStatus } from '../../sync/remote/sync-status.ts'
import type { MirrorCalls, MirroringCalls, MirrorOrder } from './mirroring.ts'

/** Looks are not in step with those of other nodes. */
const unevenness = 0.2

const port = parentPort
if (port === null) throw new Error('a mirror thread is started by the main thread')
giveWay()
class Following {
  #mirror: Mirror | undefined
  /** Asked before there was a mirror. */
  #isDistrusted = false

  distrust(): void {
    this.#isDistrusted = true
    this.#mirror?.distrust()
  }

  async follow(order: MirrorOrder): Promise<void> {
    const { from, directory, keep, activateAfter, transferRate, intervalMs } = order
    const report = (line: string) => channel.notify('report', line)
    const steadiness = steadinessOf(transferRate, Date.now, report)
    const backOff = new BackOff(Math.random)
    const store = await openObjects(from)
    const mirror = new Mirror({
      ...{ store, directory, keep, steadiness, holding },
      activateAfterMs: activateAfter,
      clock: Date.now,
      onChange: (state) => channel.notify('take', state),
    })
    this.#mirror = mirror
    if (this.#isDistrusted) mirror.distrust()
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
  }
}

/** Locks are held by the main thread, which outlives this one. */
const holding: WithLock = async (lockName, work) => {
  await channel.call('lock', lockName)
  try {
    return await work()
  } finally {
    await channel.call('unlock', lockName)
  }
}

const following = new Following()
const channel = new Channel<MirrorCalls, MirroringCalls>(port, {
  follow: (order) => following.follow(order),
  distrust: () => following.distrust(),
})
