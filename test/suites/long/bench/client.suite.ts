/** The bench of the client works, and its coalesced calls are one request at the same cost. */
import { expect, test } from 'vitest'
import { run } from '../../../../bench/client/bench.ts'

test('single calls of one turn are one request at the cost of a request each, kept ones none', async () => {
  const rows = await run({ size: 'tiny', signal: new AbortController().signal, report: () => {} })
  const [each, coalesced, kept, feed] = rows
  expect(each).toMatchObject({ values: 50, requests: 50 })
  expect(coalesced).toMatchObject({ values: 50, requests: 1 })
  expect(coalesced!.costUsd).toBeCloseTo(each!.costUsd, 9)
  expect(kept).toMatchObject({ requests: 0, costUsd: 0 })
  expect(feed).toMatchObject({ values: 1_500, requests: 2 })
})
