/** The bench of one build against another: that it runs, and how it counts. */
import { expect, test } from 'vitest'
import { report, rowOf, run } from '../../../../bench/against/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

test('a build is measured against another checkout, here itself', async () => {
  const rows = await run({ ...tinyOptions(), flags: { checkout: '.' } })
  expect(rows).toMatchObject([{ route: 'search' }])
  expect(rows[0]!.hereUs).toBeGreaterThan(0)
  expect(report(rows)).toHaveLength(3)
})

test('a key with a cap is measured beside one without', async () => {
  const rows = await run({ ...tinyOptions(), flags: { cap: '1000' } })
  expect(rows[0]!.ratioMedian).toBeGreaterThan(0)
})

test('the speed is the median of the ratios of the rounds', () => {
  const row = rowOf('match', [
    { here: 10, there: 11 },
    { here: 10, there: 20 },
    { here: 20, there: 10 },
  ])
  expect(row).toMatchObject({ hereUs: 10, thereUs: 11, ratioMedian: 1.1, ratioLeast: 0.5 })
})
