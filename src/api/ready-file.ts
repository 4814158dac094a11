/**
 * Replies whose bytes are made before any request, plain and as gzip, so that no request waits for compression. Each
 * encoding has a strong tag of its own; a client that holds it gets a 304.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { ApiReply, HeaderPairs } from './exchange.ts'
import { etagMatches } from './pipeline/etag.ts'
import { noSniff } from './pipeline/response-headers.ts'

export interface ReadyFile {
  readonly type: string
  /** Stands for the content, without quotation marks and encoding. */
  readonly tag: string
  /** Plain, and as gzip where that is smaller. */
  readonly bytes: { readonly identity: Uint8Array; readonly gzip?: Uint8Array }
}

/** Each is '' if the header is missing. */
interface FileRequest {
  readonly acceptEncoding: string
  readonly ifNoneMatch: string
}

const nothing = new Uint8Array(0)

/** A text that is served plain and as gzip. Takes milliseconds for 100 KB. */
export function readyText(type: string, text: string): ReadyFile {
  const identity = Buffer.from(text)
  const bytes = { gzip: gzipSync(identity, { level: 9 }), identity }
  return { type, tag: tagOf(identity), bytes }
}

/** Bytes that are compressed already, such as a picture. */
export function readyBytes(type: string, identity: Uint8Array): ReadyFile {
  return { type, tag: tagOf(identity), bytes: { identity } }
}

export function tagOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}

/** @param headers that a 304 repeats, too (RFC 9110 §15.4.5). */
export function readyReply(
  { type, tag, bytes }: ReadyFile,
  { acceptEncoding, ifNoneMatch }: FileRequest,
  headers: HeaderPairs,
): ApiReply {
  const isGzip = bytes.gzip !== undefined && takesGzip(acceptEncoding)
  const etag = `"${tag}-${isGzip ? 'gzip' : 'identity'}"`
  const kept: HeaderPairs = [['ETag', etag], ['Vary', 'Accept-Encoding'], ...headers]
  if (etagMatches(ifNoneMatch, etag)) {
    return { status: 304, headers: kept, body: nothing, seconds: 0 }
  }
  const named = isGzip ? [['Content-Encoding', 'gzip'] as const] : []
  const more: HeaderPairs = [['Content-Type', type], noSniff, ...named]
  const body = isGzip ? bytes.gzip! : bytes.identity
  return { status: 200, headers: [...kept, ...more], body, seconds: 0 }
}

export function takesGzip(acceptEncoding: string): boolean {
  const taken = takenIn(acceptEncoding)
  return taken.get('gzip') ?? taken.get('*') ?? false
}

/** Whether each name in an `Accept` or `Accept-Encoding` is taken (RFC 9110 §12.4.2); of a weight only 0 counts. */
export function takenIn(accepted: string): ReadonlyMap<string, boolean> {
  const taken = new Map<string, boolean>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    if (name === '') continue
    taken.set(name, !parameters.some((each) => /^q\s*=\s*0?(?:\.0*)?$/.test(each)))
  }
  return taken
}
