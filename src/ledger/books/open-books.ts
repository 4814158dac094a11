/** Opens a ledger for changes: the one in a directory, or the one in a database. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import { Database, ofCommands } from '../sql/postgres/database.ts'
import { SqliteFile, walBytesMax } from '../sql/sqlite/driver.ts'
import {
  ledgerFileName,
  lockDirectory,
  refuseLmdb,
  refuseUnlessHeld,
} from '../sql/sqlite/held-file.ts'
import { Books } from './books.ts'
import { makeTables } from './schema.ts'
import type { Cause } from './trail.ts'

interface AdministrationOptions {
  /** The directory where it lies, unless it is a database. */
  readonly data: string
  /** The address of the database; null where there is none. */
  readonly ledger: string | null
  readonly clock: () => number
  readonly create?: boolean
  /** Author of changes in the audit log; an unnamed program if it is absent. */
  readonly cause?: Cause
}

const unnamed: Cause = { name: 'unnamed program', from: 'this computer' }

/**
 * Closes it in any case; a large `-wal` that no service writes into the file is written then.
 * @throws Refusal `ledger-refused`, `ledger-corrupt`, and any error of `use`.
 */
export async function withAdministration<T>(
  options: AdministrationOptions,
  use: (books: Books) => Promise<T>,
): Promise<T> {
  const books = await openBooks(options)
  try {
    return await use(books)
  } finally {
    await books.close()
    if (options.ledger === null) await checkpointUnlessServed(options)
  }
}

/** Under the lock of services: one that sells takes a write of others into its file for damage. */
async function checkpointUnlessServed({ data, clock }: AdministrationOptions): Promise<void> {
  const path = join(data, ledgerFileName)
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (wal === undefined || wal.size <= walBytesMax) return
  let lock: Lock | undefined
  try {
    lock = await lockDirectory(data)
    await new SqliteFile({ path, isService: true, clock }).close()
  } catch (error) {
    // A service has it, or the disk refuses: the change of the command is safe in the `-wal`.
    if (!(error instanceof Refusal)) throw error
  } finally {
    lock?.release()
  }
}

/** Makes missing tables of a database. @throws Refusal `ledger-refused`, `ledger-corrupt`. */
export async function openBooks(options: AdministrationOptions): Promise<Books> {
  const { ledger, cause = unnamed } = options
  const sql = ledger === null ? await openFile(options) : new Database(ledger, ofCommands)
  try {
    await makeTables(sql)
  } catch (error) {
    await sql.close()
    throw error
  }
  return new Books(sql, cause)
}

async function openFile({ data, clock, create }: AdministrationOptions): Promise<SqliteFile> {
  refuseLmdb(data)
  await refuseUnlessHeld(data)
  const path = join(data, ledgerFileName)
  return new SqliteFile({ path, isService: false, clock, create })
}
