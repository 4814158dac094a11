/** The files of a source folder, on a disk or in a bucket. */
import { createHash } from 'node:crypto'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Refusal } from '../../problems.ts'
import { isBucketAddress } from '../../storage-addresses.ts'
import type { Stamp } from '../source.ts'
import {
  type FileForm,
  fileForms,
  formOf,
  type SourceFileName,
  sourceFiles,
  tableNameOf,
} from '../source-files.ts'
import type { FieldMap, TableMap } from '../tables/table-map.ts'
import { oddityOf, tellingBytes } from './first-bytes.ts'
import { findObject, readRange, type StoredFile } from './stored-files.ts'
import { unreadable } from './unreadable.ts'

export interface SourceFile extends StoredFile {
  /** Differs once it was written or replaced. */
  readonly version: string
  readonly name: SourceFileName
  readonly form: FileForm
  readonly map?: FieldMap | undefined
}

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
  return found.map((file) =>
    file.form === 'ndjson' ? file : { ...file, map: map.get(tableNameOf(file.name)) },
  )
}

async function singleFile(path: string): Promise<SourceFile[] | undefined> {
  if (isBucketAddress(path)) return undefined
  const form = formOf(path)
  if (form === undefined) {
    await refuseOther(path)
    return undefined
  }
  const found = await lookAt(path)
  if (found === undefined) throw new Refusal('source-unreadable', `${path} is not there`)
  return [{ name: 'authorities.ndjson', form, ...found }]
}

/** Refuses a file whose name says no form, with what it looks like. */
async function refuseOther(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) return
  const oddity = await oddityIn({ path, sizeBytes: found.size }, undefined)
  throw new Refusal('source-unreadable', `${path} ${oddity}`)
}

export async function oddityIn(file: StoredFile, form: FileForm | undefined) {
  const bytes = await readRange(file, 0, Math.min(file.sizeBytes, tellingBytes))
  return oddityOf(new Uint8Array(bytes), form)
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
    .map(async (ending) => {
      const fileName = `${base}${ending}`
      const found = isBucketAddress(directory)
        ? await findObject(directory, fileName)
        : await lookAt(join(directory, fileName))
      return found && { name, form: formOf(fileName)!, ...found }
    })
  return (await Promise.all(looks)).filter((file) => file !== undefined)
}

/** Undefined where nothing is there. */
async function lookAt(path: string) {
  try {
    const found = await stat(path)
    // A pipe or a device may have no end, and would keep the sync and its lock for ever.
    if (!found.isFile()) {
      const kind = found.isDirectory() ? 'directory' : 'pipe or a device'
      const reason = `it is a ${kind}, not a file`
      throw new Refusal('source-unreadable', `${path} cannot be read: ${reason}`)
    }
    const { size: sizeBytes, dev, ino, mtimeMs } = found
    const version = [dev, ino, sizeBytes, mtimeMs].join()
    return { path, sizeBytes, version }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (codeOf(error) !== 'ENOENT') throw unreadable(path, error)
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (!isLink) return undefined
    throw new Refusal('source-unreadable', `${path} is a link to a file that is not there`)
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

/** By the directory entries of all files. A table is another one with another map. */
export function stampOf(files: readonly SourceFile[]): Stamp {
  const maps = files.map(({ map }) => map && JSON.stringify([map.encoding, ...map.fields]))
  return {
    version: [...files.map(({ path, version }) => `${path} ${version}`), ...maps].join('\n'),
    extent: files.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`).join('\n'),
  }
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
