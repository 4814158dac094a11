/**
 * Copies the ledger, and puts a copy in its place. An interruption leaves files only in a directory
 * `partial-…` of its own: a `ledger.mdb` is always whole, verified, and on the disk.
 */
import { chmodSync, copyFileSync, existsSync, linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import type { Audit } from '../administration.ts'
import { syncDirectories } from '../disk/lmdb-file.ts'
import { fileName } from '../held-file.ts'
import {
  placeBackup,
  placeLedger,
  type Restoration,
  type RestoreOrder,
  settleCopy,
} from '../placed-copies.ts'
import { audit } from './audit.ts'
import { type Environment, lockFileName, withEnvironment } from './environment.ts'

/**
 * Copies the ledger as it is at one moment into a directory without one; free pages are left out.
 * Other processes may go on writing.
 * @returns the result of the audit of the copy.
 * @throws Refusal `ledger-refused` when the directory has a ledger or cannot be written to,
 * `ledger-corrupt` when the books in the copy do not balance; then there is none.
 */
export async function backUp(environment: Environment, directory: string): Promise<Audit> {
  return placeBackup(directory, fileName, async (partial) => {
    await environment.copyTo(join(partial, fileName))
    return settle(partial, environment.clock)
  })
}

/** @throws Refusal `ledger-refused` when a directory has no backup. */
export function refuseUnlessBackup(directory: string): void {
  if (existsSync(join(directory, fileName))) return
  throw new Refusal('ledger-refused', `there is no ledger in ${directory}`)
}

/**
 * Puts a copy of a backup in the place of the ledger, in one step, and the ledger that was there in a
 * directory beside it.
 * @throws Refusal `ledger-refused` when there is no backup or the disk refuses, `ledger-corrupt` when
 * it is damaged or its books do not balance; then nothing has changed.
 */
export async function restore(order: RestoreOrder): Promise<Restoration> {
  const { backup, directory, clock } = order
  refuseUnlessBackup(backup)
  const make = async (partial: string) => {
    copyFileSync(join(backup, fileName), join(partial, fileName))
    return settle(partial, clock)
  }
  return placeLedger(order, fileName, make, () =>
    keepBeside(directory, new Date(clock()).toISOString()),
  )
}

/** Verifies a copy and has it on the disk, for its owner only. */
async function settle(directory: string, clock: () => number): Promise<Audit> {
  const path = join(directory, fileName)
  chmodSync(path, privateFileMode)
  const found = await withEnvironment({ directory, clock }, audit)
  settleCopy(path, found)
  return found
}

/**
 * Links the ledger into a directory of its own. Its lock file goes there first: processes that have
 * the old ledger open must not share it with processes that open the new one.
 */
function keepBeside(directory: string, time: string): string | undefined {
  if (!existsSync(join(directory, fileName))) return undefined
  const kept = join(directory, `replaced-${time.replaceAll(':', '-')}`)
  makePrivateDirectory(kept)
  linkSync(join(directory, fileName), join(kept, fileName))
  if (existsSync(join(directory, lockFileName))) {
    renameSync(join(directory, lockFileName), join(kept, lockFileName))
  }
  syncDirectories(kept)
  return kept
}
