/**
 * The files of a source folder, on a disk or in a bucket: which there are, and their bytes. Each file
 * may be gzipped; what is read, counted and digested is always the plain content.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../problems.ts'
import type { OnProgress, Stamp } from '../source.ts'
import { oddityOf } from './first-bytes.ts'
import type { LineStream } from './lines.ts'
import {
  type FileObject,
  findObject,
  isInBucket,
  type ObjectBytes,
  openObject,
} from './object-files.ts'

/** The names of the files, in the order in which the digest lists them. */
export const sourceFiles = [
  'authorities.ndjson',
  'connections.ndjson',
  'corrections.ndjson',
  'topics.ndjson',
] as const

/** The name of a source file, without `.gz`. */
export type SourceFileName = (typeof sourceFiles)[number]

/** A file that is there. */
export interface SourceFile {
  readonly name: SourceFileName
  readonly path: string
  readonly gzipped: boolean
  /** Bytes on disk, compressed or not. */
  readonly sizeBytes: number
  /** Another one once the file was written, or another file was put in its place. */
  readonly version: string
  /** Which object it is, where it lies in a bucket. */
  readonly object?: FileObject
}

const chunkBytes = 1 << 18

/**
 * Finds the files of a source folder; only `authorities.ndjson` has to be there.
 * @throws Refusal `source-unreadable` where it is not, or where a file is there in both forms.
 */
export async function findFiles(directory: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = []
  for (const name of sourceFiles) {
    const plain = await findFile(directory, name, false)
    const gzipped = await findFile(directory, name, true)
    if (plain !== undefined && gzipped !== undefined) {
      throw new Refusal('source-unreadable', `${plain.path} is there and ${name}.gz too: keep one`)
    }
    const file = plain ?? gzipped
    if (file !== undefined) files.push(file)
  }
  await refuseMisspelt(directory, files)
  if (files[0]?.name !== 'authorities.ndjson') {
    throw new Refusal('source-unreadable', `${directory} holds no authorities.ndjson`)
  }
  return files
}

async function findFile(
  directory: string,
  name: SourceFileName,
  gzipped: boolean,
): Promise<SourceFile | undefined> {
  const fileName = gzipped ? `${name}.gz` : name
  if (isInBucket(directory)) {
    const found = await findObject(directory, fileName)
    return found && { name, gzipped, ...found }
  }
  const path = join(directory, fileName)
  try {
    const found = await stat(path)
    const { size: sizeBytes, dev, ino, mtimeMs } = found
    // What has no end, such as a pipe or a device, would keep the sync and its lock for ever.
    if (!found.isFile()) throw notRegular(path, found.isDirectory())
    return { name, path, gzipped, sizeBytes, version: [dev, ino, sizeBytes, mtimeMs].join() }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (codeOf(error) !== 'ENOENT') throw unreadable(path, error)
    if (!(await isLink(path))) return undefined
    throw new Refusal('source-unreadable', `${path} is a link to a file that is not there`)
  }
}

function notRegular(path: string, isDirectory: boolean): Refusal {
  const what = isDirectory ? 'a directory' : 'a pipe or a device'
  return new Refusal('source-unreadable', `${path} cannot be read: it is ${what}, not a file`)
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Names that are nearly those of source files. */
const nearName = /^(authorit|connection|correction|topic)(?:y|ies|s)?\.(?:ndjson|jsonl?)(?:\.gz)?$/i

/** @throws Refusal `source-unreadable` for a file of nearly the name of one that is not there. */
async function refuseMisspelt(directory: string, files: readonly SourceFile[]): Promise<void> {
  if (isInBucket(directory)) return
  const names: string[] = await readdir(directory).catch(() => [])
  for (const name of names) {
    const begins = nearName.exec(name)?.[1]?.toLowerCase()
    const meant = begins && sourceFiles.find((each) => each.startsWith(begins))
    if (meant === undefined || meant === '' || files.some((file) => file.name === meant)) continue
    const place = join(directory, name)
    throw new Refusal('source-unreadable', `${place} is no file of a source: is it ${meant}?`)
  }
}

/**
 * The plain bytes of a file, in chunks of at most 256 KiB; `onProgress` is called after each.
 * @throws Refusal `source-unreadable` naming a file that cannot be read or is no whole gzip.
 */
export async function* readChunks(
  file: SourceFile,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const { stream, bytesRead } = await openBytes(file)
  // An error of either stream reaches the loop through the last one; the callback only says so.
  const plain = file.gzipped
    ? pipeline(stream, createGunzip({ chunkSize: chunkBytes }), () => {})
    : stream
  let isFirst = true
  try {
    for await (const chunk of plain) {
      const oddity = isFirst ? oddityOf(chunk) : undefined
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

/** The lines of a file; a position is its name and the number of the line. */
export function linesOf(file: SourceFile): LineStream {
  return {
    chunks: (onProgress) => readChunks(file, onProgress),
    positionOf: (number) => `${file.name}:${number}`,
  }
}

/** Digests of files by name, each the SHA-256 of the plain content in hexadecimal. */
export type FileDigests = ReadonlyMap<SourceFileName, string>

/**
 * The SHA-256 over names and contents: what `sha256sum authorities.ndjson connections.ndjson
 * corrections.ndjson topics.ndjson | sha256sum` prints, of the files that are there, unpacked.
 */
export function combineDigests(digests: FileDigests): string {
  const listing = sourceFiles
    .filter((name) => digests.has(name))
    .map((name) => `${digests.get(name)}  ${name}\n`)
  return createHash('sha256').update(listing.join('')).digest('hex')
}

/**
 * The state of a source folder as its directory entries tell it.
 * @throws Refusal `source-unreadable` as `findFiles` does.
 */
export async function stampFolder(directory: string): Promise<Stamp> {
  const files = await findFiles(directory)
  return {
    version: files.map(({ path, version }) => `${path} ${version}`).join('\n'),
    extent: files.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`).join('\n'),
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

function unreadable(path: string, error: unknown): Refusal {
  return new Refusal('source-unreadable', `${path} cannot be read: ${(error as Error).message}`)
}
