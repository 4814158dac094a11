/**
 * Bodies as gzip, of requests and of answers. A body of a request inflates to no more than a plain one may
 * have, and never takes more memory. An answer is compressed within the step that answers it, so only up to
 * a size that costs less than a millisecond; what is larger goes out as it is.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { limits } from '../limits.ts'
import type { Problem } from '../problems.ts'
import type { ApiReply } from './exchange.ts'
import { encodingFor } from './ready-file.ts'

/** The encodings of the body of a request that are read. */
const codings: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip'])

/** The problem of a body in an encoding that is not read; undefined for any other. */
export function codingProblem(contentEncoding: string): Problem | undefined {
  if (codings.has(contentEncoding.trim().toLowerCase())) return undefined
  const detail = 'send the body as it is, or with Content-Encoding: gzip'
  return { code: 'unsupported-media-type', detail }
}

/** The body of a request as it was before it was compressed. */
export function inflated(
  body: Uint8Array,
  contentEncoding: string,
): { readonly body: Uint8Array } | { readonly problem: Problem } {
  if (!contentEncoding.toLowerCase().includes('gzip')) return { body }
  const bytesMax = limits.batchBodyBytesMax
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

/** Larger answers are not compressed: 64 KiB of items took 0.25 ms of a processor, 256 KiB 1 ms (measured). */
const compressedBytesMax = 64 << 10

const nothing = new Uint8Array(0)
const gzipOnly = { gzip: nothing, identity: nothing }

/**
 * An answer as gzip where it is worth it and its client takes it; else as it is.
 * @param bytesMin shorter bodies are not compressed; 0 compresses none.
 * @param acceptEncoding the header, which is read only where it matters.
 */
export function compressed(
  reply: ApiReply,
  bytesMin: number,
  acceptEncoding: () => string,
): ApiReply {
  const { status, body, headers } = reply
  const isWorthIt = bytesMin > 0 && body.length >= bytesMin && body.length <= compressedBytesMax
  if (!isWorthIt || status !== 200) return reply
  const accepted = acceptEncoding()
  if (accepted === '' || encodingFor(accepted, gzipOnly) !== 'gzip') return reply
  const more = [['Content-Encoding', 'gzip'] as const, ['Vary', 'Accept-Encoding'] as const]
  return { ...reply, body: gzipSync(body, { level: 1 }), headers: [...headers, ...more] }
}
