/** The bench of first requests, tiny: services with and without practice start and answer. */
import { expect, it } from 'vitest'
import { firstBench } from '../../../../bench/first/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('measures first and warm requests, with and without practice', async () => {
  const { result, lines } = await firstBench.run(tinyOptions())
  const rows = result as {
    warmUpMs: number
    firstP99Ms: number
    warmP99Ms: number
    readyMs: number
  }[]
  expect(rows.map(({ warmUpMs }) => warmUpMs)).toEqual([0, 50])
  for (const { readyMs, firstP99Ms, warmP99Ms } of rows) {
    expect(Math.min(readyMs, firstP99Ms, warmP99Ms)).toBeGreaterThan(0)
  }
  expect(lines).toHaveLength(2 + rows.length)
})
