/**
 * Copies of a file of SQLite. A copy is one file without a `-wal`, so a directory that is read-only gives it back, too.
 */
import { existsSync } from 'node:fs'
import { Refusal } from '../../../problems.ts'
import type { RunStatement } from '../port.ts'
import { Connection, isBusy, refusalOf } from './connection.ts'

/** A copy is read as it lies: `journal_mode=wal` would write to it. */
const settings = 'pragma trusted_schema=off; pragma cache_size=-65536'

/** @throws Refusal, also `ledger-corrupt` where it is damaged; and any error of `work`. */
export async function withReader<T>(
  path: string,
  clock: () => number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined
  try {
    connection = new Connection({ path, clock, settings, readOnly: true })
    return await work(connection)
  } catch (error) {
    throw refusalOf(path, error)
  } finally {
    await connection?.close()
  }
}

/** What SQLite itself finds wrong in a file, a line each: in its pages, and rows that refer to none. */
export async function damagesIn(query: RunStatement): Promise<string[]> {
  const found = await query<{ quick_check: string }>('pragma quick_check')
  const strays = await query<{ child: string; parent: string; rows: number }>(
    `select "table" as child, parent, count(*) as rows from pragma_foreign_key_check group by 1, 2`,
  )
  return [
    ...found.map(({ quick_check: line }) => line).filter((line) => line !== 'ok'),
    ...strays.map(({ child, parent, rows }) => `${rows} rows of ${child} belong to no ${parent}`),
  ]
}

/**
 * Afterwards the file is all that there is. @returns false where it is damaged.
 * @throws Refusal `ledger-refused` where another process has it open.
 */
export async function foldWal(path: string, clock: () => number): Promise<boolean> {
  try {
    const connection = new Connection({ path, clock, settings })
    try {
      connection.exec('pragma journal_mode=delete')
    } finally {
      await connection.close()
    }
    return !existsSync(`${path}-wal`)
  } catch (error) {
    if (isBusy(error)) {
      throw new Refusal('ledger-refused', `another process has the ledger at ${path} open`)
    }
    return false
  }
}
