/**
 * Filters of lists: rows of bits that exclude most ordinals that are not in a list without walking it.
 * Each bit stands for a bucket of neighbouring ordinals and is set if any of them is in the list. The
 * shorter a list, the wider its buckets, so that the size of a row is in proportion to it. A list of more than
 * one authority in eight has a bit for every ordinal, and its row alone is the list. Behind the bits of a row
 * stand its ranks: for every eight words of bits, or for fewer if eight would stand for more than 65,536
 * ordinals, the number of ordinals of the list that lie before those words.
 */

/** Bits of a row for each number of a list, at least, unless there is one for every ordinal. */
const bitsPerNumber = 4

/** Walking fewer numbers is as fast as a filter test. */
const numbersMin = 3

/** Bits of the lower half of a number: halves distinguish 2 ** this ordinals. */
export const halfBits = 16

export interface FilterShape {
  /** Ordinals in a bucket, as a power of two. */
  readonly shift: number
  /** Ordinals from one rank to the next, as a power of two. */
  readonly rankShift: number
  /** Words of bits; 0 where there is no filter. */
  readonly words: number
  readonly ranks: number
}

function bucketBits(size: number, authorities: number): number {
  const ordinalsPerBit = Math.floor(authorities / (bitsPerNumber * size))
  return ordinalsPerBit < 2 ? 0 : 31 - Math.clz32(ordinalsPerBit)
}

/** Ordinals from one rank to the next, as a power of two: those of one to eight words. */
function rankBits(shift: number): number {
  return shift + 5 + Math.max(0, Math.min(3, halfBits - 5 - shift))
}

export function filterShape(size: number, authorities: number): FilterShape {
  const shift = bucketBits(size, authorities)
  const rankShift = rankBits(shift)
  if (size < numbersMin) return { shift, rankShift, words: 0, ranks: 0 }
  const words = ((authorities - 1) >>> (shift + 5)) + 1
  return { shift, rankShift, words, ranks: ((authorities - 1) >>> rankShift) + 1 }
}

/** Ascending numbers: `values` from `start` to `end`, exclusive. A view of each of many lists would cost more. */
export interface Run {
  readonly values: Uint32Array
  readonly start: number
  readonly end: number
}

/** Fills the row of a list, which begins at `row` and holds nothing but zeros. */
export function fillFilter(
  rows: Uint32Array,
  row: number,
  { values, start, end }: Run,
  authorities: number,
): void {
  const { shift, rankShift, words, ranks } = filterShape(end - start, authorities)
  const rowEnd = row + words + ranks
  let next = row + words
  for (let index = start; index < end; index += 1) {
    const bucket = values[index]! >>> shift
    rows[row + (bucket >>> 5)]! |= 1 << (bucket & 31)
    const rank = row + words + (values[index]! >>> rankShift)
    for (; next <= rank; next += 1) rows[next] = index - start
  }
  for (; next < rowEnd; next += 1) rows[next] = end - start
}
