/**
 * What a search costs, in three tables: by kind of query and number of authorities beside MiniSearch over
 * the same documents; by kind of what people type, beside what it
 * may cost; and as the service itself says it over HTTP. Cold: what is asked was not asked before as
 * far as there are so many queries of its kind, and the answer cache is not involved.
 */
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import * as tinybench from 'tinybench'
import { activate } from '../../src/api/active-snapshot.ts'
import type { Search } from '../../src/engine/interpret/search.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { bundled } from '../shared/bundled.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { makeQueries, type Queries } from '../shared/data/queries.ts'
import { type Document, documentFields, documentsOf, readRecords } from '../shared/data/records.ts'
import { table } from '../shared/report.ts'
import { type CostRow, costColumns, costsOf } from './costs.ts'
import { type DurationRow, durationColumns, durationsOf } from './durations.ts'
import { drawKinds } from './kinds.ts'

/** One engine, one size, one kind of query; times in microseconds. */
interface SearchRow {
  readonly engine: string
  readonly authorities: number
  readonly kind: string
  readonly meanUs: number
  readonly p50Us: number
  readonly p99Us: number
}

/** The figures of a row. */
type Figures = Omit<SearchRow, 'engine' | 'authorities'>

/** What came of a run. */
interface SearchResult {
  readonly rows: readonly SearchRow[]
  readonly costs: readonly CostRow[]
  readonly durations: readonly DurationRow[]
}

const sizes = {
  tiny: {
    ...{ authorities: [300], peersAt: [300], costsAt: [300], durationsAt: 300 },
    ...{ queries: 50, costQueries: 50, peerQueries: 20 },
  },
  full: {
    authorities: [10_000, 100_000, 1_000_000],
    peersAt: [100_000],
    costsAt: [100_000, 1_000_000],
    durationsAt: 100_000,
    ...{ queries: 4_000, costQueries: 1_000, peerQueries: 100 },
  },
} as const

const limit = 10

/** The bench, as commands run it; with `--only costs` it prints only the second table. */
export const searchBench: Bench = {
  name: 'search',
  flags: ['authorities', 'queries', 'only'],
  run: async (options) => {
    const { only } = options.flags ?? {}
    if (only !== undefined && only !== 'costs') throw new Error(`--only takes costs, not '${only}'`)
    if (only === undefined && Object.keys(options.flags ?? {}).length > 0) {
      throw new Error('--authorities and --queries want --only costs')
    }
    if (only === 'costs') {
      const costs = await costsAtEachSize(options)
      return { result: { costs }, lines: table(costs, costColumns) }
    }
    const result = await run(options)
    return { result, lines: report(result) }
  },
}

/** Runs the bench and returns its rows; what it starts ends with it. */
async function run(options: BenchOptions): Promise<SearchResult> {
  const { size, directory, report, signal } = options
  const plan = sizes[size]
  const rows: SearchRow[] = []
  const costs: CostRow[] = []
  const durations: DurationRow[] = []
  const activateBundled = await bundledActivate()
  for (const authorities of plan.authorities) {
    const data = await benchData(authorities, directory)
    const snapshot = loadAnnounced(data.snapshots)
    const served = activate(snapshot)
    const measureAs = async (engine: string, queryCount: number, ask: Ask) => {
      report(`${authorities} authorities: ${engine}`)
      // Half of them to warm up with, half to measure.
      const queries = makeQueries(snapshot, served, 2 * queryCount)
      const measured = await measure(queries, ask)
      rows.push(...measured.map((row) => ({ engine, authorities, ...row })))
    }
    await measureAs('authority-index', plan.queries, ours(served.search))
    if ((plan.costsAt as readonly number[]).includes(authorities)) {
      report(`${authorities} authorities: what people type`)
      const kinds = drawKinds(snapshot, served, 2 * plan.costQueries)
      costs.push(...costsOf(activateBundled(snapshot).search, authorities, kinds))
    }
    if (authorities === plan.durationsAt) {
      report(`${authorities} authorities: over HTTP`)
      durations.push(await durationsOf(data.snapshots, plan.queries, signal))
    }
    if ((plan.peersAt as readonly number[]).includes(authorities)) {
      await measureAs(
        'MiniSearch',
        plan.peerQueries,
        miniSearch(documentsOf(readRecords(data.source))),
      )
    }
  }
  return { rows, costs, durations }
}

/** What each kind costs, at the sizes of the plan or at the one that is asked for. */
async function costsAtEachSize(options: BenchOptions): Promise<CostRow[]> {
  const plan = sizes[options.size]
  const only = numberOf(options, 'authorities')
  const queries = numberOf(options, 'queries') ?? plan.costQueries
  const costs: CostRow[] = []
  const activateBundled = await bundledActivate()
  for (const authorities of only === undefined ? plan.costsAt : [only]) {
    options.report(`${authorities} authorities: what people type`)
    const { snapshots } = await benchData(authorities, options.directory)
    const snapshot = loadAnnounced(snapshots)
    const served = activate(snapshot)
    const kinds = drawKinds(snapshot, served, 2 * queries)
    costs.push(...costsOf(activateBundled(snapshot).search, authorities, kinds))
  }
  return costs
}

/** What makes a snapshot ready to be asked, as the built service runs it. */
async function bundledActivate(): Promise<typeof activate> {
  const source = join(import.meta.dirname, '../../src/api/active-snapshot.ts')
  return (await bundled<{ readonly activate: typeof activate }>(source)).activate
}

type Ask = (query: string) => unknown

function ours(search: Search): Ask {
  return (query) => search.find(query, limit)
}

async function measure(queries: Queries, ask: Ask): Promise<Figures[]> {
  const rows: Figures[] = []
  for (const [kind, texts] of Object.entries(queries)) {
    // The machine code is warm, the queries are not: what warms up is not asked again.
    const half = texts.length / 2
    for (const text of texts.slice(0, half)) await ask(text)
    let next = half
    const bench = new tinybench.Bench({ time: 0, iterations: half, warmup: false })
    // tinybench asks once more, to find out whether the answer is a promise.
    bench.add(kind, () => ask(texts[next++ % texts.length]!))
    await bench.run()
    const result = bench.tasks[0]!.result
    if (result.state === 'errored') throw result.error
    if (result.state !== 'completed') throw new Error(`${kind}: ${result.state}`)
    const { mean, p50, p99 } = result.latency
    rows.push({ kind, meanUs: mean * 1000, p50Us: p50 * 1000, p99Us: p99 * 1000 })
  }
  return rows
}

/** MiniSearch over the documents; it finds ten of those that hold all words. */
function miniSearch(documents: readonly Document[]): Ask {
  const index = new MiniSearch<Document>({ fields: [...documentFields] })
  index.addAll(documents)
  return (query) => index.search(query, { combineWith: 'AND' }).slice(0, limit)
}

/** The tables. */
function report({ rows, costs, durations }: SearchResult): string[] {
  const tables = [engineTable(rows), table(costs, costColumns), table(durations, durationColumns)]
  return tables.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** The rows of all engines, with the ratio of each p99 to ours at the same size. */
function engineTable(rows: readonly SearchRow[]): string[] {
  const oursAt = (row: SearchRow) =>
    rows.find(
      ({ engine, authorities, kind }) =>
        engine === 'authority-index' && authorities === row.authorities && kind === row.kind,
    )!
  return table(rows, {
    engine: ({ engine }) => engine,
    authorities: ({ authorities }) => authorities,
    query: ({ kind }) => kind,
    'mean µs': ({ meanUs }) => meanUs.toFixed(1),
    'p50 µs': ({ p50Us }) => p50Us.toFixed(1),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(1),
    'mean ratio': (row) => (row.meanUs / oursAt(row).meanUs).toFixed(1),
    'p50 ratio': (row) => (row.p50Us / oursAt(row).p50Us).toFixed(1),
    'p99 ratio': (row) => (row.p99Us / oursAt(row).p99Us).toFixed(1),
  })
}
