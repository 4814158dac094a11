/**
 * What counting and limiting cost: the throughput of the cheapest request there is, bare, counted
 * (the metrics and the limit of connections), and limited too (the rate limit and its two headers),
 * in one run. Every manner is a server thread of its own; rounds are interleaved, and a cost is the
 * median of their ratios.
 *
 *     npx tsx bench/guard.ts          tiny: seconds, to see that it works
 *     npx tsx bench/guard.ts --full   minutes, for figures
 */
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyHash, newKeyText } from '../src/ledger/key.ts'
import { textAt } from '../src/memory/text-table.ts'
import type { Snapshot } from '../src/snapshot/file.ts'
import { type BenchSize, benchData, loadData } from './data.ts'
import type { GuardManner, GuardStart } from './guard-thread.ts'
import { untilInterrupted } from './interrupt.ts'
import { isMain, table } from './report.ts'
import { writeResult } from './results.ts'
import { type Ratios, type Round, ratiosOf, roundsOf } from './rounds.ts'
import { Children } from './wire/children.ts'
import { divideCores } from './wire/cores.ts'
import { ownLoad, wrkLoad } from './wire/load.ts'
import { median } from './wire/measure.ts'
import { startWorkerServer, throughput, type WorkerServer } from './worker-server.ts'

const manners = ['bare', 'counted', 'limited'] as const

/** What a manner costs. */
export interface GuardRow extends Ratios {
  readonly manner: GuardManner
  /** Requests in a second of work, median of the rounds. */
  readonly perSecond: number
}

/** The least ratio that is good enough. */
export const ratioTarget = 0.97

const sizes = {
  tiny: { authorities: 300, rounds: 1, seconds: 1 },
  full: { authorities: 10_000, rounds: 60, seconds: 1 },
} as const
const connections = 64

/** How the bench is run; `signal` ends all it started. */
export interface GuardOptions {
  readonly size: BenchSize
  readonly signal: AbortSignal
  /** Of the data; the one that all benches share when it is absent. */
  readonly directory?: string
}

/** Runs the bench and answers a row for each manner. */
export async function run({ size, signal, directory }: GuardOptions): Promise<GuardRow[]> {
  const plan = sizes[size]
  const children = new Children(signal)
  try {
    const snapshot = loadData(await benchData(plan.authorities, directory))
    return rowsOf(await measure(snapshot, plan, children))
  } finally {
    await children.close()
  }
}

/** A search for a topic: the answer is one slice of the cache, so that anything else weighs most. */
function targetOf({ sections }: Snapshot): string {
  const topics = { text: sections['topic-key.text'], ends: sections['topic-key.ends'] }
  return `/api/v1/index?query=${encodeURIComponent(textAt(topics, 0))}&limit=1`
}

async function measure(
  snapshot: Snapshot,
  plan: { readonly rounds: number; readonly seconds: number },
  children: Children,
): Promise<Round<GuardManner>[]> {
  const file = join(children.directory, 'targets')
  writeFileSync(file, `${targetOf(snapshot)}\n`)
  const cores = divideCores()?.generator
  const load = wrkLoad(children, cores) ?? ownLoad(children, cores)
  const key = newKeyText((count) => randomFillSync(new Uint8Array(count)))
  const owner = { hash: keyHash(key), accountSlot: 0, keyId: 'bench', expiresAtMs: Infinity }
  const keyTable = { keys: [owner] }
  const start = (manner: GuardManner) => startServer({ manner, snapshot, keyTable })
  const servers = { bare: start('bare'), counted: start('counted'), limited: start('limited') }
  const { seconds } = plan
  const order = { key, file, offset: 0, connections, depth: 1, pauseMs: 0, seconds }
  try {
    return await roundsOf(manners, plan.rounds, (manner) =>
      throughput(servers[manner], load, order),
    )
  } finally {
    await Promise.all(Object.values(servers).map(({ end }) => end()))
  }
}

function startServer(start: GuardStart): WorkerServer {
  return startWorkerServer(new URL('./guard-thread.ts', import.meta.url), start)
}

/** What the rounds say of each manner. */
export function rowsOf(rounds: readonly Round<GuardManner>[]): GuardRow[] {
  return manners.map((manner) => ({
    manner,
    perSecond: median(rounds.map((round) => round[manner])),
    ...ratiosOf(rounds, manner, 'bare'),
  }))
}

/** The rows as a table. */
export function report(rows: readonly GuardRow[]): string[] {
  return table(
    ['server', 'requests in a second of work', 'by the bare one', 'least', 'most', 'target'],
    rows.map((row) => [
      row.manner,
      row.perSecond.toFixed(0),
      ...[row.ratioMedian, row.ratioLeast, row.ratioMost].map((ratio) => ratio.toFixed(3)),
      row.manner === 'bare' ? '-' : ratioTarget.toFixed(2),
    ]),
  )
}

if (isMain(import.meta.url)) {
  const size = process.argv.includes('--full') ? 'full' : 'tiny'
  await untilInterrupted(async (signal) => {
    const startedAt = new Date()
    const rows = await run({ size, signal })
    for (const line of report(rows)) console.log(line)
    const result = { rows, ratioTarget }
    console.error(`written to ${writeResult({ bench: 'guard', size, startedAt, result })}`)
  })
}
