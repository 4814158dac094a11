/** The search bench, tiny: every engine answers every kind of query. */
import { expect, it } from 'vitest'
import { report, run } from '../../bench/search/bench.ts'
import { tinyOptions } from './tiny.ts'

it('measures every engine on every kind of query', async () => {
  const rows = await run(tinyOptions())
  const engines = new Set(rows.map(({ engine }) => engine))
  expect([...engines]).toEqual(['authority-index', 'FlexSearch', 'MiniSearch', 'Orama'])
  for (const engine of engines) {
    expect(rows.filter((row) => row.engine === engine)).toHaveLength(rows.length / engines.size)
  }
  expect(rows.every(({ p50Us, p99Us }) => p50Us > 0 && p99Us >= p50Us)).toBe(true)
  expect(report(rows)).toHaveLength(rows.length + 2)
})
