/**
 * Filters of terms: rows of bits that tell most of those who do not hold a term apart without
 * walking its postings. Each bit stands for a bucket of neighbouring ordinals and is set where any of
 * them is in the postings. The rarer a term, the wider its buckets, so that a row is in proportion to
 * its postings. A term that one authority in eight holds has a bit for every ordinal, and its row
 * alone tells who holds it. For the others each 32 bits come with a rank: how many postings lie
 * before them, which is where in the postings those that they stand for begin.
 */

/** Bits of a row for each posting, at least, unless there is one for every ordinal. */
const bitsPerPosting = 8

/** Fewer postings are walked as fast as a filter is asked. */
const postingsMin = 3

/** Ordinals in a bucket of a term with so many postings, as a power of two. */
export function bucketBits(postings: number, authorities: number): number {
  const ordinalsPerBit = Math.floor(authorities / (bitsPerPosting * postings))
  return ordinalsPerBit < 2 ? 0 : 31 - Math.clz32(ordinalsPerBit)
}

/** The 32-bit words of the row of a term with so many postings: none where there is no row. */
export function filterWords(postings: number, authorities: number): number {
  if (postings < postingsMin) return 0
  return ((authorities - 1) >>> (bucketBits(postings, authorities) + 5)) + 1
}

/** Bits and ranks of all rows, in their order; each row begins where the one before it ends. */
export interface Filters {
  readonly bits: Uint32Array
  readonly ranks: Uint32Array
}

/** Postings of a term: a range of ordinals, ascending and below the number of authorities. */
export interface PostingRange {
  readonly ordinals: Uint32Array
  readonly start: number
  readonly end: number
}

/** What of the row that begins at `row` is not as `fillFilter` makes it of some postings, if anything. */
export function differenceOf(
  { bits, ranks }: Filters,
  row: number,
  { ordinals, start, end }: PostingRange,
  authorities: number,
): keyof Filters | undefined {
  const shift = bucketBits(end - start, authorities) + 5
  const words = filterWords(end - start, authorities)
  let next = start
  for (let word = 0; word < words; word += 1) {
    if (ranks[row + word] !== next - start) return 'ranks'
    let expected = 0
    for (; next < end; next += 1) {
      const ordinal = ordinals[next]!
      if (ordinal >>> shift !== word) break
      expected |= 1 << (ordinal >>> (shift - 5))
    }
    if (bits[row + word] !== expected >>> 0) return 'bits'
  }
  return undefined
}

/** Fills the row of some postings, which begins at `start` and holds nothing but zeros. */
export function fillFilter(
  { bits, ranks }: Filters,
  start: number,
  ordinals: Uint32Array,
  authorities: number,
): void {
  const shift = bucketBits(ordinals.length, authorities)
  const end = start + filterWords(ordinals.length, authorities)
  let next = start
  for (let index = 0; index < ordinals.length; index += 1) {
    const bucket = ordinals[index]! >>> shift
    const word = start + (bucket >>> 5)
    bits[word]! |= 1 << (bucket & 31)
    for (; next <= word; next += 1) ranks[next] = index
  }
  for (; next < end; next += 1) ranks[next] = ordinals.length
}
