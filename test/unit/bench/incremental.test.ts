import { expect, it } from 'vitest'
import { run } from '../../../bench/incremental/bench.ts'

it('makes the same bytes by full and by incremental syncs of changed people', async () => {
  const options = { size: 'tiny', signal: new AbortController().signal, report: () => {} } as const
  const rows = await run(options)
  expect(rows.map(({ connections }) => connections)).toEqual(['the same', 'changed, too'])
  for (const { isSame } of rows) expect(isSame).toBe(true)
})
