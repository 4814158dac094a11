/**
 * Bodies as gzip. A body of a request inflates to no more than a plain one may have, and never takes more memory. An answer
 * is compressed within its step, and goes out plain where that takes too long.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { limits } from '../limits.ts'
import type { Problem } from '../problems.ts'
import type { ApiReply } from './exchange.ts'
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

/** An answer as gzip for a client that accepts it; as it is where it is short, or too large for one step. */
export function codedReply(reply: ApiReply, acceptEncoding: () => string): ApiReply {
  const { status, headers, body } = reply
  const { length } = body
  if (length < limits.answerCompressedBytesMin || length > stepBytesMax || status !== 200) {
    return reply
  }
  const accepted = acceptEncoding()
  if (accepted === '' || !takesGzip(accepted)) return reply
  const more = [['Content-Encoding', 'gzip'] as const, ['Vary', 'Accept-Encoding'] as const]
  return { ...reply, body: gzipSync(body, { level: 1 }), headers: [...headers, ...more] }
}
