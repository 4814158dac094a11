/** Counts of which nearly all are small: each is read back as written, and damaged ones are found. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areSmallCounts, countOf, smallCountsOf } from '../../../src/snapshot/small-counts.ts'

const count = fc.oneof(fc.nat(9), fc.integer({ min: 250, max: 260 }), fc.nat(0xffff_ffff))
const lists = fc.array(count, { maxLength: 60 })
describe('counts of which nearly all are small', () => {
  it('are told as they were', () => {
    fc.assert(
      fc.property(lists, (counts) => {
        const small = smallCountsOf(Uint32Array.from(counts))
        expect(counts.map((_, entry) => countOf(small, entry))).toEqual(counts)
        expect(areSmallCounts(small)).toBe(true)
      }),
    )
  })

  it('are not those of which another is said to be many, or fewer than many', () => {
    const { small, entries, counts } = smallCountsOf(Uint32Array.of(1, 255, 3, 70_000))
    const same = { small, entries, counts }
    for (const wrong of [
      { ...same, entries: Uint32Array.of(0, 3) },
      { ...same, entries: Uint32Array.of(1), counts: Uint32Array.of(255) },
      { ...same, entries: Uint32Array.of(1, 3, 3), counts: Uint32Array.of(255, 70_000, 70_000) },
      { ...same, counts: Uint32Array.of(254, 70_000) },
      { ...same, counts: Uint32Array.of(255) },
      { ...same, small: Uint8Array.of(1, 255, 255, 255) },
    ]) {
      expect(areSmallCounts(wrong)).toBe(false)
    }
  })
})
