/** The fuzzer for longer than in `npm test`: `npm run suite -- fuzz` runs it for as long as one likes. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { fuzzService } from '../../../support/fuzz/target.ts'

it('keeps its promises whatever is sent to it, and is as well afterwards', async () => {
  const directory = temporaryDirectory()
  const statuses = await fuzzService({ directory, requests: 12_000, seed: 7, report: () => {} })
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '402', '431', '505']))
})
