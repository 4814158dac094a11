/**
 * What each kind of request costs, from one table of requests (`requests.ts`). All kinds take turns in
 * this process, without a wire, so that what slows the machine slows all of them. Batches run against
 * the built service over HTTP, beside Redis (`batches.ts`). Times in microseconds.
 */
import { activate } from '../../src/api/active-snapshot.ts'
import { madeOf } from '../../src/engine/derived-indexes.ts'
import { bytesPerCall } from '../shared/allocated.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { announcedIn, loadAnnounced } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'
import { type BatchResult, batchReport, measureBatches } from './batches.ts'
import { cutTarget, doors } from './doors.ts'
import { countLines, type LinesRow, linesReport } from './lines.ts'
import { type LoopRow, loopsReport, measureLoops } from './loops.ts'
import { type RequestKind, requestKinds } from './requests.ts'

/** One kind of request beside the kind that it is compared with. */
interface RouteRow {
  readonly name: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  /** Allocated by a request, on the mean. */
  readonly bytes: number
  readonly by: string
  /** Of the medians: above 1 costs more than the other kind. */
  readonly ratio: number
  /** Of the medians, in microseconds. */
  readonly moreUs: number
  readonly wanted: string
}

/** All that came of a run. */
interface RoutesResult {
  readonly rows: readonly RouteRow[]
  readonly batches: BatchResult | undefined
  /** Lines of memory; undefined for a part of the requests. */
  readonly lines: readonly LinesRow[] | undefined
  /** Tight loops; undefined for a part of the requests. */
  readonly loops: readonly LoopRow[] | undefined
}

const sizes = {
  tiny: { authorities: 300, topics: 20, rounds: 20 },
  full: { authorities: 1_000_000, topics: 2_000, rounds: 4_000 },
} as const

/** `--only` with this measures the tight loops alone. */
const onlyLoops = 'loops'

/** The bench, as commands run it. */
export const routesBench: Bench = {
  name: 'routes',
  flags: ['snapshots', 'only'],
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result) }
  },
}

/** Runs the bench. */
async function run(options: BenchOptions): Promise<RoutesResult> {
  const { size, flags } = options
  const { authorities, topics, rounds } = sizes[size]
  const snapshots = await announcedIn(options, authorities)
  const snapshot = loadAnnounced(snapshots)
  const served = activate(snapshot, madeOf(snapshot))
  const only = flags?.only ?? ''
  const all = requestKinds(served.catalog, { topics, texts: rounds })
  const isOfLoops = only === onlyLoops
  const wanted = isOfLoops ? [] : all.filter(({ name }) => name.includes(only))
  const kinds = all.filter((kind) => wanted.some((each) => each === kind || each.by === kind.name))
  const rows = measure(kinds, doors(served), rounds)
  const batches = only === '' ? await measureBatches(snapshots, served, options) : undefined
  const lines = only === '' ? countLines(snapshot) : undefined
  const isWithLoops = only === '' || isOfLoops
  const loops = isWithLoops ? await measureLoops(snapshot, served, options) : undefined
  return { rows, batches, lines, loops }
}

/** All kinds by turns, each request another one; a tenth of them before, to warm up the code. */
function measure(
  kinds: readonly RequestKind[],
  ask: ReturnType<typeof doors>,
  rounds: number,
): RouteRow[] {
  const timesUs = new Map(kinds.map(({ name }) => [name, [] as number[]]))
  for (let round = -Math.ceil(rounds / 10); round < rounds; round += 1) {
    for (const { name, door, target, every = 1 } of kinds) {
      if (round % every !== 0) continue
      const get = ask[door]
      const path = cutTarget(target(Math.abs(round) / every, round))
      const startedMs = performance.now()
      get(path)
      if (round >= 0) timesUs.get(name)!.push((performance.now() - startedMs) * 1000)
    }
  }
  for (const times of timesUs.values()) times.sort((a, b) => a - b)
  return kinds.map((kind) => ({ ...rowOf(kind, timesUs), bytes: bytesOf(kind, ask, rounds) }))
}

/** Bytes that a request of a kind allocates, in rounds behind those that were measured. */
function bytesOf(
  { door, target, every = 1 }: RequestKind,
  ask: ReturnType<typeof doors>,
  rounds: number,
): number {
  const count = Math.ceil(rounds / every)
  const paths = Array.from({ length: count }, (_, at) => cutTarget(target(at, rounds + at)))
  return bytesPerCall(count, (index) => ask[door](paths[index]!))
}

/** The figures of a kind. @param timesUs of each kind, ascending. */
function rowOf(
  { name, by = name, wanted = '' }: Pick<RequestKind, 'name' | 'by' | 'wanted'>,
  timesUs: ReadonlyMap<string, readonly number[]>,
): Omit<RouteRow, 'bytes'> {
  const times = timesUs.get(name)!
  const p50Us = shareOf(times, 0.5)
  const otherUs = shareOf(timesUs.get(by)!, 0.5)
  return {
    name,
    requests: times.length,
    p50Us,
    p99Us: shareOf(times, 0.99),
    by,
    ratio: p50Us / otherUs,
    moreUs: p50Us - otherUs,
    wanted,
  }
}

/** A table of the kinds, and those of batches, of lines and of loops. */
function report({ rows, batches, lines: counted, loops }: RoutesResult): string[] {
  const tables = [
    rows.length === 0 ? [] : requestsReport(rows),
    batches === undefined ? [] : batchReport(batches),
    counted === undefined ? [] : linesReport(counted),
    loops === undefined ? [] : loopsReport(loops),
  ].filter(({ length }) => length > 0)
  return tables.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function requestsReport(rows: readonly RouteRow[]): string[] {
  const isCompared = ({ name, by }: RouteRow) => name !== by
  return table(rows, {
    request: ({ name }) => name,
    requests: ({ requests }) => requests,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(2),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(2),
    bytes: ({ bytes }) => bytes.toFixed(0),
    'compared with': (row) => (isCompared(row) ? row.by : '-'),
    ratio: (row) => (isCompared(row) ? row.ratio.toFixed(2) : '-'),
    'more µs': (row) => (isCompared(row) ? row.moreUs.toFixed(2) : '-'),
    wanted: ({ wanted }) => wanted,
  })
}
