/** The records of a file; what is read, counted and digested of one that is gzipped is the plain content. */
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../problems.ts'
import type { RecordStream } from '../plain-records.ts'
import type { OnProgress, TableReading } from '../source.ts'
import { tableColumns } from '../tables/table-records.ts'
import type { TableRow, TableRows } from '../tables/table-rows.ts'
import { columnsIn, recordsOfTable } from '../tables/table-stream.ts'
import { codeOf, oddityIn, type SourceFile } from './files.ts'
import { oddityOf } from './first-bytes.ts'
import { recordsOfLines } from './lines.ts'
import { storedChunks } from './stored-files.ts'
import { unreadable } from './unreadable.ts'

export function recordsOf(file: SourceFile): RecordStream {
  const { name, form, path, map } = file
  if (form === 'ndjson') {
    const chunks = (onProgress: OnProgress | undefined) => chunksOf(file, onProgress)
    return recordsOfLines(chunks, ({ number }) => `${name}:${number}`)
  }
  const rows = (onProgress: OnProgress | undefined) => rowsOf(file, onProgress)
  return recordsOfTable({ path, place: basename(path), file: name, map, rows })
}

/** Rows by which a map is proposed, and characters of them. */
const sampleRowsMax = 20_000
const sampleCharactersMax = 1 << 26

export async function tableReadingsOf(file: SourceFile): Promise<readonly TableReading[]> {
  if (file.form === 'ndjson') return []
  const { proposedMap } = await import('../tables/proposed-map.ts')
  const rows: TableRow[] = []
  let characters = 0
  for await (const piece of rowsOf(file, undefined)) {
    for (const row of piece) {
      rows.push(row)
      characters += String(row).length
    }
    if (rows.length > sampleRowsMax || characters > sampleCharactersMax) break
  }
  const [header, ...sample] = rows
  if (header === undefined) return []
  const table = tableColumns(file.path, file.name, columnsIn(file.path, header), file.map)
  const { unread, missing } = table
  const proposed = proposedMap(file.name, table, sample)
  return [{ file: basename(file.path), unread, missing, proposed }]
}

const plainChunkBytes = 1 << 18

/** @throws Refusal `source-unreadable` naming a file that cannot be read or is no whole gzip. */
async function* chunksOf(
  file: SourceFile,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const { path, sizeBytes, form } = file
  const gzipped = /\.gz$/i.test(path)
  let read = 0
  async function* counted(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of storedChunks(file)) {
      read += chunk.length
      yield chunk
    }
  }
  // An error of either reaches the loop through the last one; the callback only says so.
  const plain = gzipped
    ? pipeline(counted(), createGunzip({ chunkSize: plainChunkBytes }), () => {})
    : counted()
  let isFirst = true
  try {
    for await (const chunk of plain) {
      const oddity = isFirst ? oddityOf(chunk, form) : undefined
      if (oddity !== undefined) throw new Refusal('source-unreadable', `${path} ${oddity}`)
      isFirst = false
      yield chunk
      onProgress?.(read / sizeBytes)
    }
  } catch (error) {
    const isOwn = error instanceof Refusal || codeOf(error) === undefined
    throw isOwn ? error : unreadable(path, error)
  }
  if (gzipped && read === 0) throw unreadable(path, new Error('it is empty'))
}

/** The modules that read tables are loaded only if there is one. */
async function* rowsOf(file: SourceFile, onProgress: OnProgress | undefined): TableRows {
  const { form, path, map } = file
  if (form === 'csv') {
    const { csvRows } = await import('../tables/csv-rows.ts')
    const isTabbed = /\.(?:tsv|tab)(?:\.gz)?$/i.test(path)
    yield* csvRows(chunksOf(file, onProgress), { encoding: map?.encoding ?? '', isTabbed })
    return
  }
  const oddity = await oddityIn(file, 'parquet')
  if (oddity !== undefined) throw new Refusal('source-unreadable', `${path} ${oddity}`)
  const { parquetRows } = await import('./parquet-rows.ts')
  yield* parquetRows(file, onProgress)
}
