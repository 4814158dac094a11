/**
 * Entity tags (RFC 9110 §8.8.3): weak, because `duration` and `request_id` differ from answer to
 * answer while the results do not. One tag stands for one snapshot and one request.
 */
import { hexDigits } from './body.ts'

/** `W/"`, 16 digits of the snapshot's id, `-`, 16 digits of the request's hash, `"`. */
export const etagLength = 37
const hashAt = 20
const idDigits = 16

/** Writes the tag of a request: 64 bits of FNV-1a (two of 32 bits) over its path and query. */
export function writeEtag(
  target: Uint8Array,
  at: number,
  snapshotId: string,
  path: string,
  query: string,
): void {
  writeText(target, at, 'W/"')
  writeText(target, at + 3, snapshotId.slice(0, idDigits))
  writeText(target, at + 3 + idDigits, '-')
  writeRequestHash(target, at + hashAt, path, query)
  writeText(target, at + etagLength - 1, '"')
}

/** Writes the part of a tag that depends on the request, where the rest of it stands already. */
export function rewriteEtag(target: Uint8Array, at: number, path: string, query: string): void {
  writeRequestHash(target, at + hashAt, path, query)
}

function writeRequestHash(target: Uint8Array, at: number, path: string, query: string): void {
  let low = 0x811c9dc5
  let high = 0x050c5d1f
  for (let index = 0; index < path.length; index += 1) {
    const unit = path.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995)
  }
  // A path holds no `?`, so that path and query cannot be confused.
  low = Math.imul(low ^ 0x3f, 0x01000193)
  high = Math.imul(high ^ 0x3f, 0x5bd1e995) ^ (low >>> 15)
  for (let index = 0; index < query.length; index += 1) {
    const unit = query.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (low >>> 15)
  }
  for (let digit = 0; digit < 8; digit += 1) {
    target[at + digit] = hexDigits[(low >>> (28 - digit * 4)) & 15]!
    target[at + 8 + digit] = hexDigits[(high >>> (28 - digit * 4)) & 15]!
  }
}

function writeText(target: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index)
}

/** The tag of a request against a snapshot, as a text. */
export function etagOf(snapshotId: string, path: string, query: string): string {
  const bytes = Buffer.alloc(etagLength)
  writeEtag(bytes, 0, snapshotId, path, query)
  return bytes.toString('latin1')
}

/** Whether an `If-None-Match` holds: `*`, or any of its tags, compared weakly. */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.slice(2)
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
