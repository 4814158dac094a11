/** Ascending lists as gaps: read as they were written, and nothing else passes for one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGapList, readGaps, writeGaps } from '../../../src/snapshot/gaps.ts'

function written(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  writeGaps(numbers, (byte) => bytes.push(byte))
  return Uint8Array.from(bytes)
}

function read(bytes: Uint8Array, most?: number): number[] {
  const numbers = new Uint32Array(200)
  return [...numbers.subarray(0, readGaps(bytes, 0, bytes.length, numbers, most))]
}

const near = fc.nat(400)
const any = fc.nat(0xffff_ffff)
const lists = fc
  .uniqueArray(fc.oneof(near, any), { maxLength: 60 })
  .map((numbers) => numbers.sort((a, b) => a - b))

describe('an ascending list as gaps', () => {
  it('is read as it was written, whole or its beginning', () => {
    fc.assert(
      fc.property(lists, fc.nat(60), (numbers, most) => {
        const bytes = written(numbers)
        expect(read(bytes)).toEqual(numbers)
        expect(read(bytes, most)).toEqual(numbers.slice(0, most))
      }),
    )
  })

  it('takes one byte for a gap below 128 and two below 16,384', () => {
    expect(written([0, 1, 129]).length).toBe(3)
    expect(written([128, 128 + 16_384]).length).toBe(4)
  })

  it('is one, unless it is longer or reaches further than it may', () => {
    fc.assert(
      fc.property(lists, (numbers) => {
        const bytes = written(numbers)
        const bounds = { most: numbers.length, below: (numbers.at(-1) ?? 0) + 1 }
        const isOne = (other: Partial<typeof bounds>) =>
          isGapList(bytes, 0, bytes.length, { ...bounds, ...other })
        expect(isOne({})).toBe(true)
        if (numbers.length === 0) return
        expect(isOne({ most: numbers.length - 1 })).toBe(false)
        expect(isOne({ below: numbers.at(-1)! })).toBe(false)
      }),
    )
  })

  it('stands in no bytes but those that were written', () => {
    const bounds = { most: 200, below: 2 ** 32 }
    const bytes = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(bytes, (others) => {
        const isList = isGapList(others, 0, others.length, bounds)
        if (isList) expect([...written(read(others))]).toEqual([...others])
      }),
    )
    expect(isGapList(Uint8Array.of(0x80, 0), 0, 2, bounds)).toBe(false)
    expect(isGapList(Uint8Array.of(1, 0x80), 0, 2, bounds)).toBe(false)
  })
})
