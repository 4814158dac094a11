/**
 * Copies a ledger in a file of SQLite, and puts a copy in its place. An interruption leaves files only in a directory
 * `partial-…` of its own: a copy in its place is always whole, proved, and on the disk.
 */
import { chmodSync, existsSync, linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import type { Audit } from '../administration.ts'
import { syncDirectories } from '../disk/lmdb-file.ts'
import {
  placeBackup,
  placeLedger,
  type Restoration,
  type RestoreOrder,
  settleCopy,
} from '../placed-copies.ts'
import { prove } from '../postgres/proof.ts'
import { refuseOtherForm } from '../postgres/schema.ts'
import { copyFile, foldWal, readCopy } from '../sql/sqlite/copies.ts'
import { sqliteFileName } from '../sql/sqlite/driver.ts'

/** Order of a backup: the directory of the ledger, and the one that is to have the copy. */
interface BackupOrder {
  readonly from: string
  readonly directory: string
  readonly clock: () => number
}

/**
 * Copies the ledger as it is at one moment into a directory without one; free pages are left out. Other processes may
 * go on writing.
 * @returns the result of the audit of the copy.
 * @throws Refusal `ledger-refused` when the directory has a ledger or cannot be written to,
 * `ledger-corrupt` when the books in the copy do not balance; then there is none.
 */
export function backUp({ from, directory, clock }: BackupOrder): Promise<Audit> {
  return placeBackup(directory, sqliteFileName, (partial) => copyProved(from, partial, clock))
}

/**
 * Puts a copy of a backup in the place of the ledger, in one step, and the ledger that was there in a
 * directory beside it.
 * @throws Refusal `ledger-refused` when another process has the ledger open or the disk refuses, `ledger-corrupt`
 * when the backup is damaged or its books do not balance; then nothing has changed.
 */
export function restore(order: RestoreOrder): Promise<Restoration> {
  const { backup, directory, clock } = order
  return placeLedger(
    order,
    sqliteFileName,
    (partial) => copyProved(backup, partial, clock),
    () => keepBeside(directory, clock),
  )
}

/** Copies a ledger, proves the copy and has it on the disk, for its owner only. */
async function copyProved(from: string, directory: string, clock: () => number): Promise<Audit> {
  const path = join(directory, sqliteFileName)
  await copyFile(join(from, sqliteFileName), path, clock)
  chmodSync(path, privateFileMode)
  const found = await readCopy(path, clock, async (query) => {
    await refuseOtherForm(query, from)
    return prove(query)
  })
  settleCopy(path, found)
  return found
}

/** Links the ledger into a directory of its own; its `-wal` must not be left to the one that takes its place. */
async function keepBeside(directory: string, clock: () => number): Promise<string | undefined> {
  const path = join(directory, sqliteFileName)
  const isWhole = existsSync(path) && (await foldWal(path, clock))
  const others = ['-wal', '-shm'].filter((end) => existsSync(path + end))
  if (!existsSync(path) && others.length === 0) return undefined
  const time = new Date(clock()).toISOString().replaceAll(':', '-')
  const kept = join(directory, `replaced-${time}`)
  makePrivateDirectory(kept)
  if (existsSync(path)) linkSync(path, join(kept, sqliteFileName))
  if (!isWhole) for (const end of others) renameSync(path + end, join(kept, sqliteFileName + end))
  syncDirectories(kept)
  return kept
}
