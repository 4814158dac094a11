/**
 * Copies a ledger in a file of SQLite, and puts a copy in its place. An interruption leaves files only in a directory
 * `partial-…` of its own: a copy in its place is always whole, proved, and on the disk.
 */
import { chmodSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import { syncFile } from '../../process/sync-file.ts'
import type { Audit } from '../administration.ts'
import { syncDirectories } from '../disk/lmdb-file.ts'
import { withPartial } from '../partial-directory.ts'
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
export async function backUp({ from, directory, clock }: BackupOrder): Promise<Audit> {
  const place = join(directory, sqliteFileName)
  refuseIfTaken(directory)
  return withPartial(directory, async (partial) => {
    const found = await copyProved(from, partial, clock)
    try {
      linkSync(join(partial, sqliteFileName), place)
    } catch (error) {
      refuseIfTaken(directory)
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
interface Restoration {
  /** Audit of the ledger that is in place now. */
  readonly audit: Audit
  /** Directory of the ledger whose place it took; undefined if there was none. */
  readonly replaced: string | undefined
}

/** Order of a restoration: the backup, and the directory in which it takes the place of the ledger. */
interface RestoreOrder {
  readonly backup: string
  readonly directory: string
  /** The lock of the directory: no service sells from the ledger meanwhile. */
  readonly lock: Lock
  readonly clock: () => number
}

/**
 * Puts a copy of a backup in the place of the ledger, in one step, and the ledger that was there in a
 * directory beside it.
 * @throws Refusal `ledger-refused` when another process has the ledger open or the disk refuses, `ledger-corrupt`
 * when the backup is damaged or its books do not balance; then nothing has changed.
 */
export async function restore({
  backup,
  directory,
  lock,
  clock,
}: RestoreOrder): Promise<Restoration> {
  return withPartial(directory, async (partial) => {
    const found = await copyProved(backup, partial, clock)
    if (!lock.isHeld()) throw new Refusal('already-running', 'another process took the lock')
    const replaced = await keepBeside(directory, clock)
    renameSync(join(partial, sqliteFileName), join(directory, sqliteFileName))
    syncDirectories(directory)
    return { audit: found, replaced }
  })
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
  const [first] = found.contradictions
  if (first !== undefined) {
    const count = found.contradictions.length
    throw new Refusal('ledger-corrupt', `the books in the copy do not balance (${count}): ${first}`)
  }
  syncFile(path)
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

function refuseIfTaken(directory: string): void {
  if (!existsSync(join(directory, sqliteFileName))) return
  throw new Refusal('ledger-refused', `there is already a ledger in ${directory}`)
}
