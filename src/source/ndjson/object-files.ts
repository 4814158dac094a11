/**
 * Source files in a bucket. A read is of one version of an object, and ends if that is replaced.
 */
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
    throw unreadable(error)
  }
}

export async function readRange(
  object: FileObject,
  from: number,
  to: number,
): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(to - from)
  if (from === to) return bytes.buffer
  let length = 0
  for await (const chunk of objectChunks(object, { from, to })) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  return bytes.buffer
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
    throw unreadable(error)
  }
}

/** A refusal of the storage as one of the source; every other error as it is. */
function unreadable(error: unknown): unknown {
  return error instanceof Refusal ? new Refusal('source-unreadable', error.message) : error
}
