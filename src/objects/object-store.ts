/**
 * The port of object storage: no call changes an object in part. The ETag tells an object from an
 * earlier one of the same name. A failure that may pass is refused with `storage-unreachable`, any
 * other with `storage-refused`.
 */
import type { Readable } from 'node:stream'

export interface ObjectFacts {
  readonly key: string
  readonly bytes: number
  readonly etag: string
  /** By the clock of the store; undefined if the store does not say. */
  readonly modifiedMs: number | undefined
  /** Time of the answer, by the same clock. */
  readonly seenAtMs: number | undefined
}

export interface ObjectRange {
  readonly from?: number | undefined
  /** The byte behind the last; the end of the object unless given. */
  readonly to?: number | undefined
  readonly ifMatch?: string | undefined
}

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

export function wholeBytesOf(contentRange: string | null | undefined): number | undefined {
  const [, bytes] = /\/(\d+)$/.exec(contentRange ?? '') ?? []
  return bytes === undefined ? undefined : Number(bytes)
}

export interface ReadableObjects {
  /** For messages: `s3://bucket/prefix`. */
  readonly name: string
  /** @throws Refusal `storage-unreachable`, `storage-refused`, as every call. */
  head(key: string): Promise<ObjectFacts | undefined>
  /** The body has to be read to its end, or destroyed. */
  get(key: string, wanted?: ObjectRange): Promise<Got>
  /** Absent if the store does not list; a reader may lack the right to. */
  list?(start: string): Promise<readonly ObjectFacts[]>
}

export interface Writing {
  /** Caches in between may keep it. */
  readonly isImmutable: boolean
}

/** The store checks all written bytes (Content-MD5). */
export interface WritableObjects extends ReadableObjects {
  /** In the order of their keys. */
  list(start: string): Promise<readonly ObjectFacts[]>
  put(key: string, bytes: Uint8Array, writing: Writing): Promise<void>
  /** False if there is one already, unless it is the very same. */
  create(key: string, bytes: Uint8Array): Promise<boolean>
  remove(key: string): Promise<void>
}
