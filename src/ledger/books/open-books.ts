/** Opens a ledger for changes: the one in a directory, or the one in a database. */
import { join } from 'node:path'
import { Database, ofCommands } from '../sql/postgres/database.ts'
import { SqliteFile } from '../sql/sqlite/driver.ts'
import { ledgerFileName, refuseLmdb, refuseUnlessHeld } from '../sql/sqlite/held-file.ts'
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

/** Closes it in any case. @throws Refusal `ledger-refused`, `ledger-corrupt`, and any error of `use`. */
export async function withAdministration<T>(
  options: AdministrationOptions,
  use: (books: Books) => Promise<T>,
): Promise<T> {
  const books = await openBooks(options)
  try {
    return await use(books)
  } finally {
    await books.close()
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
