/**
 * How a copy of a ledger comes to its place, as a backup or as the ledger itself: it is made in a directory `partial-…` of
 * its own, so that a copy in its place is always whole, proved, and on the disk.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../problems.ts'
import type { Lock } from '../process/lock.ts'
import { makePrivateDirectory } from '../process/private-directory.ts'
import { syncFile } from '../process/sync-file.ts'
import type { Audit } from './administration.ts'
import { isStorageError, syncDirectories } from './disk/lmdb-file.ts'

/** Makes a proved copy in a directory. */
type MakeCopy = (partial: string) => Promise<Audit>

/**
 * Has a copy made in a directory without a ledger.
 * @param name of the file of the ledger.
 * @throws Refusal `ledger-refused` when the directory has a ledger or cannot be written to.
 */
export async function placeBackup(directory: string, name: string, make: MakeCopy): Promise<Audit> {
  const place = join(directory, name)
  const refuseIfTaken = () => {
    if (!existsSync(place)) return
    throw new Refusal('ledger-refused', `there is already a ledger in ${directory}`)
  }
  refuseIfTaken()
  return withPartial(directory, async (partial) => {
    const found = await make(partial)
    try {
      linkSync(join(partial, name), place)
    } catch (error) {
      refuseIfTaken()
      throw error
    }
    try {
      syncDirectories(directory)
    } catch (error) {
      rmSync(place, { force: true })
      throw error
    }
    return found
  })
}

/** Result of a restoration. */
export interface Restoration {
  /** Audit of the ledger that is in place now. */
  readonly audit: Audit
  /** Directory of the ledger whose place it took; undefined if there was none. */
  readonly replaced: string | undefined
}

/** Order of a restoration: the backup, and the directory in which it takes the place of the ledger. */
export interface RestoreOrder {
  readonly backup: string
  readonly directory: string
  /** The lock of the directory: no service sells from the ledger meanwhile. */
  readonly lock: Lock
  readonly clock: () => number
}

/**
 * Has a copy made, and puts it in the place of the ledger in one step.
 * @param name of the file of the ledger.
 * @param keep puts the ledger that was there into a directory beside it, and returns that.
 */
export function placeLedger(
  { directory, lock }: RestoreOrder,
  name: string,
  make: MakeCopy,
  keep: () => string | undefined | Promise<string | undefined>,
): Promise<Restoration> {
  return withPartial(directory, async (partial) => {
    const found = await make(partial)
    if (!lock.isHeld()) throw new Refusal('already-running', 'another process took the lock')
    const replaced = await keep()
    renameSync(join(partial, name), join(directory, name))
    syncDirectories(directory)
    return { audit: found, replaced }
  })
}

/** Has a copy on the disk. @throws Refusal `ledger-corrupt` when its books do not balance. */
export function settleCopy(path: string, { contradictions }: Audit): void {
  const [first] = contradictions
  if (first !== undefined) {
    const count = contradictions.length
    throw new Refusal('ledger-corrupt', `the books in the copy do not balance (${count}): ${first}`)
  }
  syncFile(path)
}

/** Works in a directory of its own. If the work fails, the directory above it is as it was before. */
async function withPartial<T>(
  directory: string,
  work: (partial: string) => Promise<T>,
): Promise<T> {
  const partial = join(directory, `partial-${randomUUID()}`)
  let made: string | undefined
  try {
    made = makePrivateDirectory(directory)
    makePrivateDirectory(partial)
    return await work(partial).finally(() => rmSync(partial, { recursive: true, force: true }))
  } catch (error) {
    if (made !== undefined) removeEmpty(resolve(directory), dirname(resolve(made)))
    if (!isStorageError(error)) throw error
    throw new Refusal('ledger-refused', `${directory} could not be written: ${error.message}`)
  }
}

/** Removes a directory and those above it, up to one that stays; ends at one that holds something. */
function removeEmpty(directory: string, stays: string): void {
  try {
    for (let path = directory; path !== stays; path = dirname(path)) rmdirSync(path)
  } catch (error) {
    if (!isStorageError(error)) throw error
  }
}
