/**
 * The rows of a Parquet file, one row group after the other: memory is that of the largest group. All
 * compressions that Parquet has are read.
 */
import { type AsyncBuffer, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Refusal } from '../../problems.ts'
import type { OnProgress } from '../source.ts'
import type { TableRows } from './table-rows.ts'

/**
 * Reads a Parquet file.
 * @param place what it is called in messages.
 * @param file its bytes, of which any part can be read.
 * @param onProgress is called after each row group.
 * @throws Refusal `source-unreadable` for what is no Parquet file, or a damaged one.
 */
export async function* parquetRows(
  place: string,
  file: AsyncBuffer,
  onProgress?: OnProgress,
): TableRows {
  const orUnreadable = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      const { message } = error as Error
      throw new Refusal('source-unreadable', `${place} cannot be read: ${message}`)
    })
  const metadata = await orUnreadable(parquetMetadataAsync(file))
  yield [parquetSchema(metadata).children.map(({ element }) => element.name)]
  let rowStart = 0
  for (const { num_rows: rows } of metadata.row_groups) {
    if (rows === 0n) continue
    const rowEnd = rowStart + Number(rows)
    yield await orUnreadable(
      new Promise<unknown[][]>((onComplete, reject) => {
        parquetRead({ file, metadata, rowStart, rowEnd, compressors, onComplete }).catch(reject)
      }),
    )
    rowStart = rowEnd
    onProgress?.(rowEnd / Number(metadata.num_rows))
  }
}
