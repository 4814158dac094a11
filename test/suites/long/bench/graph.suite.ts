import { expect, it } from 'vitest'
import { run } from '../../../../bench/graph/bench.ts'

it('ranks the same connections in memory and on disk, to the same masses', async () => {
  const options = { size: 'tiny', signal: new AbortController().signal, report: () => {} } as const
  const rows = await run(options)
  expect(rows.map(({ connections }) => connections)).toEqual([600, 1_500])
  for (const { memory, duckdb } of rows) expect(duckdb.digest).toBe(memory.digest)
})
