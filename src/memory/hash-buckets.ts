/** Numbers by the hash of a text. Only hashes are kept: the caller compares what is found. */
import { hashByte, mixHash, noBytesHash } from './text-table.ts'

/** Entries by bucket: those of bucket b from `starts[b]` to `starts[b + 1]`. The buckets are a power of two. */
export interface HashBuckets {
  readonly starts: Uint32Array
  readonly hashes: Uint32Array
  readonly values: Uint32Array
}

/** Buckets whose entries are written at random at a time: some hundred kilobytes. A power of two. */
const bucketsPerStretch = 1 << 14

/** Goes on with a hash, FNV-1a over UTF-16 units from one place of a text to before another. */
export function hashOn(hash: number, text: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) hash = hashByte(hash, text.charCodeAt(at))
  return hash
}

export function hashText(text: string): number {
  return mixHash(hashOn(noBytesHash, text, 0, text.length))
}

/**
 * Puts values into the buckets of their hashes, in each in their order: a power of two, two entries each on average at
 * least unless said. With more buckets than there are different hashes, those are groups. A large table is filled in two
 * passes, first by stretches and then by buckets, so that what is written at random fits into a cache (27 million
 * entries: 1.5 s in place of 10).
 */
export function inBuckets(
  hashes: ArrayLike<number>,
  values: ArrayLike<number>,
  buckets = 2 ** Math.floor(Math.log2(Math.max(1, hashes.length / 2))),
): HashBuckets {
  const { length } = hashes
  const mask = buckets - 1
  const shift = Math.log2(bucketsPerStretch)
  const numbers = (count: number) => new Uint32Array(count)
  const table = { starts: numbers(buckets + 1), hashes: numbers(length), values: numbers(length) }
  const stretches = Math.ceil(buckets / bucketsPerStretch)
  const stretchEnds = new Uint32Array(stretches + 1)
  for (let index = 0; index < length; index += 1) {
    stretchEnds[((hashes[index]! & mask) >>> shift) + 1]! += 1
  }
  for (let at = 1; at < stretchEnds.length; at += 1) stretchEnds[at]! += stretchEnds[at - 1]!
  for (let index = 0; index < length; index += 1) {
    const place = stretchEnds[(hashes[index]! & mask) >>> shift]!++
    table.hashes[place] = hashes[index]!
    table.values[place] = values[index]!
  }
  // Once a stretch is filled, its end has become the end of the stretch before it.
  for (let stretch = 0, start = 0; stretch < stretches; stretch += 1) {
    const end = stretchEnds[stretch]!
    const first = stretch * bucketsPerStretch
    fillStretch(table, mask, { first, count: Math.min(buckets, bucketsPerStretch), start, end })
    start = end
  }
  return table
}

interface Stretch {
  readonly first: number
  readonly count: number
  readonly start: number
  readonly end: number
}

function fillStretch(
  table: HashBuckets,
  mask: number,
  { first, count, start, end }: Stretch,
): void {
  const { starts } = table
  const [hashes, values] = [table.hashes.slice(start, end), table.values.slice(start, end)]
  for (const hash of hashes) starts[(hash & mask) + 1]! += 1
  starts[first] = start
  for (let at = first; at < first + count; at += 1) starts[at + 1]! += starts[at]!
  const places = starts.slice(first, first + count)
  for (let index = 0; index < hashes.length; index += 1) {
    const place = places[(hashes[index]! & mask) - first]!++
    table.hashes[place] = hashes[index]!
    table.values[place] = values[index]!
  }
}

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
