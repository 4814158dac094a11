/** The bench of batches, tiny: every server that is installed answers, and the figures are ratios of them. */
import { expect, it } from 'vitest'
import { report, run } from '../../../bench/batches/bench.ts'
import { tinyOptions } from '../../support/tiny.ts'

it('measures what a handle takes of each server', async () => {
  const result = await run(tinyOptions())
  const { rows, figures, left } = result
  expect(rows.length + left.length).toBe(3)
  expect(rows.every(({ cpuUs }) => cpuUs > 0)).toBe(true)
  const single = rows.at(-1)!.cpuUs / rows[0]!.cpuUs
  expect(figures.at(-1)!.value).toBeCloseTo(single)
  expect(report(result).length).toBeGreaterThan(rows.length + figures.length)
})
