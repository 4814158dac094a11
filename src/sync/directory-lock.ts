/**
 * A lock for a snapshot directory: one publisher at a time may publish, pin or remove there, and one
 * mirror at a time may fetch.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '../process/lock.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'

/** The locks: one for changing the announcement, one for fetching the next snapshot. */
export type LockName = 'sync.lock' | 'mirror.lock'

/**
 * Does something alone in a snapshot directory, which is made where there is none.
 * @throws Refusal `already-running`; `store-refused` for what the file system refuses.
 */
export function withDirectoryLock<T>(
  directory: string,
  work: () => Promise<T>,
  lockName: LockName = 'sync.lock',
): Promise<T> {
  return orStoreRefused(directory, async () => {
    mkdirSync(directory, { recursive: true })
    const lock = acquireLock(join(directory, lockName))
    try {
      return await work()
    } finally {
      lock.release()
    }
  })
}
