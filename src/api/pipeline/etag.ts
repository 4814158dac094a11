/**
 * Entity tags (RFC 9110 §8.8.3), weak because `duration` and `request_id` differ between answers with the same results. A
 * tag stands for one snapshot (and so its recipe), one version of the program and one request.
 */
import { writeHex } from '../../memory/ascii.ts'
import { dataViewOf } from '../../memory/text-table.ts'
import { programVersion } from '../../version.ts'

/** A tag is `W/"`, 16 digits of the snapshot's id, `-`, 16 digits of the request's hash, `"`. */
const hashAt = 20
const idDigits = 16

/** 64 bits of FNV-1a, as two of 32 bits. */
export interface PathHash {
  readonly low: number
  readonly high: number
}

/** The part of a request's hash that all requests for a path to a version of the program share. */
export function hashPath(path: string): PathHash {
  let low = 0x811c9dc5
  let high = 0x050c5d1f
  // Neither holds a `?`, so that version, path and query cannot be confused.
  for (const character of `${programVersion}?${path}?`) {
    const unit = character.charCodeAt(0)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995)
  }
  return { low, high }
}

/** Writes the part of a tag that depends on the request into a tag whose other part is written. */
export function rewriteEtag(target: DataView, at: number, path: PathHash, query: string): void {
  let { low, high } = path
  for (let index = 0; index < query.length; index += 1) {
    const unit = query.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (low >>> 15)
  }
  writeHex(target, at + hashAt, low)
  writeHex(target, at + hashAt + 8, high)
}

export function etagOf(snapshotId: string, path: PathHash, query: string): string {
  const tag = Buffer.from(`W/"${snapshotId.slice(0, idDigits)}-${'0'.repeat(idDigits)}"`)
  rewriteEtag(dataViewOf(tag), 0, path, query)
  return tag.toString('latin1')
}

/** The name of a coding that a proxy adds to the tag of what it compresses: `"…-gzip"`, `"…--gzip"`, `"…;gzip"`, `"…"-gzip`. */
const addedCoding = /(?:--?|;)(?:x-)?(?:gzip|br|brotli|zstd|deflate|compress|bzip2)("?)$/i

/** Whether an `If-None-Match` holds: `*`, or any of its tags, compared weakly, as it was sent or as a proxy left it. */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((sent) => {
    const tag = sent.trim().replace(/^W\//, '')
    return tag === opaque || tag.replace(addedCoding, '$1') === opaque
  })
}
