/**
 * Entity tags (RFC 9110 §8.8.3): weak, because `duration` and `request_id` differ from answer to
 * answer while the results do not. One tag stands for one snapshot and one request.
 */

/** The tag of a request against a snapshot: the id's first half and 64 bits of the request. */
export function etagOf(snapshotId: string, path: string, query: string): string {
  let low = 0x811c9dc5
  let high = 0xcbf29ce4
  for (const text of [path, '?', query]) {
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ unit, 0x5bd1e995) ^ (low >>> 15)
    }
  }
  const digits = (low >>> 0).toString(36) + (high >>> 0).toString(36).padStart(7, '0')
  return `W/"${snapshotId.slice(0, 16)}-${digits}"`
}

/** Whether an `If-None-Match` holds: `*`, or any of its tags, compared weakly. */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.slice(2)
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
