/** The fuzzer, for some seconds; `npm run suite -- fuzz` runs it for as long as one likes. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { fuzzService } from '../../support/fuzz/target.ts'

it('keeps its promises whatever is sent to the service, which is as well afterwards', async () => {
  const directory = temporaryDirectory()
  const statuses = await fuzzService({ directory, requests: 4_000, seed: 7, report: () => {} })
  const met = Object.keys(statuses).map(Number)
  for (const status of [200, 304, 400, 401, 402, 404, 405, 431, 505]) {
    expect(met).toContain(status)
  }
})
