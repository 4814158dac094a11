/** The history bench, tiny: a few days of changes are written, read and timed. */
import { expect, it } from 'vitest'
import { report, run } from '../../../bench/history/bench.ts'
import { tinyOptions } from '../../support/tiny.ts'

it('measures the disk and every kind of page', async () => {
  const rows = await run(tinyOptions())
  expect(rows.map(({ unit }) => unit)).toEqual(['MB', 'ms', 'ms', 'ms', 'ms', 'ms', 'ms'])
  expect(rows.every(({ value }) => value > 0)).toBe(true)
  expect(report(rows)).toHaveLength(rows.length + 2)
})
