/**
 * Replies whose bytes are made before any request, in every encoding, so that no request waits for compression. Each
 * encoding has a strong tag of its own; a client that holds it gets a 304.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { ApiReply, HeaderPairs } from './exchange.ts'
import { etagMatches } from './pipeline/etag.ts'
import { noSniff } from './pipeline/response-headers.ts'

/** Encodings by the names of `Accept-Encoding`, the smallest first. */
const encodingNames = ['gzip', 'identity'] as const

type Encoding = (typeof encodingNames)[number]

/** The same bytes in each available encoding; `identity` is always available. */
export type EncodedBytes = Readonly<Partial<Record<Encoding, Uint8Array>>> & {
  readonly identity: Uint8Array
}

export interface ReadyFile {
  readonly type: string
  /** Stands for the content, without quotation marks and encoding. */
  readonly tag: string
  readonly bytes: EncodedBytes
}

/** Each is '' if the header is missing. */
export interface FileRequest {
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
  const encoding = encodingFor(acceptEncoding, bytes)
  const etag = `"${tag}-${encoding}"`
  const kept: HeaderPairs = [['ETag', etag], ['Vary', 'Accept-Encoding'], ...headers]
  if (etagMatches(ifNoneMatch, etag)) {
    return { status: 304, headers: kept, body: nothing, seconds: 0 }
  }
  const named = encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]
  const more: HeaderPairs = [['Content-Type', type], noSniff, ...named]
  return { status: 200, headers: [...kept, ...more], body: bytes[encoding]!, seconds: 0 }
}

/** RFC 9110 §12.5.3; of a weight only 0 counts. The smallest allowed encoding is the best for every client. */
export function encodingFor(acceptEncoding: string, bytes: EncodedBytes): Encoding {
  const allowed = new Map<string, boolean>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    allowed.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
  }
  const anyOther = allowed.get('*') ?? false
  const isTaken = (name: Encoding) => bytes[name] !== undefined && (allowed.get(name) ?? anyOther)
  return encodingNames.find(isTaken) ?? 'identity'
}
