/** The bench of precise requests, tiny: every kind is asked, and percentiles are what they say. */
import { expect, it } from 'vitest'
import { report, rowOf, run } from '../../../bench/precise/bench.ts'
import { tinyOptions } from '../../support/tiny.ts'

it('measures every kind of request', async () => {
  const result = await run(tinyOptions())
  const { rows, ratios, figures } = result
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.every(({ p50Us, p99Us }) => p50Us > 0 && p99Us >= p50Us)).toBe(true)
  expect(rows.filter(({ targetUs }) => targetUs !== undefined).length).toBeGreaterThan(5)
  expect(ratios.every(({ value }) => value > 0)).toBe(true)
  expect(figures.map(({ asked }) => asked)).toEqual([20, 20, 20])
  expect(figures[0]!.right).toBe(20)
  const lines = rows.length + ratios.length + figures.length
  expect(report(result)).toHaveLength(lines + 2 * 3 + 2)
})

it('tells the times that half and that one in a hundred take at least', () => {
  const times = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(rowOf('any', times, undefined)).toMatchObject({ p50Us: 50, p99Us: 99, requests: 100 })
})
