/**
 * The rows of a Parquet file, one row group after the other: memory is that of the largest group, unless an engine
 * scans the file by smaller pieces. All compressions that Parquet has are read.
 */
import { type AsyncBuffer, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Refusal } from '../../problems.ts'
import type { OnProgress } from '../source.ts'
import type { CellRows } from './table-rows.ts'

/** Gives the first rows of a file with such columns, as many as it can, with the cells that this reader gives. */
type Scan<Piece> = (columns: readonly string[]) => AsyncIterable<Piece>

/**
 * Reads a Parquet file.
 * @param place what it is called in messages.
 * @param file its bytes, of which any part can be read.
 * @param onProgress is called after each row group, or piece of a scan.
 * @param scan reads the rows in the place of this reader, which goes on behind the last of them.
 * @throws Refusal `source-unreadable` for what is no Parquet file, or a damaged one.
 */
export async function* parquetRows<Piece extends { readonly length: number } = CellRows>(
  place: string,
  file: AsyncBuffer,
  onProgress?: OnProgress,
  scan?: Scan<Piece>,
): AsyncGenerator<CellRows | Piece, void, undefined> {
  const orUnreadable = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      const { message } = error as Error
      throw new Refusal('source-unreadable', `${place} cannot be read: ${message}`)
    })
  const metadata = await orUnreadable(parquetMetadataAsync(file))
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name)
  yield [columns]
  let done = 0
  const advance = (rows: number) => {
    done += rows
    onProgress?.(done / Number(metadata.num_rows))
  }
  // Times of 96 bits are finer than a scan tells, and nothing can be scanned without a column.
  const isScanned = columns.length > 0 && metadata.schema.every(({ type }) => type !== 'INT96')
  for await (const rows of (isScanned && scan?.(columns)) || []) {
    yield rows
    advance(rows.length)
  }
  let rowEnd = 0
  for (const { num_rows: rows } of metadata.row_groups) {
    rowEnd += Number(rows)
    const rowStart = done
    if (rowEnd <= rowStart) continue
    yield await orUnreadable(
      new Promise<unknown[][]>((onComplete, reject) => {
        parquetRead({ file, metadata, rowStart, rowEnd, compressors, onComplete }).catch(reject)
      }),
    )
    advance(rowEnd - rowStart)
  }
}
