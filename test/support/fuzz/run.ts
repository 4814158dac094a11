/**
 * The fuzzer by hand, for as long as one likes.
 *
 *     npm run suite -- fuzz --requests 1000000 [--seed N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fuzzService } from './target.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { requests: text, seed: text } })
const requests = Number(values.requests ?? 100_000)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const directory = mkdtempSync(join(tmpdir(), 'fuzz-'))
let next = 0
const report = (done: number) => {
  if (done < next) return
  console.error(`${done} of ${requests} requests`)
  next = done + requests / 10
}
try {
  console.error(`seed ${seed}`)
  const statuses = await fuzzService({ directory, requests, seed, report })
  console.log(JSON.stringify({ seed, requests, statuses }))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
