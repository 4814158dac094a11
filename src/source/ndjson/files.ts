/**
 * The files of a source folder, on a disk or in a bucket. A file may be gzipped; what is read,
 * counted and digested is always the plain content.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../problems.ts'
import { isBucketAddress } from '../../storage-addresses.ts'
import type { RecordStream } from '../plain-records.ts'
import type { OnProgress, Stamp, TableReading } from '../source.ts'
import {
  type FileForm,
  fileForms,
  formOf,
  type SourceFileName,
  sourceFiles,
  tableNameOf,
} from '../source-files.ts'
import type { FieldMap, TableMap } from '../tables/table-map.ts'
import { tableColumns } from '../tables/table-records.ts'
import type { TableRow, TableRows } from '../tables/table-rows.ts'
import { columnsIn, recordsOfTable } from '../tables/table-stream.ts'
import { oddityOf, tellingBytes } from './first-bytes.ts'
import { recordsOfLines } from './lines.ts'
import { type FileObject, findObject, type ObjectBytes, openObject } from './object-files.ts'
import type { GroupReader } from './parquet-thread.ts'
import { chunksOfParts, partPaths, rowsOfParts } from './parts.ts'
import { unreadable } from './unreadable.ts'

export interface SourceFile {
  readonly name: SourceFileName
  readonly form: FileForm
  readonly map?: FieldMap
  readonly path: string
  readonly gzipped: boolean
  readonly sizeBytes: number
  /** Differs once the file was written or replaced. */
  readonly version: string
  readonly object?: FileObject
  readonly parts?: readonly SourceFile[]
}

const chunkBytes = 1 << 18

/**
 * Only the file of the authorities has to be there; the path of a file means that file alone.
 * @throws Refusal `source-unreadable` where it is not, or where a file is there in two forms;
 * `wrong-usage` for a map that is wrong.
 */
export async function findFiles(directory: string, mapPath = ''): Promise<readonly SourceFile[]> {
  const found = (await singleFile(directory)) ?? (await filesIn(directory))
  const isPlain = found.every(({ form }) => form === 'ndjson')
  if (isPlain && mapPath === '') return found
  const { readTableMap } = await import('../tables/table-map.ts')
  const map: TableMap = mapPath === '' ? new Map() : await readTableMap(mapPath)
  if (isPlain) throw new Refusal('wrong-usage', `${directory} has no table that a map could be of`)
  return found.map((file) => withMap(file, map.get(tableNameOf(file.name))))
}

/** A table is another one with another map. */
function withMap(file: SourceFile, map: FieldMap | undefined): SourceFile {
  if (file.form === 'ndjson' || map === undefined) return file
  const digest = createHash('sha256')
    .update(JSON.stringify([map.encoding, ...map.fields]))
    .digest('hex')
  return { ...file, map, version: [file.version, digest].join() }
}

async function singleFile(path: string): Promise<SourceFile[] | undefined> {
  if (isBucketAddress(path)) return undefined
  const read = formOf(path)
  if (read === undefined) {
    await refuseOther(path)
    return undefined
  }
  const file = await fileAt(path, { name: 'authorities.ndjson', ...read })
  if (file === undefined) throw new Refusal('source-unreadable', `${path} is not there`)
  return [file]
}

/** Refuses a file whose name says no form, with what it looks like. */
async function refuseOther(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile) throw new Refusal('source-unreadable', `${path} ${await kindOf(path, undefined)}`)
}

async function kindOf(path: string, form: FileForm | undefined): Promise<string | undefined> {
  const handle = await open(path).catch((error) => {
    throw unreadable(path, error)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tellingBytes), 0, tellingBytes, 0)
    return oddityOf(buffer.subarray(0, bytesRead), form)
  } finally {
    await handle.close()
  }
}

async function filesIn(directory: string): Promise<SourceFile[]> {
  const found = await Promise.all(sourceFiles.map((name) => findForms(directory, name)))
  const files = found.flatMap(([first, second]) => {
    if (first === undefined) return []
    if (second === undefined) return [first]
    const also = basename(second.path)
    throw new Refusal('source-unreadable', `${first.path} is there and ${also} too: keep one`)
  })
  await refuseMisspelt(directory, files)
  if (files[0]?.name !== 'authorities.ndjson') {
    throw new Refusal('source-unreadable', `${directory} holds no authorities.ndjson`)
  }
  return files
}

async function findForms(directory: string, name: SourceFileName): Promise<SourceFile[]> {
  const base = tableNameOf(name)
  const endings = Object.values(fileForms).flat()
  // Notes beside a source are called so; and each look at an object is a request that costs money.
  const looks = endings
    .filter((ending) => !/\.(?:tab|txt)$/.test(ending))
    .map((ending) => {
      const facts = { name, ...formOf(ending)! }
      return isBucketAddress(directory)
        ? objectAt(directory, `${base}${ending}`, facts)
        : fileAt(join(directory, `${base}${ending}`), facts)
    })
  return (await Promise.all(looks)).filter((file) => file !== undefined)
}

type NamedForm = Pick<SourceFile, 'name' | 'form' | 'gzipped'>

async function objectAt(address: string, key: string, facts: NamedForm) {
  const found = await findObject(address, key)
  return found && { ...facts, ...found }
}

async function fileAt(path: string, facts: NamedForm): Promise<SourceFile | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return await partedFile(path, facts)
    const { size: sizeBytes, dev, ino, mtimeMs } = found
    // A pipe or a device may have no end, and would keep the sync and its lock for ever.
    if (!found.isFile()) {
      const reason = 'it is a pipe or a device, not a file'
      throw new Refusal('source-unreadable', `${path} cannot be read: ${reason}`)
    }
    return { ...facts, path, sizeBytes, version: [dev, ino, sizeBytes, mtimeMs].join() }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (codeOf(error) !== 'ENOENT') throw unreadable(path, error)
    if (!(await isLink(path))) return undefined
    throw new Refusal('source-unreadable', `${path} is a link to a file that is not there`)
  }
}

async function partedFile(path: string, facts: NamedForm): Promise<SourceFile> {
  const paths = await partPaths(path, facts.form)
  const found = await Promise.all(
    paths.map((part) => fileAt(part, { name: facts.name, ...formOf(part)! })),
  )
  const parts = found.filter((part) => part !== undefined)
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  const version = parts.map((part) => `${part.path} ${part.version}`).join()
  return { ...facts, gzipped: false, path, sizeBytes, version, parts }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

const nearName =
  /^(authorit|connection|correction|topic)(?:y|ies|s)?\.(?:ndjson|jsonl?|csv|tsv|xlsx?|parquet)(?:\.gz)?$/i

async function refuseMisspelt(directory: string, files: readonly SourceFile[]): Promise<void> {
  if (isBucketAddress(directory)) return
  const names: string[] = await readdir(directory).catch(() => [])
  for (const name of names) {
    const begins = nearName.exec(name)?.[1]?.toLowerCase()
    const meant = begins && sourceFiles.find((each) => each.startsWith(begins))
    if (meant === undefined || meant === '' || files.some((file) => file.name === meant)) continue
    const place = join(directory, name)
    throw new Refusal('source-unreadable', `${place} is no file of a source: is it ${meant}?`)
  }
}

/** @throws Refusal `source-unreadable` naming a file that cannot be read or is no whole gzip. */
async function* readChunks(
  file: SourceFile,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  if (file.parts !== undefined) {
    yield* chunksOfParts(file.parts, readChunks, onProgress)
    return
  }
  const { stream, bytesRead } = await openBytes(file)
  // An error of either stream reaches the loop through the last one; the callback only says so.
  const plain = file.gzipped
    ? pipeline(stream, createGunzip({ chunkSize: chunkBytes }), () => {})
    : stream
  let isFirst = true
  try {
    for await (const chunk of plain) {
      const oddity = isFirst ? oddityOf(chunk, file.form) : undefined
      if (oddity !== undefined) throw new Refusal('source-unreadable', `${file.path} ${oddity}`)
      isFirst = false
      yield chunk
      onProgress?.(bytesRead() / file.sizeBytes)
    }
  } catch (error) {
    const isOwn = error instanceof Refusal || codeOf(error) === undefined
    throw isOwn ? error : unreadable(file.path, error)
  }
  if (file.gzipped && bytesRead() === 0) throw unreadable(file.path, new Error('it is empty'))
}

async function openBytes({ path, object }: SourceFile): Promise<ObjectBytes> {
  if (object !== undefined) return openObject(object)
  const stream = createReadStream(path, { highWaterMark: chunkBytes })
  return { stream, bytesRead: () => stream.bytesRead }
}

export function recordsOf(file: SourceFile): RecordStream {
  const { name, form, path, map } = file
  if (form === 'ndjson') {
    const chunks = (onProgress: OnProgress | undefined) => readChunks(file, onProgress)
    return recordsOfLines(chunks, ({ number }) => `${name}:${number}`)
  }
  const rows = (onProgress: OnProgress | undefined) => rowsOf(file, onProgress)
  return recordsOfTable({ path, place: basename(path), file: name, map, rows })
}

/** Rows by which a map is proposed. */
const sampleRowsMax = 20_000

export async function tableReadingOf(file: SourceFile): Promise<TableReading | undefined> {
  if (file.form === 'ndjson') return undefined
  const { proposedMap } = await import('../tables/proposed-map.ts')
  const rows: TableRow[] = []
  for await (const piece of rowsOf(file, undefined)) {
    for (const row of piece) rows.push(row)
    if (rows.length > sampleRowsMax) break
  }
  const [header, ...sample] = rows
  if (header === undefined) return undefined
  const table = tableColumns(file.path, file.name, columnsIn(file.path, header), file.map)
  const { unread, missing } = table
  const proposed = proposedMap(file.name, table, sample)
  return { file: basename(file.path), unread, missing, proposed }
}

/** The modules that read tables are loaded only if there is one. */
async function* rowsOf(file: SourceFile, onProgress: OnProgress | undefined): TableRows {
  if (file.form === 'csv') {
    yield* rowsIn(file, onProgress, undefined)
    return
  }
  const { newGroupReader } = await import('./parquet-thread.ts')
  const reader = newGroupReader()
  try {
    yield* rowsIn(file, onProgress, reader)
  } finally {
    await reader.close()
  }
}

async function* rowsIn(
  file: SourceFile,
  onProgress: OnProgress | undefined,
  reader: GroupReader | undefined,
): TableRows {
  const { path, parts } = file
  if (parts !== undefined) {
    yield* rowsOfParts(parts, (part, onPart) => rowsIn(part, onPart, reader), onProgress)
    return
  }
  if (reader === undefined) {
    const { csvRows } = await import('../tables/csv-rows.ts')
    const form = {
      table: tableNameOf(file.name),
      encoding: file.map?.encoding ?? '',
      isTabbed: /\.(?:tsv|tab)(?:\.gz)?$/i.test(path),
    }
    yield* csvRows(path, readChunks(file, onProgress), form)
    return
  }
  const oddity = file.object === undefined ? await kindOf(path, 'parquet') : undefined
  if (oddity !== undefined) throw new Refusal('source-unreadable', `${path} ${oddity}`)
  const { parquetRows } = await import('./parquet-rows.ts')
  yield* parquetRows(reader, file, onProgress)
}

type FileDigests = ReadonlyMap<SourceFileName, string>

/**
 * What `sha256sum authorities.ndjson … topics.ndjson | sha256sum` prints, of the files that are
 * there, unpacked.
 */
export function combineDigests(digests: FileDigests): string {
  const listing = sourceFiles
    .filter((name) => digests.has(name))
    .map((name) => `${digests.get(name)}  ${name}\n`)
  return createHash('sha256').update(listing.join('')).digest('hex')
}

/** By the directory entries of all files. */
export function stampOf(files: readonly SourceFile[]): Stamp {
  return {
    version: files.map(({ path, version }) => `${path} ${version}`).join('\n'),
    extent: files.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`).join('\n'),
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
