/** The bench of precise requests, tiny: every kind is asked, and percentiles are what they say. */
import { expect, it } from 'vitest'
import { report, rowOf, run } from '../../bench/precise/bench.ts'
import { tinyOptions } from './tiny.ts'

it('measures every kind of request', async () => {
  const rows = await run(tinyOptions())
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.every(({ p50Us, p99Us }) => p50Us > 0 && p99Us >= p50Us)).toBe(true)
  expect(rows.filter(({ targetUs }) => targetUs !== undefined).length).toBeGreaterThan(5)
  expect(report(rows)).toHaveLength(rows.length + 2)
})

it('tells the times that half and that one in a hundred take at least', () => {
  const times = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(rowOf('any', times, undefined)).toMatchObject({ p50Us: 50, p99Us: 99, requests: 100 })
})
