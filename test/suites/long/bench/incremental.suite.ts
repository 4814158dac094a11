/** The bench of incremental syncs, tiny: both ways make the same snapshots. */
import { expect, it } from 'vitest'
import { run } from '../../../../bench/incremental/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('makes the same bytes by full and by incremental syncs of changed people', async () => {
  const rows = await run(tinyOptions())
  expect(rows.map(({ every, connections }) => [every, connections])).toEqual([
    [100, 'the same'],
    [100, 'changed, too'],
    [10, 'changed, too'],
    [1, 'changed, too'],
  ])
  for (const { isSame } of rows) expect(isSame).toBe(true)
})
