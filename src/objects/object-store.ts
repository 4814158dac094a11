/**
 * The port of object storage: a few calls that every store has; none changes an object in part. Readers
 * list objects only if every other way has failed. The ETag distinguishes an object from an earlier one of
 * the same name.
 *
 * A failure that may pass is refused with `storage-unreachable`, any other with `storage-refused`.
 */
import type { Readable } from 'node:stream'

/** The facts of an object without its bytes. */
export interface ObjectFacts {
  readonly key: string
  /** Size of the whole object. */
  readonly bytes: number
  readonly etag: string
  /** Time of its writing by the clock of the store, ms; undefined if the store does not say. */
  readonly modifiedMs: number | undefined
  /** Time of the store's answer by the same clock, ms; undefined if the store does not say. */
  readonly seenAtMs: number | undefined
}

/** A range of bytes, and the version of the object that must hold them. */
export interface ObjectRange {
  /** The first byte. */
  readonly from?: number | undefined
  /** The end of the range: the byte behind the last. The range goes to the end of the object unless given. */
  readonly to?: number | undefined
  /** The ETag of the version; any version unless given. */
  readonly ifMatch?: string | undefined
}

/** An object that is being read, or why it is not. */
export type Got =
  | { readonly kind: 'found'; readonly facts: ObjectFacts; readonly body: Readable }
  | { readonly kind: 'missing' }
  /** The object has another ETag, or is shorter. */
  | { readonly kind: 'changed' }

/** The Range header of a request for some bytes of an object (RFC 9110 §14.2); undefined for all of them. */
export function rangeHeaderOf({ from = 0, to }: ObjectRange): string | undefined {
  if (from === 0 && to === undefined) return undefined
  return `bytes=${from}-${to === undefined ? '' : to - 1}`
}

/** The bytes of a whole object, by the Content-Range of an answer that is a part of it. */
export function wholeBytesOf(contentRange: string | null | undefined): number | undefined {
  const [, bytes] = /\/(\d+)$/.exec(contentRange ?? '') ?? []
  return bytes === undefined ? undefined : Number(bytes)
}

/** Objects that can be read. */
export interface ReadableObjects {
  /** Their address, for messages: `s3://bucket/prefix`. */
  readonly name: string
  /** @throws Refusal `storage-unreachable`, `storage-refused`, as every call. */
  head(key: string): Promise<ObjectFacts | undefined>
  /** The body has to be read to its end, or destroyed. */
  get(key: string, wanted?: ObjectRange): Promise<Got>
  /** As of `WritableObjects`; absent if the store does not list. A reader may lack the right to. */
  list?(start: string): Promise<readonly ObjectFacts[]>
}

/** Options of writing an object. */
export interface Writing {
  /** Whether it never changes, so that caches in between may keep it. */
  readonly isImmutable: boolean
}

/** Objects that can be written, too. The store checks all written bytes (Content-MD5). */
export interface WritableObjects extends ReadableObjects {
  /** All objects whose keys begin so, in the order of their keys. */
  list(start: string): Promise<readonly ObjectFacts[]>
  /** Writes an object over any that is there. */
  put(key: string, bytes: Uint8Array, writing: Writing): Promise<void>
  /** Creates a small object; false if there is one already, unless it is the very same. */
  create(key: string, bytes: Uint8Array): Promise<boolean>
  /** Removes an object, if it is there. */
  remove(key: string): Promise<void>
}
