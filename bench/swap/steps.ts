/** How long preparing a snapshot holds a serving thread at most. */
import { once } from 'node:events'
import { heapLimits } from '../../src/service/thread-pool.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { startModule } from '../../test/support/processes/worker-module.ts'

/** The longest step of a preparation in milliseconds, in a thread with a serving thread's heap. */
export async function longestStepMs(snapshot: Snapshot): Promise<number> {
  const worker = startModule(new URL('./steps-thread.ts', import.meta.url), {
    workerData: snapshot,
    resourceLimits: heapLimits,
  })
  const [longestMs] = await once(worker, 'message')
  return longestMs as number
}
