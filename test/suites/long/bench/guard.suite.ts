/** The guard bench: that it runs, and how it counts. */
import { describe, expect, test } from 'vitest'
import { report, rowsOf, run } from '../../../../bench/guard/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

describe('the guard bench', () => {
  test('measures the server bare, counted and limited', async () => {
    const rows = await run(tinyOptions())
    expect(rows.map(({ manner }) => manner)).toEqual(['bare', 'counted', 'limited'])
    for (const { perSecond } of rows) expect(perSecond).toBeGreaterThan(0)
    expect(report(rows)).toHaveLength(rows.length + 2)
  })

  test('gives each cost as the median of the ratios of its rounds', () => {
    const [bare, counted, limited] = rowsOf([
      { bare: 100, counted: 90, limited: 80 },
      { bare: 200, counted: 200, limited: 190 },
      { bare: 300, counted: 297, limited: 270 },
    ])
    expect(bare).toMatchObject({ perSecond: 200, ratioMedian: 1 })
    expect(counted).toMatchObject({ perSecond: 200, ratioLeast: 0.9, ratioMedian: 0.99 })
    expect(limited).toMatchObject({ ratioLeast: 0.8, ratioMedian: 0.9, ratioMost: 0.95 })
  })
})
