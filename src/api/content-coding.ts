/**
 * Bodies as gzip. A body of a request inflates to no more than a plain one may have, and never takes more memory. A small
 * answer is compressed within its step; a large one as a copy by the thread pool of Node, few at once and of few bytes:
 * an answer beyond that goes out plain.
 */
import { gunzipSync, gzip, gzipSync } from 'node:zlib'
import { limits } from '../limits.ts'
import type { Problem } from '../problems.ts'
import { type ApiReply, copiedReply } from './exchange.ts'
import { takesGzip } from './ready-file.ts'

const codings: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip'])

export function codingProblem(contentEncoding: string): Problem | undefined {
  if (codings.has(contentEncoding.trim().toLowerCase())) return undefined
  const detail = 'send the body as it is, or with Content-Encoding: gzip'
  return { code: 'unsupported-media-type', detail }
}

export function inflated(
  body: Uint8Array,
  contentEncoding: string,
): { readonly body: Uint8Array } | { readonly problem: Problem } {
  if (!contentEncoding.toLowerCase().includes('gzip')) return { body }
  const { bytesMax } = limits.batchBody
  try {
    return { body: gunzipSync(body, { maxOutputLength: bytesMax }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const detail = `the body is larger than ${bytesMax} bytes when it is inflated`
      return { problem: { code: 'payload-too-large', detail } }
    }
    return { problem: { code: 'malformed-request', detail: 'the body is not whole gzip' } }
  }
}

/** Compressed within a step: 64 KiB of items took 0.25 ms of a processor, 256 KiB 1 ms (measured). */
const stepBytesMax = 64 << 10
/** Each piece that comes from the thread pool takes a turn of the loop: few turns for an answer. */
const gzipOptions = { level: 1, chunkSize: 64 << 10 }

/** Compresses in threads; calls back in a later turn. */
export type Gzip = (
  body: Uint8Array,
  onDone: (error: Error | null, body: Uint8Array) => void,
) => void

export class AnswerCoding {
  readonly #bytesMin: number
  readonly #gzip: Gzip
  #running = 0
  #runningBytes = 0

  /** @param bytesMin shorter bodies are not compressed; 0 compresses none. */
  constructor(bytesMin: number, inThreads: Gzip = (body, done) => gzip(body, gzipOptions, done)) {
    this.#bytesMin = bytesMin
    this.#gzip = inThreads
  }

  /** Whether a body of a length is always sent uncompressed. */
  isShort(bytes: number): boolean {
    return this.#bytesMin === 0 || bytes < this.#bytesMin
  }

  /** The answer in an encoding that its client accepts; undefined if `later` is to be called. */
  now(reply: ApiReply, acceptEncoding: () => string): ApiReply | undefined {
    const { status, body } = reply
    if (this.isShort(body.length) || status !== 200) return reply
    if (body.length > stepBytesMax && !this.#hasRoomFor(body.length)) return reply
    const accepted = acceptEncoding()
    if (accepted === '' || !takesGzip(accepted)) return reply
    if (body.length > stepBytesMax) return undefined
    return asGzip(reply, gzipSync(body, gzipOptions))
  }

  /** Compresses a large answer; calls back once, in a later turn, with the plain one if that fails. */
  later(reply: ApiReply, onCoded: (coded: ApiReply) => void): void {
    const kept = copiedReply(reply)
    const bytes = kept.body.length
    this.#running += 1
    this.#runningBytes += bytes
    this.#gzip(kept.body, (error, body) => {
      this.#running -= 1
      this.#runningBytes -= bytes
      onCoded(error === null ? asGzip(kept, body) : kept)
    })
  }

  #hasRoomFor(bytes: number): boolean {
    const isFree = this.#running < limits.compressionsMax
    return isFree && this.#runningBytes + bytes <= limits.compressionBytesMax
  }
}

function asGzip(reply: ApiReply, body: Uint8Array): ApiReply {
  const more = [['Content-Encoding', 'gzip'] as const, ['Vary', 'Accept-Encoding'] as const]
  return { ...reply, body, headers: [...reply.headers, ...more] }
}
