/** A directory in which a copy of a ledger is made, so that a copy in its place is always whole. */
import { randomUUID } from 'node:crypto'
import { rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../problems.ts'
import { makePrivateDirectory } from '../process/private-directory.ts'
import { isStorageError } from './disk/lmdb-file.ts'

/** Works in a directory of its own. If the work fails, the directory above it is as it was before. */
export async function withPartial<T>(
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
