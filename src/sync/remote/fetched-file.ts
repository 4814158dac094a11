/**
 * A file that is fetched from object storage: `<name>.partial` grows part by part. A fetch that
 * ended, for whatever reason, goes on behind the parts that are there.
 */
import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { ReadableObjects } from '../../objects/object-store.ts'
import { type RetryPolicy, readWhole } from '../../objects/read-with-resume.ts'
import { objectDamaged } from '../../objects/storage-refusals.ts'
import { Refusal } from '../../problems.ts'
import { isStorageError, syncFile } from '../../process/sync-file.ts'
import {
  type FileParts,
  packedBytesMax,
  partStart,
  partsThere,
  unpackedPart,
} from './file-parts.ts'
import { partKey } from './layout.ts'

export const partialSuffix = '.partial'

export interface Fetch extends FileParts {
  readonly store: ReadableObjects
  readonly path: string
  readonly steadiness: RetryPolicy
  /** Called with the bytes that are here, and how many came since the last call. */
  readonly onProgress: (done: number, came: number) => void
  /** The ETag is '' where the object is not there. */
  readonly onObject?: (key: string, etag: string) => void
}

/**
 * Fetches what is missing of a file; afterwards `putFile` gives it its name.
 * @throws Refusal `object-damaged` when a part is missing or wrong: the next fetch begins anew;
 * `storage-unreachable`, `storage-refused`; `store-refused` when the disk has not the room, of
 * which it takes none then; what the file system throws.
 */
export async function fetchFile(fetch: Fetch): Promise<void> {
  const { path, bytes, parts } = fetch
  const isWhole = sizeOf(path) === bytes && (await partsThere(path, parts)) === parts.length
  if (isWhole) return removePartial(path)
  if (!hasRoom(path, bytes)) {
    removePartial(path)
    const problem = `no room for ${basename(path)}, which takes ${bytes} bytes`
    throw new Refusal('store-refused', `${dirname(path)}: ${problem}`)
  }
  try {
    await fetchMissing(fetch)
  } catch (error) {
    // Of no use where it is damaged; in the way of all others where the disk is full.
    const isDamaged = error instanceof Refusal && error.code === 'object-damaged'
    if (isDamaged || isFull(error)) removePartial(path)
    throw error
  }
}

async function fetchMissing(fetch: Fetch): Promise<void> {
  const { path, bytes, parts, onProgress } = fetch
  const partial = `${path}${partialSuffix}`
  const file = await open(partial, 'a')
  try {
    const there = await partsThere(partial, parts)
    let done = Math.min(partStart(there), bytes)
    await file.truncate(done)
    onProgress(done, 0)
    for (const sha256 of parts.slice(there)) {
      const { plain, packedBytes } = await fetchPart(fetch, sha256)
      await file.writeFile(plain)
      await file.datasync()
      done += plain.length
      onProgress(done, packedBytes)
    }
  } finally {
    await file.close()
  }
}

async function fetchPart({ store, steadiness, onObject }: Fetch, sha256: string) {
  const key = partKey(sha256)
  const place = `${store.name}/${key}`
  const read = await readWhole(store, key, packedBytesMax, steadiness)
  onObject?.(key, read?.facts.etag ?? '')
  if (read === undefined) throw objectDamaged(place, 'it is not there')
  const plain = unpackedPart(read.bytes, sha256)
  if (plain === undefined) throw objectDamaged(place, 'its content is not what was announced')
  return { plain, packedBytes: read.bytes.length }
}

function isFull(error: unknown): boolean {
  return isStorageError(error) && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** Bytes for the small files that are written with a file. */
const roomBeside = 1 << 18

function hasRoom(path: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize + sizeOf(`${path}${partialSuffix}`) >= bytes + roomBeside
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

export function isWaiting(path: string): boolean {
  return existsSync(`${path}${partialSuffix}`)
}

/** Durable when it returns. */
export function putFile(path: string): void {
  if (!isWaiting(path)) return
  renameSync(`${path}${partialSuffix}`, path)
  syncFile(dirname(path))
}

function removePartial(path: string): void {
  rmSync(`${path}${partialSuffix}`, { force: true })
}
