/**
 * The cost of history: the size of a year of daily changes on the disk, and how long a page of it
 * takes the thread that serves it, for people chosen at random.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activate } from '../../src/api/active-snapshot.ts'
import { changesFolder, readChain } from '../../src/snapshot/changes/change-directory.ts'
import { Random } from '../../test/support/random.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData, loadAnnounced, sdusOf } from '../shared/data/data.ts'
import { getter } from '../shared/in-process.ts'
import { table } from '../shared/report.ts'
import { writeYear } from './year.ts'

const sizes = {
  tiny: { authorities: 300, days: 10, requests: 50 },
  full: { authorities: 100_000, days: 365, requests: 5_000 },
} as const

/** Of the people, how many change every day. */
const share = 0.01

/** One figure and what it may be at most. */
interface HistoryRow {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'MB'
  readonly target: number
}

/** The bench, as commands run it. */
export const historyBench: Bench = {
  name: 'history',
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows }, lines: report(rows) }
  },
}

/** Runs the bench and returns its rows. */
async function run({ size, directory, report: tell }: BenchOptions): Promise<HistoryRow[]> {
  const { authorities, days, requests } = sizes[size]
  const snapshot = loadAnnounced((await benchData(authorities, directory)).snapshots)
  const year = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    tell(`writing ${days} days of changes`)
    writeYear(year, snapshot, { days, share })
    const bytes = bytesOf(join(year, changesFolder))
    const startedMs = performance.now()
    const { files } = readChain(year, snapshot.header.id)
    tell(`read ${files.length} files in ${(performance.now() - startedMs).toFixed(0)} ms`)
    const get = getter(activate(snapshot, { changes: files }))
    const sdus = sdusOf(snapshot)
    const since = files[0]!.header.parent
    const history = timesMs(requests, (random) => {
      get(`/api/v1/history?sdus=${sdus[random.below(sdus.length)]}`)
    })
    const changes = timesMs(requests, (random) => {
      get(`/api/v1/changes?since=${since}&sdus=${sdus[random.below(sdus.length)]}`)
    })
    const page = timesMs(Math.min(requests, 200), () => {
      get(`/api/v1/changes?since=${since}`)
    })
    return [
      { what: `${days} days of changes on the disk`, value: bytes / 1e6, unit: 'MB', target: 500 },
      ...rowsOf("one person's history", history),
      ...rowsOf("one person's changes", changes),
      ...rowsOf('a full page of changes', page),
    ]
  } finally {
    rmSync(year, { recursive: true, force: true })
  }
}

function rowsOf(what: string, sortedMs: readonly number[]): HistoryRow[] {
  const at = (part: number) => sortedMs[Math.floor(part * (sortedMs.length - 1))]!
  return [
    { what: `${what}, p50`, value: at(0.5), unit: 'ms', target: 5 },
    { what: `${what}, p99`, value: at(0.99), unit: 'ms', target: 5 },
  ]
}

/** How long something takes so many times, ascending; a tenth of that many before, to warm up. */
function timesMs(count: number, work: (random: Random) => void): number[] {
  const random = new Random(3, 0)
  for (let warm = 0; warm < count / 10; warm += 1) work(random)
  const times: number[] = []
  for (let done = 0; done < count; done += 1) {
    const startedMs = performance.now()
    work(random)
    times.push(performance.now() - startedMs)
  }
  return times.sort((a, b) => a - b)
}

function bytesOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** The rows as lines. */
function report(rows: readonly HistoryRow[]): string[] {
  return table(rows, {
    what: ({ what }) => what,
    measured: ({ value, unit }) => `${value.toFixed(unit === 'ms' ? 3 : 1)} ${unit}`,
    'at most': ({ target, unit }) => `${target} ${unit}`,
  })
}
