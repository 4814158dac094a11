/**
 * The rows of a Parquet file, one row group after the other: memory is that of the largest group. A group that is
 * damaged loses its rows, and no other: a page says neither where its rows end nor which of its bytes are wrong.
 */
import { Refusal } from '../../problems.ts'
import type { OnProgress } from '../source.ts'
import type { TableRows } from '../tables/table-rows.ts'
import type { ParquetFile } from './parquet-reader.ts'
import type { GroupReader } from './parquet-thread.ts'
import { unreadable } from './unreadable.ts'

/** @throws Refusal `source-unreadable` for what is no Parquet file, or one without its end. */
export async function* parquetRows(
  reader: GroupReader,
  file: ParquetFile,
  onProgress?: OnProgress,
): TableRows {
  const { columns, rows: counts } = await reader.open(file).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreadable(file.path, error)
  })
  yield [columns]
  const all = counts.reduce((sum, count) => sum + count, 0)
  let rowStart = 0
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue
    yield await reader.group({ rowStart, count }).catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      const reason = `cannot be read with row group ${index + 1}, which is damaged`
      const text = `rows ${rowStart + 1} to ${rowStart + count}: ${(error as Error).message}`
      return Array.from({ length: count }, () => ({ reason, text }))
    })
    rowStart += count
    onProgress?.(rowStart / all)
  }
}
