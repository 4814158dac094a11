/**
 * The first searches of a process beside those that it answers when it has run for a while: what the service
 * itself says each took, on one connection, no text twice, with and without practice at the start. It needs
 * the built service. Starts take turns, and each figure is the median of the starts of its kind.
 */
import { activate } from '../../src/api/active-snapshot.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import { durationOf } from '../search/durations.ts'
import { drawWordsOfOne } from '../search/kinds.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { type Columns, table } from '../shared/report.ts'
import { median, shareOf } from '../shared/rounds.ts'

/** What one start came to; milliseconds. */
interface Start {
  readonly readyMs: number
  readonly firstP99Ms: number
  readonly firstMostMs: number
  readonly nextP99Ms: number
  readonly warmP99Ms: number
}

/** The medians of the starts with so much practice. */
interface FirstRow extends Start {
  readonly authorities: number
  readonly warmUpMs: number
  /** The p99 of the first requests by that of warm ones, in the same process. */
  readonly firstByWarm: number
}

const first = 1_000

const sizes = {
  tiny: { authorities: 300, starts: 1, next: 100, between: 100, warm: 200, practiceMs: [0, 50] },
  full: {
    ...{ authorities: 100_000, starts: 3, next: 3_000, between: 16_000, warm: 10_000 },
    practiceMs: [0, 500, 1_000, 2_000],
  },
} as const

/** The bench, as commands run it. */
export const firstBench: Bench = {
  name: 'first',
  run: async (options) => {
    const rows = await run(options)
    return { result: rows, lines: table(rows, columns) }
  },
}

async function run({ size, directory, report, signal }: BenchOptions): Promise<FirstRow[]> {
  const plan = sizes[size]
  const { authorities, starts, practiceMs } = plan
  const { snapshots } = await benchData(authorities, directory)
  const snapshot = loadAnnounced(snapshots)
  const count = first + plan.next + plan.between + plan.warm
  const texts = drawWordsOfOne(snapshot, activate(snapshot), count)
  const found = practiceMs.map((): Start[] => [])
  for (let round = 0; round < starts; round += 1) {
    for (const [at, warmUpMs] of practiceMs.entries()) {
      report(`start ${round + 1} of ${starts}, ${warmUpMs} ms of practice`)
      found[at]!.push(
        await startOf({ snapshots, texts, warmUpMs, next: plan.next, warm: plan.warm, signal }),
      )
    }
  }
  return practiceMs.map((warmUpMs, at) => rowOf(authorities, warmUpMs, found[at]!))
}

interface StartOptions {
  readonly snapshots: string
  readonly texts: readonly string[]
  readonly warmUpMs: number
  readonly next: number
  readonly warm: number
  readonly signal: AbortSignal
}

async function startOf({
  snapshots,
  texts,
  warmUpMs,
  next,
  warm,
  signal,
}: StartOptions): Promise<Start> {
  const children = new Children(signal)
  try {
    const startedMs = performance.now()
    const words = ['--warm-up-ms', String(warmUpMs)]
    const { port, key } = await startRichService(children, { snapshots, threads: 1, words })
    const readyMs = performance.now() - startedMs
    const connection = await Connection.open(port)
    const durationsMs: number[] = []
    for (const text of texts) durationsMs.push(await durationOf(connection, text, key))
    connection.close()
    const part = (from: number, to?: number) =>
      Float64Array.from(durationsMs.slice(from, to)).sort()
    const firstMs = part(0, first)
    return {
      readyMs,
      firstP99Ms: shareOf(firstMs, 0.99),
      firstMostMs: firstMs.at(-1)!,
      nextP99Ms: shareOf(part(first, first + next), 0.99),
      warmP99Ms: shareOf(part(-warm), 0.99),
    }
  } finally {
    await children.close()
  }
}

function rowOf(authorities: number, warmUpMs: number, starts: readonly Start[]): FirstRow {
  const of = (figure: (start: Start) => number) => median(starts.map(figure))
  return {
    authorities,
    warmUpMs,
    readyMs: of(({ readyMs }) => readyMs),
    firstP99Ms: of(({ firstP99Ms }) => firstP99Ms),
    firstMostMs: of(({ firstMostMs }) => firstMostMs),
    nextP99Ms: of(({ nextP99Ms }) => nextP99Ms),
    warmP99Ms: of(({ warmP99Ms }) => warmP99Ms),
    firstByWarm: of(({ firstP99Ms, warmP99Ms }) => firstP99Ms / warmP99Ms),
  }
}

const columns: Columns<FirstRow> = {
  authorities: ({ authorities }) => authorities,
  'practice ms': ({ warmUpMs }) => warmUpMs,
  'ready ms': ({ readyMs }) => readyMs.toFixed(0),
  'first 1,000: p99 ms': ({ firstP99Ms }) => firstP99Ms.toFixed(2),
  'most ms': ({ firstMostMs }) => firstMostMs.toFixed(2),
  'next 3,000: p99 ms': ({ nextP99Ms }) => nextP99Ms.toFixed(2),
  'warm: p99 ms': ({ warmP99Ms }) => warmP99Ms.toFixed(2),
  'first by warm': ({ firstByWarm }) => firstByWarm.toFixed(1),
}
