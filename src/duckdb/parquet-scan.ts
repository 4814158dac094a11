/**
 * The rows of a Parquet file as DuckDB reads them: by chunks, where another reader holds a row group. Only a file whose
 * columns all have readers is read, and reading ends without an error where DuckDB cannot go on.
 */
import { resolve } from 'node:path'
import { Refusal } from '../problems.ts'
import { ReadingDatabase } from './reading-database.ts'

/** Memory beyond which a scan has no use for more. */
const memoryBytesMax = 256 << 20

const scan = 'SELECT * FROM read_parquet($1, hive_partitioning = false)'

/**
 * The first rows of a file, and all of them unless DuckDB cannot read it: the reader that has a rule for everything goes
 * on behind them.
 * @param columns number of columns that the file says it has.
 * @throws Refusal `wrong-usage` where the package of DuckDB is missing.
 */
export async function* parquetScan(path: string, columns: number, memoryBytes: number) {
  const place = resolve(path)
  if (isPattern(place)) return
  const database = await ReadingDatabase.openNone(scanMemory(memoryBytes))
  try {
    const found = await database.columns(`${scan} LIMIT 0`, [place])
    if (found.length !== columns || !found.every(({ isReadable }) => isReadable)) return
    yield* database.rows(scan, [place])
  } catch (error) {
    endsQuietly(error)
  } finally {
    database.close()
  }
}

/** Whether DuckDB would look for the files of a pattern. */
export function isPattern(path: string): boolean {
  return /[*?[\\]/.test(path)
}

/** Memory of a scan where so much is given. */
export function scanMemory(memoryBytes: number): number {
  return Math.min(memoryBytes, memoryBytesMax)
}

/** Throws what is no error of DuckDB: a faulty file is named by the other reader. */
export function endsQuietly(error: unknown): void {
  if (error instanceof Refusal || error instanceof TypeError) throw error
}
