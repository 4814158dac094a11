/**
 * One publisher at a time may publish, pin or remove in a snapshot directory, and one mirror fetch.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '../process/lock.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'

export type LockName = 'sync.lock' | 'mirror.lock'

/**
 * Makes the directory where there is none.
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
