/** Swaps of a service: one at a time, and what one of them takes of the processor in all. */
import { announce } from '../../src/snapshot/store/directory.ts'
import type { Children } from '../../test/support/processes/children.ts'
import { cpuSeconds } from '../../test/support/processes/proc.ts'
import { type Service, startRichService } from '../../test/support/processes/service.ts'
import { type Origin, readinessOf, type Scene, setOrigin } from './scene.ts'

/** Swaps before those that are measured: both places in memory are touched, the code is warm. */
const swapsBefore = 4

/** Announces a snapshot and waits until it is served; returns the seconds. */
export async function swapTo(
  service: Service,
  { directory }: Pick<Scene, 'directory'>,
  id: string,
): Promise<number> {
  const startedMs = performance.now()
  announce(directory, id)
  await service.child.until(async () => (await readinessOf(service)).snapshot_id === id)
  return (performance.now() - startedMs) / 1000
}

/**
 * Processor time of a swap of a service with two threads that nobody asks anything but whether it
 * has swapped: of all its threads, in milliseconds, the mean of so many.
 */
export async function serviceSwapMs(
  scene: Scene,
  origin: Origin,
  children: Children,
  swaps: number,
): Promise<number> {
  const service = await startRichService(children, { snapshots: scene.directory, threads: 2 })
  const pid = service.child.process.pid!
  let startSeconds = 0
  const first = scene.ids.indexOf((await readinessOf(service)).snapshot_id)
  for (let swap = 1; swap <= swapsBefore + swaps; swap += 1) {
    // Each time: the load before it has left a verified snapshot, and its indexes.
    setOrigin(scene.directory, scene.ids, origin)
    await swapTo(service, scene, scene.ids[(first + swap) % 2]!)
    if (swap === swapsBefore) startSeconds = cpuSeconds(pid).own
  }
  const seconds = cpuSeconds(pid).own - startSeconds
  await service.child.stop()
  return (seconds / swaps) * 1000
}
