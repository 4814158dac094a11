/** The bench of what people wait for in the explorer: that it runs, and how it counts. */
import { describe, expect, it } from 'vitest'
import { report, rowOf, run } from '../../../bench/explorer/bench.ts'
import { browserPath } from '../../support/processes/browser.ts'
import { tinyOptions } from '../../support/tiny.ts'
import { inBrowser } from './browser.ts'

describe.skipIf(browserPath === undefined)(inBrowser('the bench of the explorer'), () => {
  it('sees people come on the screen, and the list behind each of the ten keys of a name', async () => {
    const rows = await run(tinyOptions())
    expect(rows[1]!.count % 10).toBe(0)
    expect(rows.map(({ wait }) => wait)).toEqual(['opening → people', 'key → list'])
    for (const { count, p50Ms, mostMs } of rows) {
      expect(count).toBeGreaterThan(1)
      expect(p50Ms).toBeGreaterThan(0)
      expect(mostMs).toBeGreaterThanOrEqual(p50Ms)
    }
    expect(report(rows)).toHaveLength(rows.length + 2)
  })

  it('gives the middle, what one in twenty is above, and the most', () => {
    const waits = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(rowOf('x', waits)).toEqual({
      wait: 'x',
      count: 100,
      p50Ms: 51,
      p95Ms: 96,
      mostMs: 100,
    })
  })
})
