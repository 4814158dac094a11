/**
 * What counting and limiting cost: the throughput of the cheapest request there is, bare, counted
 * (the metrics and the limit of connections), and limited too (the rate limit and its two headers),
 * in one run. Every manner is a server thread of its own; rounds are interleaved, and a cost is the
 * median of their ratios.
 */
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyHash, newKeyText } from '../../src/ledger/key.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import type { Bench, BenchOptions, BenchSize } from '../shared/bench.ts'
import { benchData, loadAnnounced, topicTexts } from '../shared/data/data.ts'
import { startLoad } from '../shared/load/load.ts'
import { Children } from '../shared/processes/children.ts'
import { divideCores } from '../shared/processes/cores.ts'
import {
  startWorkerServer,
  throughput,
  type WorkerServer,
} from '../shared/processes/worker-server.ts'
import { table } from '../shared/report.ts'
import { median, type Ratios, type Round, ratiosOf, roundsOf } from '../shared/rounds.ts'
import type { GuardManner, GuardStart } from './guard-thread.ts'

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

/** The bench, as commands run it. */
export const guardBench: Bench = {
  name: 'guard',
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows, ratioTarget }, lines: report(rows) }
  },
}

/** Runs the bench and returns a row for each manner. */
export async function run({ size, signal, directory }: BenchOptions): Promise<GuardRow[]> {
  const plan = sizes[size]
  const children = new Children(signal)
  try {
    const snapshot = loadAnnounced((await benchData(plan.authorities, directory)).snapshots)
    return rowsOf(await measure(snapshot, { ...plan, size }, children))
  } finally {
    await children.close()
  }
}

/** A search for a topic: the answer is one slice of the cache, so that anything else weighs most. */
function targetOf(snapshot: Snapshot): string {
  const [label = ''] = topicTexts(snapshot).labels
  return `/api/v1/index?query=${encodeURIComponent(label)}&limit=1`
}

async function measure(
  snapshot: Snapshot,
  plan: { readonly rounds: number; readonly seconds: number; readonly size: BenchSize },
  children: Children,
): Promise<Round<GuardManner>[]> {
  const file = join(children.directory, 'targets')
  writeFileSync(file, `${targetOf(snapshot)}\n`)
  const load = startLoad(children, plan.size, divideCores()?.generator)
  const key = newKeyText((count) => randomFillSync(new Uint8Array(count)))
  const owner = { hash: keyHash(key), accountSlot: 0, keyId: 'bench', expiresAtMs: Infinity }
  const keyTable = { version: 1, keys: [owner] }
  const start = (manner: GuardManner) => startServer({ manner, snapshot, keyTable })
  const servers = { bare: start('bare'), counted: start('counted'), limited: start('limited') }
  const { seconds } = plan
  const order = { key, file, offset: 0, connections, depth: 1, seconds }
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
