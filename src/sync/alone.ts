/** One at a time in a snapshot directory: whoever publishes there, pins or removes. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '../process/lock.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'

/**
 * A build runs for minutes without giving way to a heartbeat. On one host a dead holder is known at
 * once; only from another host or container does it take this long.
 */
const staleAfterMs = 15 * 60_000

/**
 * Does something alone in a snapshot directory, which is made where there is none.
 * @throws Refusal `already-running`; `store-refused` for what the file system refuses.
 */
export function alone<T>(
  directory: string,
  clock: () => number,
  work: () => Promise<T>,
): Promise<T> {
  return orStoreRefused(directory, async () => {
    mkdirSync(directory, { recursive: true })
    const lock = acquireLock(join(directory, 'sync.lock'), { clock, staleAfterMs })
    try {
      return await work()
    } finally {
      lock.release()
    }
  })
}
