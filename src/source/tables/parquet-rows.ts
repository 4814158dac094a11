/**
 * The rows of a Parquet file, one row group after the other: memory is that of the largest group. All
 * compressions that Parquet has are read. A group that is damaged loses its rows, and no other: a page says neither
 * where its rows end nor which of its bytes are wrong.
 */
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Refusal } from '../../problems.ts'
import type { OnProgress } from '../source.ts'
import type { TableRow, TableRows } from './table-rows.ts'

/** Without the Snappy of the package, which never returns from some damaged pages; that of hyparquet refuses them. */
const { SNAPPY: _, ...decompressors } = compressors

/**
 * Reads a Parquet file.
 * @param place what it is called in messages.
 * @param file its bytes, of which any part can be read.
 * @param onProgress is called after each row group.
 * @throws Refusal `source-unreadable` for what is no Parquet file, or one without its end.
 */
export async function* parquetRows(
  place: string,
  file: AsyncBuffer,
  onProgress?: OnProgress,
): TableRows {
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    throw new Refusal('source-unreadable', `${place} cannot be read: ${(error as Error).message}`)
  })
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  yield [names]
  let rowStart = 0
  for (const [index, { num_rows: rows }] of metadata.row_groups.entries()) {
    const count = Number(rows)
    if (count === 0) continue
    yield await rowsOfGroup(file, metadata, rowStart, count).catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      const reason = `cannot be read with row group ${index + 1}, which is damaged`
      const text = `rows ${rowStart + 1} to ${rowStart + count}: ${(error as Error).message}`
      return Array.from({ length: count }, () => ({ reason, text }))
    })
    rowStart += count
    onProgress?.(rowStart / Number(metadata.num_rows))
  }
}

/** @throws Error for a group whose columns are not of one length. */
function rowsOfGroup(
  file: AsyncBuffer,
  metadata: FileMetaData,
  rowStart: number,
  count: number,
): Promise<readonly TableRow[]> {
  return new Promise((resolve, reject) => {
    const onComplete = (rows: unknown[][]) => {
      if (rows.length === count) resolve(rows)
      else reject(new Error(`it has ${rows.length} rows`))
    }
    const rowEnd = rowStart + count
    parquetRead({ file, metadata, rowStart, rowEnd, compressors: decompressors, onComplete }).catch(
      reject,
    )
  })
}
