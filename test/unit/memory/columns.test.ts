/** Columns that grow. */
import { expect, it } from 'vitest'
import {
  float64Column,
  grownLength,
  uint8Column,
  uint32Column,
} from '../../../src/memory/columns.ts'

const mebibyte = 1 << 20

it.each([uint8Column, uint32Column, float64Column])(
  'keep all of three million numbers (%o)',
  (column) => {
    const numbers = column()
    for (let number = 0; number < 3_000_000; number += 1) numbers.push(number & 0xff)
    expect(numbers.view().length).toBe(3_000_000)
    expect(numbers.view().every((value, number) => value === (number & 0xff))).toBe(true)
    numbers.clear()
    expect(numbers.view().length).toBe(0)
  },
)

it('double below a mebibyte, and take memory that is mapped by itself from there on', () => {
  expect(grownLength(1024, 4)).toBe(2048)
  expect(grownLength(mebibyte / 8, 4)).toBe(mebibyte / 4)
  for (const bytes of [1, 4, 8]) {
    expect(grownLength(mebibyte / bytes, bytes) * bytes).toBeGreaterThan(32 * mebibyte)
    expect(grownLength((40 * mebibyte) / bytes, bytes) * bytes).toBe(80 * mebibyte)
  }
})
