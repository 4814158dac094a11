/**
 * What counting and limiting cost: the throughput of the cheapest request there is, bare, counted
 * (the metrics and the limit of connections), and limited too (the rate limit and its two headers),
 * in one run. Every manner is a server thread of its own; rounds are interleaved, and a cost is the
 * median of their ratios.
 */
import { randomFillSync } from 'node:crypto'
import { keyHash, newKeyText } from '../../src/ledger/key.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { Children } from '../../test/support/processes/children.ts'
import { startWorkerServer, type WorkerServer } from '../../test/support/processes/worker-server.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData, loadAnnounced, topicTexts } from '../shared/data/data.ts'
import { mannerRounds } from '../shared/manners.ts'
import { table } from '../shared/report.ts'
import { median, type Ratios, type Round, ratiosOf } from '../shared/rounds.ts'
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
  const { authorities, rounds, seconds } = sizes[size]
  const key = newKeyText((count) => randomFillSync(new Uint8Array(count)))
  const owner = { hash: keyHash(key), accountSlot: 0, keyId: 'bench', expiresAtMs: Infinity }
  const children = new Children(signal)
  try {
    const snapshot = loadAnnounced((await benchData(authorities, directory)).snapshots)
    const start = (manner: GuardManner) =>
      startServer({ manner, snapshot, keyTable: { keys: [owner] } })
    const target = targetOf(snapshot)
    const options = { manners, start, key, target, size, rounds, seconds }
    return rowsOf(await mannerRounds(children, options))
  } finally {
    await children.close()
  }
}

/** A search for a topic: the answer is one slice of the cache, so that anything else weighs most. */
function targetOf(snapshot: Snapshot): string {
  const [label = ''] = topicTexts(snapshot).labels
  return `/api/v1/index?query=${encodeURIComponent(label)}&limit=1`
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
  return table(rows, {
    server: ({ manner }) => manner,
    'requests in a second of work': ({ perSecond }) => perSecond.toFixed(0),
    'by the bare one': ({ ratioMedian }) => ratioMedian.toFixed(3),
    least: ({ ratioLeast }) => ratioLeast.toFixed(3),
    most: ({ ratioMost }) => ratioMost.toFixed(3),
    target: ({ manner }) => (manner === 'bare' ? '-' : ratioTarget.toFixed(2)),
  })
}
