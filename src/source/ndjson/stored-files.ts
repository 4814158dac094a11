/**
 * The bytes of source files, on a disk or in a bucket. A read of an object is of one version, and ends if that is replaced.
 */
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBucket } from '../../objects/object-address.ts'
import type { ObjectRange } from '../../objects/object-store.ts'
import { readWithResume } from '../../objects/read-with-resume.ts'
import { Refusal } from '../../problems.ts'
import { unreadable } from './unreadable.ts'

export interface StoredFile {
  readonly path: string
  readonly sizeBytes: number
  readonly object?: FileObject
}

interface FileObject {
  readonly address: string
  readonly key: string
  readonly etag: string
}

export async function findObject(address: string, key: string) {
  try {
    const store = await openBucket(address)
    const facts = await store.head(key)
    if (facts === undefined) return undefined
    const { bytes: sizeBytes, etag, modifiedMs } = facts
    const object = { address, key, etag }
    const version = [etag, sizeBytes, modifiedMs].join()
    return { path: `${store.name}/${key}`, sizeBytes, version, object }
  } catch (error) {
    throw asOfSource(error)
  }
}

/** Some bytes of a file. @throws Refusal `source-unreadable`, also if it is shorter. */
export async function readRange(file: StoredFile, from: number, to: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(to - from)
  if (from === to) return bytes.buffer
  let length = 0
  try {
    for await (const chunk of storedChunks(file, { from, to })) {
      bytes.set(chunk, length)
      length += chunk.length
    }
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable(file.path, error)
  }
  if (length < bytes.length) throw unreadable(file.path, new Error('it was cut while it was read'))
  return bytes.buffer
}

const chunkBytes = 1 << 18

/** @throws Refusal `source-unreadable` for an object; the errors of the file system. */
export function storedChunks(
  { path, object }: StoredFile,
  range: ObjectRange = {},
): AsyncIterable<Buffer> {
  if (object !== undefined) return objectChunks(object, range)
  const { from: start = 0, to = Number.POSITIVE_INFINITY } = range
  return createReadStream(path, { start, end: to - 1, highWaterMark: chunkBytes })
}

export async function* objectChunks(
  { address, key, etag }: FileObject,
  range: ObjectRange = {},
): AsyncGenerator<Buffer, void, undefined> {
  try {
    const store = await openBucket(address)
    const steadiness = { sleep, random: Math.random, report: () => {} }
    const opened = await readWithResume(store, key, { ...range, ifMatch: etag }, steadiness)
    if (opened.kind !== 'found') {
      const reason = `${store.name}/${key} was changed while it was read`
      throw new Refusal('source-unreadable', reason)
    }
    yield* opened.chunks
  } catch (error) {
    throw asOfSource(error)
  }
}

/** A refusal of the storage as one of the source; every other error as it is. */
function asOfSource(error: unknown): unknown {
  return error instanceof Refusal ? new Refusal('source-unreadable', error.message) : error
}
