/**
 * A file of a directory that is fetched from object storage: `<name>.partial` grows member by member, and
 * `<name>.partial.json` says which object it is of and how far it is. So a fetch that ends, for whatever
 * reason, is gone on with. When it has its length and its SHA-256, it is whole, and may be given its name.
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { MemberDamage, unpackMembers } from '../../objects/gzip-members.ts'
import type { ReadableObjects } from '../../objects/object-store.ts'
import { type RetryPolicy, readWithResume } from '../../objects/read-with-resume.ts'
import { objectDamaged, storageUnreachable } from '../../objects/storage-refusals.ts'
import { Refusal } from '../../problems.ts'
import { syncFile } from '../../process/sync-file.ts'
import { anyNumber, anyText, objectOf } from '../../reading/readers.ts'
import { asJson, readStored, writeDurably } from '../../snapshot/store/state-file.ts'
import { isSystemError } from '../../snapshot/store/system-errors.ts'
import type { FileFacts } from './layout.ts'

/** The suffix of a file's name while it is fetched. */
export const partialSuffix = '.partial'
/** The suffix of the file that holds its progress. */
const progressSuffix = `${partialSuffix}.json`

/** The object to fetch, and its place. */
export interface Fetch extends FileFacts {
  readonly store: ReadableObjects
  readonly key: string
  /** Final path of the file. */
  readonly path: string
  readonly steadiness: RetryPolicy
  /** Called with the bytes that are here, of `bytes`, and how many came since the last call. */
  readonly onProgress: (done: number, came: number) => void
  /** Called with the ETag of the object that is being read. */
  readonly onObject?: (etag: string) => void
}

/** Position of a fetch: the object, and the next member's offset in it (`packed`) and in the file (`plain`), bytes. */
interface Reached {
  readonly etag: string
  readonly packed: number
  readonly plain: number
}

const progressForm = asJson<Reached>(
  objectOf({ etag: anyText, packed: anyNumber, plain: anyNumber }),
)
const nothing: Reached = { etag: '', packed: 0, plain: 0 }

/**
 * Fetches a file, or what is missing of it; afterwards `put` gives it its name. Does nothing where the
 * file is there and whole.
 * @throws Refusal `object-damaged` when the object is missing, or is not what it should be, which is then
 * begun anew the next time; `storage-unreachable`, `storage-refused`; `store-refused` when the disk has
 * not the room, of which it takes none then; what the file system throws.
 */
export async function fetchFile(fetch: Fetch): Promise<void> {
  const { path, bytes, sha256, store, key } = fetch
  if (await isFile(path, fetch)) return removePartial(path)
  const partial = `${path}${partialSuffix}`
  if (!hasRoom(path, bytes)) {
    removePartial(path)
    const problem = `no room for ${basename(path)}, which takes ${bytes} bytes`
    throw new Refusal('store-refused', `${dirname(path)}: ${problem}`)
  }
  const file = await open(partial, existsSync(partial) ? 'r+' : 'w+')
  try {
    const reached = await reachedBefore(file, fetch)
    fetch.onObject?.(reached.etag)
    const hash = await hashOf(partial, reached.plain)
    const plain =
      reached.plain < bytes ? await fetchRest(file, fetch, reached, hash) : reached.plain
    if (plain === bytes && hash.digest('hex') === sha256) return
    throw objectDamaged(`${store.name}/${key}`, 'its content is not what was announced')
  } catch (error) {
    // Of no use where it is damaged; in the way of all others where the disk is full.
    if (isDamage(error) || isFull(error)) removePartial(path)
    throw error
  } finally {
    await file.close()
  }
}

function isDamage(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'object-damaged'
}

function isFull(error: unknown): boolean {
  return isSystemError(error) && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** Bytes for the small files that are written with a file. */
const roomBeside = 1 << 18

/** Whether the disk has room for a file, of which a part may be there. */
function hasRoom(path: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  const there = statSync(`${path}${partialSuffix}`, { throwIfNoEntry: false })?.size ?? 0
  return bavail * bsize + there >= bytes + roomBeside
}

/** Whether a file was fetched, and has not its name yet. */
export function isWaiting(path: string): boolean {
  return existsSync(`${path}${partialSuffix}`)
}

/** Gives a file that was fetched its name, durably; does nothing where it has it. */
export function putFile(path: string): void {
  if (!isWaiting(path)) return
  renameSync(`${path}${partialSuffix}`, path)
  rmSync(`${path}${progressSuffix}`, { force: true })
  syncFile(dirname(path))
}

function removePartial(path: string): void {
  for (const suffix of [partialSuffix, progressSuffix]) rmSync(`${path}${suffix}`, { force: true })
}

/** Whether a file is there that is this one. */
async function isFile(path: string, { bytes, sha256 }: FileFacts): Promise<boolean> {
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return false
  return (await hashOf(path, bytes)).digest('hex') === sha256
}

/** The SHA-256 of a file, which is read once, a piece at a time. */
export async function factsOfFile(path: string): Promise<FileFacts> {
  const { size } = statSync(path)
  return { bytes: size, sha256: (await hashOf(path, size)).digest('hex') }
}

/** The hash of the first bytes of a file. */
async function hashOf(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256')
  if (bytes === 0) return hash
  for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 })) {
    hash.update(chunk)
  }
  return hash
}

/** Position that an earlier fetch of the file noted; the file is cut to it. */
async function reachedBefore(file: FileHandle, fetch: Fetch): Promise<Reached> {
  // Without one that can be read the fetch begins anew.
  const noted = readStored(`${fetch.path}${progressSuffix}`, progressForm).value ?? nothing
  const { size } = await file.stat()
  const reached = noted.plain <= Math.min(size, fetch.bytes) ? noted : nothing
  await file.truncate(reached.plain)
  return reached
}

/** Fetches what is missing; returns how long the file is then. */
async function fetchRest(
  file: FileHandle,
  fetch: Fetch,
  before: Reached,
  hash: Hash,
): Promise<number> {
  const { store, key, path, bytes, steadiness, onProgress } = fetch
  const place = `${store.name}/${key}`
  const wanted = before.packed > 0 ? { from: before.packed, ifMatch: before.etag } : {}
  const opened = await readWithResume(store, key, wanted, steadiness)
  if (opened.kind === 'missing') throw objectDamaged(place, 'it is not there')
  if (opened.kind === 'changed') {
    removePartial(path)
    throw storageUnreachable(place, 'was replaced since it was begun to be fetched')
  }
  const { etag } = opened.facts
  fetch.onObject?.(etag)
  let { packed, plain } = before
  onProgress(plain, 0)
  try {
    for await (const member of unpackMembers(opened.chunks)) {
      if (plain + member.plain.length > bytes) throw new MemberDamage('it is longer than announced')
      await writeAll(file, member.plain, plain)
      await file.datasync()
      hash.update(member.plain)
      packed += member.packedBytes
      plain += member.plain.length
      const reached: Reached = { etag, packed, plain }
      writeDurably(
        dirname(path),
        basename(`${path}${progressSuffix}`),
        progressForm.encode(reached),
      )
      onProgress(plain, member.packedBytes)
    }
  } catch (error) {
    throw error instanceof MemberDamage ? objectDamaged(place, error.message) : error
  }
  return plain
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}
