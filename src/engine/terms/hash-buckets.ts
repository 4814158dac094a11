/**
 * Numbers by the hash of a text, in plain columns that threads share. Only hashes are kept: a number that
 * is found may belong to another text of the same hash, so the caller compares it.
 */
import { shared } from '../../memory/columns.ts'

/** Entries by bucket: those of bucket b from `starts[b]` to `starts[b + 1]`. The buckets are a power of two. */
export interface HashBuckets {
  readonly starts: Uint32Array
  readonly hashes: Uint32Array
  readonly values: Uint32Array
}

/** Entries in a bucket, on average, at least. */
const entriesPerBucket = 2
/** Entries between two rests. */
const stepLength = 1 << 12

/** The hash of no letters: where `hashOn` begins. */
export const hashBegun = 0x811c9dc5

/** Goes on with a hash, FNV-1a over UTF-16 units from one place of a text to before another. */
export function hashOn(hash: number, text: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Ends a hash with murmur3's finaliser: 32 bits. */
export function hashEnded(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The hash of a whole text. */
export function hashText(text: string): number {
  return hashEnded(hashOn(hashBegun, text, 0, text.length))
}

/** Puts values into the buckets of their hashes, in each in their order. @param rest called now and then. */
export function inBuckets(
  hashes: ArrayLike<number>,
  values: ArrayLike<number>,
  rest: () => void = () => {},
): HashBuckets {
  const buckets = 2 ** Math.floor(Math.log2(Math.max(1, hashes.length / entriesPerBucket)))
  const starts = shared(buckets + 1)
  for (let index = 0; index < hashes.length; index += 1) {
    starts[(hashes[index]! & (buckets - 1)) + 1]! += 1
  }
  for (let bucket = 1; bucket <= buckets; bucket += 1) starts[bucket]! += starts[bucket - 1]!
  const ends = starts.slice()
  const table = { starts, hashes: shared(hashes.length), values: shared(hashes.length) }
  for (let index = 0; index < hashes.length; index += 1) {
    if (index % stepLength === 0) rest()
    const bucket = hashes[index]! & (buckets - 1)
    const place = ends[bucket]!
    ends[bucket] = place + 1
    table.hashes[place] = hashes[index]!
    table.values[place] = values[index]!
  }
  return table
}

/** The values of a hash in their order, `most` at most. */
export function valuesOf(
  { starts, hashes, values }: HashBuckets,
  hash: number,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const bucket = hash & (starts.length - 2)
  const end = starts[bucket + 1]!
  const found: number[] = []
  for (let at = starts[bucket]!; at < end && found.length < most; at += 1) {
    if (hashes[at] === hash) found.push(values[at]!)
  }
  return found
}
