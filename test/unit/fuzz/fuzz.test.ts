/** The fuzzer, for some seconds; `FUZZ_REQUESTS=1000000` is for longer, `FUZZ_SEED=N` draws others. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { fuzzService } from '../../support/fuzz/target.ts'

const requests = Number(process.env.FUZZ_REQUESTS ?? 4_000)
const seed = Number(process.env.FUZZ_SEED ?? 7)

it('keeps its promises whatever is sent to the service, which is as well afterwards', {
  timeout: 180_000 + 10 * requests,
}, async () => {
  const statuses = await fuzzService({ directory: temporaryDirectory(), requests, seed })
  const met = Object.keys(statuses).map(Number)
  for (const status of [200, 304, 400, 401, 402, 404, 405, 431, 505]) {
    expect(met).toContain(status)
  }
})
