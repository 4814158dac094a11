/**
 * Copies a ledger in a file of SQLite to where there is none: a backup, and back. A copy is made in
 * a directory `partial-…`, which is all that an interruption leaves: in its place it is always
 * whole, proved, and on the disk.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, linkSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../../problems.ts'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import { isStorageError, syncDirectories, syncFile } from '../../process/sync-file.ts'
import { damagesIn, withReader } from '../sql/sqlite/connection.ts'
import { ledgerFileName, refuseLmdb, refuseUnlessHeld } from '../sql/sqlite/held-file.ts'
import { type Audit, prove } from './proof.ts'
import { refuseOtherForm } from './schema.ts'

/**
 * Other processes may go on writing.
 * @throws Refusal `ledger-refused` when the directory has a ledger or cannot be written to, or
 * there is no ledger; `ledger-corrupt` when the books in the copy do not balance; then there is
 * none.
 */
export async function backUp(from: string, directory: string, clock: () => number): Promise<Audit> {
  await refuseUnlessHeld(from)
  refuseUnlessBackup(from)
  const place = join(directory, ledgerFileName)
  const refuseIfTaken = () => {
    // What is left of a ledger in a `-wal` must not be taken for that of the copy.
    if (!['', '-wal', '-shm'].some((end) => existsSync(place + end))) return
    throw new Refusal('ledger-refused', `there is already a ledger in ${directory}`)
  }
  refuseIfTaken()
  return withPartial(directory, async (partial) => {
    const found = await copyProved(from, partial, clock)
    try {
      linkSync(join(partial, ledgerFileName), place)
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

/** @throws Refusal `ledger-refused` for a directory without a ledger that can be copied. */
export function refuseUnlessBackup(directory: string): void {
  refuseLmdb(directory)
  if (existsSync(join(directory, ledgerFileName))) return
  throw new Refusal('ledger-refused', `there is no ledger in ${directory}`)
}

async function copyProved(from: string, directory: string, clock: () => number): Promise<Audit> {
  const path = join(directory, ledgerFileName)
  // Leaves out free pages; others may go on writing.
  await withReader(join(from, ledgerFileName), clock, async (connection) => {
    connection.exec(`vacuum into '${path.replaceAll("'", "''")}'`)
  })
  chmodSync(path, privateFileMode)
  const found = await withReader(path, clock, async ({ query }) => {
    const [damage] = await damagesIn(query)
    if (damage !== undefined) throw new Refusal('ledger-corrupt', `${path} is damaged: ${damage}`)
    await refuseOtherForm(query, from)
    return prove(query)
  })
  const { contradictions } = found
  const [first] = contradictions
  if (first !== undefined) {
    const count = contradictions.length
    throw new Refusal('ledger-corrupt', `the books in the copy do not balance (${count}): ${first}`)
  }
  syncFile(path)
  return found
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
