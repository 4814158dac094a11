/** Counts, nearly all small: a byte for each, and beside them those above a byte, in order. */

import { assert } from '../memory/assert.ts'
import { lowerBound } from '../memory/bounds.ts'

/** The byte of every count from this on; `counts` holds the count itself. */
const manyMin = 0xff

/** Counts by entry: entry i has `small[i]`, or, if that is `manyMin`, the one in `counts` at i's place in `entries`. */
export interface SmallCounts {
  readonly small: Uint8Array
  /** The entries whose count is `manyMin` or more, ascending, and the count of each. */
  readonly entries: Uint32Array
  readonly counts: Uint32Array
}

export function smallCountsOf(counts: Uint32Array): SmallCounts {
  const many: number[] = []
  const small = new Uint8Array(counts.length)
  for (let entry = 0; entry < counts.length; entry += 1) {
    small[entry] = Math.min(manyMin, counts[entry]!)
    if (counts[entry]! >= manyMin) many.push(entry)
  }
  const entries = Uint32Array.from(many)
  return { small, entries, counts: entries.map((entry) => counts[entry]!) }
}

/** The count of an entry. O(log of those that are many). */
export function countOf({ small, entries, counts }: SmallCounts, entry: number): number {
  const count = small[entry]!
  if (count < manyMin) return count
  const place = lowerBound(entries, entry)
  assert(entries[place] === entry, `the count of ${entry} is not beside the small ones`)
  return counts[place]!
}

export function areSmallCounts({ small, entries, counts }: SmallCounts): boolean {
  let many = 0
  for (let entry = 0; entry < small.length; entry += 1) {
    if (small[entry] !== manyMin) continue
    if (entries[many] !== entry || !(counts[many]! >= manyMin)) return false
    many += 1
  }
  return many === entries.length && many === counts.length
}
