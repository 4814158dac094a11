/**
 * The rows of a Parquet file as DuckDB reads them: by chunks, where another reader holds a row group. Only a file whose
 * columns all have readers is read, and reading ends without an error where DuckDB cannot go on.
 */
import { resolve } from 'node:path'
import { Refusal } from '../problems.ts'
import { type ReadColumn, ReadingDatabase } from './reading-database.ts'

/** Memory beyond which a scan has no use for more. */
const memoryBytesMax = 256 << 20

/** Statement of all rows of the file whose path is its only value. */
export const scan = scanOf()

/** The same, with another option. */
export function scanOf(option?: string): string {
  const options = ['$1', 'hive_partitioning = false', ...(option === undefined ? [] : [option])]
  return `SELECT * FROM read_parquet(${options.join(', ')})`
}

/**
 * The first rows of a file, and all of them unless DuckDB cannot read it: the reader that has a rule for everything goes
 * on behind them.
 * @param columns number of columns that the file says it has.
 * @throws Refusal `wrong-usage` where the package of DuckDB is missing.
 */
export function parquetScan(path: string, columns: number, memoryBytes: number) {
  return scanParquet(path, columns, memoryBytes, (database, place) => database.rows(scan, [place]))
}

/**
 * The same, read in a way of one's own.
 * @param read gets the path to read and the columns that DuckDB found, all of which have readers.
 */
export async function* scanParquet<Piece>(
  path: string,
  columns: number,
  memoryBytes: number,
  read: (
    database: ReadingDatabase,
    place: string,
    found: readonly ReadColumn[],
  ) => AsyncIterable<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  const place = resolve(path)
  // DuckDB would look for files of this pattern.
  if (/[*?[\\]/.test(place)) return
  const database = await ReadingDatabase.openNone(Math.min(memoryBytes, memoryBytesMax))
  try {
    const found = await database.columns(`${scan} LIMIT 0`, [place])
    if (found.length !== columns || !found.every(({ isReadable }) => isReadable)) return
    yield* read(database, place, found)
  } catch (error) {
    // Any other is of DuckDB, and a faulty file is named by the other reader.
    if (error instanceof Refusal || error instanceof TypeError) throw error
  } finally {
    database.close()
  }
}
