/** The records of a file; what is read, counted and digested of one that is gzipped is the plain content. */
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../problems.ts'
import type { RecordStream } from '../plain-records.ts'
import type { OnProgress, TableReading } from '../source.ts'
import { type FileForm, tableNameOf } from '../source-files.ts'
import { tableColumns } from '../tables/table-records.ts'
import type { TableRow, TableRows } from '../tables/table-rows.ts'
import { columnsIn, recordsOfTable } from '../tables/table-stream.ts'
import { codeOf, type FilePart, oddityIn, type SourceFile } from './files.ts'
import { oddityOf } from './first-bytes.ts'
import { recordsOfLines } from './lines.ts'
import type { GroupReader } from './parquet-rows.ts'
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

/** The parts of a file, each with its progress as one of the file. */
function* inTurn({ parts }: SourceFile, onProgress: OnProgress | undefined) {
  const all = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) || 1
  let before = 0
  for (const part of parts) {
    const start = before
    const within = (share: number) => onProgress?.((start + share * part.sizeBytes) / all)
    yield { part, onProgress: within }
    before += part.sizeBytes
  }
}

const newline = 0x0a

/** A file in a folder of parts that does not end in a line end gets one. */
async function* chunksOf(
  file: SourceFile,
  whole: OnProgress | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  for (const { part, onProgress } of inTurn(file, whole)) {
    let last: number | undefined = newline
    for await (const chunk of chunksOfPart(part, file.form, onProgress)) {
      last = chunk.at(-1)
      yield chunk
    }
    if (last !== newline && part.path !== file.path) yield Buffer.from('\n')
  }
}

const plainChunkBytes = 1 << 18

/** @throws Refusal `source-unreadable` naming a file that cannot be read or is no whole gzip. */
async function* chunksOfPart(
  part: FilePart,
  form: FileForm,
  onProgress: OnProgress,
): AsyncGenerator<Buffer, void, undefined> {
  const { path, sizeBytes } = part
  const gzipped = /\.gz$/i.test(path)
  let read = 0
  async function* counted(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of storedChunks(part)) {
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
      onProgress(read / sizeBytes)
    }
  } catch (error) {
    const isOwn = error instanceof Refusal || codeOf(error) === undefined
    throw isOwn ? error : unreadable(path, error)
  }
  if (gzipped && read === 0) throw unreadable(path, new Error('it is empty'))
}

/**
 * The modules that read tables are loaded only if there is one.
 * @throws Refusal `source-unreadable` for a part with other columns than the first.
 */
async function* rowsOf(file: SourceFile, whole: OnProgress | undefined): TableRows {
  const isParquet = file.form === 'parquet'
  const groups = isParquet ? (await import('./parquet-rows.ts')).newGroupReader() : undefined
  let header: string | undefined
  try {
    for (const { part, onProgress } of inTurn(file, whole)) {
      let isBegun = false
      for await (const rows of rowsOfPart(file, part, groups, onProgress)) {
        if (isBegun || rows.length === 0) {
          yield rows
          continue
        }
        isBegun = true
        const columns = JSON.stringify(rows[0])
        header ??= columns
        if (header !== columns) {
          const reason = `${part.path} has other columns than the first part: ${columns}, not ${header}`
          throw new Refusal('source-unreadable', reason)
        }
        yield part === file.parts[0] ? rows : rows.slice(1)
      }
    }
  } finally {
    await groups?.close()
  }
}

async function* rowsOfPart(
  { name, map }: SourceFile,
  part: FilePart,
  groups: GroupReader | undefined,
  onProgress: OnProgress,
): TableRows {
  const { path } = part
  if (groups === undefined) {
    const { csvRows } = await import('../tables/csv-rows.ts')
    const isTabbed = /\.(?:tsv|tab)(?:\.gz)?$/i.test(path)
    const form = { table: tableNameOf(name), encoding: map?.encoding ?? '', isTabbed }
    yield* csvRows(path, chunksOfPart(part, 'csv', onProgress), form)
    return
  }
  const oddity = await oddityIn(part, 'parquet')
  if (oddity !== undefined) throw new Refusal('source-unreadable', `${path} ${oddity}`)
  const { parquetRows } = await import('./parquet-rows.ts')
  yield* parquetRows(groups, part, onProgress)
}
