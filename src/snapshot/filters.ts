/**
 * Filters of common words: where in the order of authorities a word occurs at all, one bit for each
 * bucket of 8. Words that many hold but few hold together are told apart a hundred buckets at a time,
 * without walking their postings. A row takes N/64 bytes, and only words that at least one in 512
 * holds have one, so that all of them are a few hundredths of the snapshot.
 */

/** Ordinals in a bucket, as a power of two. */
export const bucketBits = 3

/** Whether so many postings among so many authorities are to have a filter. */
export function hasFilter(postings: number, authorities: number): boolean {
  return postings > 2 && postings * 512 >= authorities
}

/** The 32-bit words of a row. */
export function filterWords(authorities: number): number {
  return Math.ceil(Math.ceil(authorities / (1 << bucketBits)) / 32)
}

/** Sets the bits of some ordinals in the row that begins at `start`. */
export function fillFilter(bits: Uint32Array, start: number, ordinals: Uint32Array): void {
  for (let index = 0; index < ordinals.length; index += 1) {
    const bucket = ordinals[index]! >>> bucketBits
    bits[start + (bucket >>> 5)]! |= 1 << (bucket & 31)
  }
}
