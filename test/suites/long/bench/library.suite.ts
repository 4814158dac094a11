/** The bench of the library, tiny: every store answers, and its figures are what they say. */
import { expect, it } from 'vitest'
import { report, run } from '../../../../bench/library/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('measures columns beside a map and a database, in time and in memory', async () => {
  const result = await run(tinyOptions())
  const names = result.rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Map', 'scores(list)', 'scores(lines)', 'LMDB']))
  expect(result.rows.every(({ microseconds }) => microseconds > 0)).toBe(true)
  expect(result.rows[0]).toMatchObject({ name: 'Map', byMap: 1 })
  expect(report(result)).toHaveLength(result.rows.length + 4 + 2 * result.left.length)
})
