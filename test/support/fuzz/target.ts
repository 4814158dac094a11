/** The service under the fuzzer: two accounts whose balances never meet, and whether it is well. */
import { join } from 'node:path'
import { type RunningService, run, startService } from '../program.ts'
import type { Keys } from './cases.ts'
import { fuzz, type Statuses } from './fuzz.ts'

/** The poor account has nothing left after a search; the rich one never comes near it. */
const richUsd = 1_000_000
const poorUsd = 50
const searchUsd = poorUsd

interface Order {
  readonly directory: string
  readonly requests: number
  readonly seed: number
}

/** @throws Error when a promise was broken, when it has ended, lost a thread or met a bug. */
export async function fuzzService({ directory, ...order }: Order): Promise<Statuses> {
  const flags = ['--price', `search=${searchUsd}`, '--failed-key-limit', '0']
  const service = await startService(directory, flags)
  try {
    const poor = service.headers.authorization!.slice('Bearer '.length)
    const keys = { poor, rich: await openRichAccount(join(directory, 'data')) }
    await untilKnown(service, keys)
    const mayHave = (account: string, usd: number) => (account === 'poor') === usd <= poorUsd
    const statuses = await fuzz({ ...order, port: service.port, keys, mayHave })
    await assertWell(service, keys)
    return statuses
  } finally {
    const { stderr } = await service.stop('SIGKILL')
    const bugs = stderr.split('\n').filter((line) => line.includes('"level":"error"'))
    if (bugs.length > 0) process.stderr.write(`${bugs.slice(0, 5).join('\n')}\n`)
  }
}

async function openRichAccount(data: string): Promise<string> {
  const ledger = ['--data', data, '--json']
  await run(['account', 'create', 'rich', ...ledger])
  await run(['account', 'top-up', 'rich', String(richUsd), '--reference', 'fuzz', ...ledger])
  const { stdout } = await run(['key', 'issue', '--account', 'rich', ...ledger])
  return JSON.parse(stdout).key
}

/** The service sees what a command has changed within a second. */
async function untilKnown(service: RunningService, { rich }: Keys): Promise<void> {
  const headers = { authorization: `Bearer ${rich}` }
  for (let status = 0; status !== 200; ) {
    status = (await fetch(`${service.address}/api/v1/match?handle=a`, { headers })).status
  }
}

async function assertWell(service: RunningService, { rich }: Keys): Promise<void> {
  const headers = { authorization: `Bearer ${rich}` }
  const answer = await fetch(`${service.address}/api/v1/index?query=rust`, { headers })
  const { results } = (await answer.json()) as { results: unknown[] }
  if (answer.status !== 200 || results.length === 0) throw new Error(`answered ${answer.status}`)
  const response = await fetch(`${service.address}/readyz`)
  const readiness = (await response.json()) as { ready: boolean; thread_deaths: number }
  if (!readiness.ready || readiness.thread_deaths > 0) {
    throw new Error(`not well: ${JSON.stringify(readiness)}`)
  }
}
