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
import type { Snapshot } from '../src/snapshot/file.ts'
import { textAt } from '../src/snapshot/table.ts'
import { type BenchSize, benchData, loadData } from './data.ts'
import type { GuardManner, GuardStart } from './guard-thread.ts'
import { untilInterrupted } from './interrupt.ts'
import { isMain, table } from './report.ts'
import { writeResult } from './results.ts'
import { Children } from './wire/children.ts'
import { divideCores } from './wire/cores.ts'
import { ownLoad, wrkLoad } from './wire/load.ts'
import { median } from './wire/measure.ts'
import { startWorkerServer, type WorkerServer } from './worker-server.ts'

const manners = ['bare', 'counted', 'limited'] as const

/** What a manner costs. */
export interface GuardRow {
  readonly manner: GuardManner
  /** Median of the rounds. */
  readonly perSecond: number
  /** Of the ratio to the bare server, each of one round. */
  readonly ratioMedian: number
  readonly ratioLeast: number
  readonly ratioMost: number
}

/** The least ratio that is good enough. */
export const ratioTarget = 0.97

const sizes = {
  tiny: { authorities: 300, rounds: 1, seconds: 1 },
  full: { authorities: 10_000, rounds: 15, seconds: 3 },
} as const
const connections = 64

/** How the bench is run; `signal` ends all it started. */
export interface GuardOptions {
  readonly size: BenchSize
  readonly signal: AbortSignal
  /** Of the data; the one that all benches share when it is absent. */
  readonly directory?: string
}

/** Requests a second of each manner in one round. */
type Round = Readonly<Record<GuardManner, number>>

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
): Promise<Round[]> {
  const file = join(children.directory, 'targets')
  writeFileSync(file, `${targetOf(snapshot)}\n`)
  const cores = divideCores()?.generator
  const load = wrkLoad(children, cores) ?? ownLoad(children, cores)
  const key = newKeyText((count) => randomFillSync(new Uint8Array(count)))
  const owner = { hash: keyHash(key), accountSlot: 0, keyId: 'bench', expiresAtMs: Infinity }
  const keyTable = { version: 1, keys: [owner] }
  const servers = manners.map((manner) => startServer({ manner, snapshot, keyTable }))
  try {
    const ports = await Promise.all(servers.map(({ port }) => port))
    const order = { key, file, offset: 0, connections, depth: 1, pauseMs: 0 }
    const rounds: Round[] = []
    // The first round warms up and is forgotten.
    for (let round = 0; round <= plan.rounds; round += 1) {
      const perSecond = { bare: 0, counted: 0, limited: 0 }
      for (const turn of manners.keys()) {
        const index = (round + turn) % manners.length
        const { seconds } = plan
        const measured = await load.fire({ ...order, port: ports[index]!, seconds })
        if (measured.failed > 0) throw new Error(`${measured.failed} requests failed`)
        perSecond[manners[index]!] = measured.requests / measured.seconds
      }
      if (round > 0) rounds.push(perSecond)
    }
    return rounds
  } finally {
    await Promise.all(servers.map(({ end }) => end()))
  }
}

function startServer(start: GuardStart): WorkerServer {
  return startWorkerServer(new URL('./guard-thread.ts', import.meta.url), start)
}

/** What the rounds say of each manner. */
export function rowsOf(rounds: readonly Round[]): GuardRow[] {
  return manners.map((manner) => {
    const ratios = rounds.map((round) => round[manner] / round.bare)
    return {
      manner,
      perSecond: median(rounds.map((round) => round[manner])),
      ratioMedian: median(ratios),
      ratioLeast: Math.min(...ratios),
      ratioMost: Math.max(...ratios),
    }
  })
}

/** The rows as a table. */
export function report(rows: readonly GuardRow[]): string[] {
  return table(
    ['server', 'requests/s', 'by the bare one', 'least', 'most', 'target'],
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
