/**
 * Source files in a bucket. A read is of one version of an object, and ends if that is replaced.
 */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBucket } from '../../objects/object-address.ts'
import type { ObjectRange } from '../../objects/object-store.ts'
import { readWithResume } from '../../objects/read-with-resume.ts'
import { Refusal } from '../../problems.ts'

export interface FileObject {
  readonly address: string
  readonly key: string
  readonly etag: string
}

export function findObject(address: string, key: string) {
  return orUnreadable(async () => {
    const store = await openBucket(address)
    const facts = await store.head(key)
    if (facts === undefined) return undefined
    const { bytes: sizeBytes, etag, modifiedMs } = facts
    const object = { address, key, etag }
    const version = [etag, sizeBytes, modifiedMs].join()
    return { path: `${store.name}/${key}`, sizeBytes, version, object }
  })
}

export interface ObjectBytes {
  readonly stream: Readable
  readonly bytesRead: () => number
}

export function readRange(object: FileObject, from: number, to: number): Promise<ArrayBuffer> {
  return orUnreadable(async () => {
    const bytes = new Uint8Array(to - from)
    if (from === to) return bytes.buffer
    let length = 0
    for await (const chunk of await chunksOf(object, { from, to })) {
      bytes.set(chunk, length)
      length += chunk.length
    }
    return bytes.buffer
  })
}

async function chunksOf({ address, key, etag }: FileObject, range: ObjectRange) {
  const store = await openBucket(address)
  const steadiness = { sleep, random: Math.random, report: () => {} }
  const opened = await readWithResume(store, key, { ...range, ifMatch: etag }, steadiness)
  if (opened.kind === 'found') return opened.chunks
  const place = `${store.name}/${key}`
  throw new Refusal('source-unreadable', `${place} was changed while it was read`)
}

export function openObject(object: FileObject): Promise<ObjectBytes> {
  return orUnreadable(async () => {
    const chunks = await chunksOf(object, {})
    let read = 0
    async function* counted(): AsyncGenerator<Buffer, void> {
      try {
        for await (const chunk of chunks) {
          read += chunk.length
          yield chunk
        }
      } catch (error) {
        throw unreadable(error)
      }
    }
    const stream = Readable.from(counted(), { objectMode: false })
    return { stream, bytesRead: () => read }
  })
}

async function orUnreadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unreadable(error)
  }
}

/** A refusal of the storage as one of the source; every other error as it is. */
function unreadable(error: unknown): unknown {
  return error instanceof Refusal ? new Refusal('source-unreadable', error.message) : error
}
