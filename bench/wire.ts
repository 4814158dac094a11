/**
 * What the service does on the wire: requests per second and latencies of all four routes, beside
 * the ceiling of this stack, a static file of nginx, and what one would build instead. Starts
 * everything itself, the service from dist/, measures side by side in interleaved rounds, and
 * leaves nothing behind.
 *
 *     npx tsx bench/wire.ts                         tiny: seconds, to see that it works
 *     npx tsx bench/wire.ts --full                  10,000, 100,000 and 1,000,000 authorities
 *     npx tsx bench/wire.ts --full --authorities N  one size only
 *     npx tsx bench/wire.ts --full --only 'detail'  only workloads whose name holds the text
 */
import { parseArgs } from 'node:util'
import { type BenchSize, benchData, loadData } from './data.ts'
import { unlessAborted, untilInterrupted } from './interrupt.ts'
import { isMain, table } from './report.ts'
import { writeResult } from './results.ts'
import { Children } from './wire/children.ts'
import { divideCores } from './wire/cores.ts'
import { type Figure, figuresOf } from './wire/figures.ts'
import { ownLoad, wrkLoad } from './wire/load.ts'
import { type Cell, Measuring, type Timing, type WireRow } from './wire/measure.ts'
import { startTargets, type TargetKind, targetNames } from './wire/targets.ts'
import { makeWorkloads, mixedNames, type Workload } from './wire/workloads.ts'

/** What came of a run. */
export interface WireResult {
  /** What made the load. */
  readonly load: string
  /** Whether the servers had a core for themselves. */
  readonly pinned: boolean
  readonly rows: readonly WireRow[]
  readonly figures: readonly Figure[]
  /** Which targets were left out, and how to have them. */
  readonly left: readonly string[]
}

/** What to run. */
export interface WireOptions {
  readonly size: BenchSize
  /** Instead of the sizes of the plan. */
  readonly authorities?: number | undefined
  /** Only workloads whose name holds this. */
  readonly only?: string | undefined
  /** Where the data is kept. */
  readonly directory?: string
  /** Ends the run when it is aborted; programs and files are removed all the same. */
  readonly signal: AbortSignal
  /** Told how far it is. */
  readonly report: (line: string) => void
}

/** How much is measured. */
interface Plan {
  readonly authorities: readonly number[]
  readonly timing: Timing
  readonly pathsMax: number
  readonly connections: number
  /** In addition, for the mixed workloads at the first size. */
  readonly otherConnections: readonly number[]
  /** The same, for requests sent at once on a connection. */
  readonly depths: readonly number[]
  readonly kinds: readonly TargetKind[]
  /** Alternatives are filled with no more authorities than this. */
  readonly alternativesAtMost: number
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    authorities: [300],
    timing: { rounds: 1, seconds: 0.03 },
    pathsMax: 20,
    connections: 4,
    otherConnections: [],
    depths: [2],
    kinds: ['service', 'flexsearch'],
    alternativesAtMost: 300,
  },
  full: {
    authorities: [10_000, 100_000, 1_000_000],
    timing: { rounds: 5, seconds: 2 },
    pathsMax: 100_000,
    connections: 64,
    otherConnections: [1, 16, 256],
    depths: [16],
    kinds: ['service', 'nginx', 'flexsearch', 'redis', 'postgresql'],
    alternativesAtMost: 100_000,
  },
}

const alternatives: readonly TargetKind[] = ['flexsearch', 'redis', 'postgresql']

/** Runs the bench. Throws when a target fails to answer, or when it is aborted. */
export async function run(options: WireOptions): Promise<WireResult> {
  const plan = plans[options.size]
  const { authorities } = options
  const sizes = authorities === undefined ? plan.authorities : [authorities]
  const results: WireResult[] = []
  for (const size of sizes) {
    results.push(await runAt(size, size === plan.authorities[0], plan, options))
  }
  const rows = results.flatMap((result) => result.rows)
  const left = [...new Set(results.flatMap((result) => result.left))]
  return { ...results[0]!, rows, left, figures: figuresOf(rows) }
}

async function runAt(
  authorities: number,
  isFirst: boolean,
  plan: Plan,
  { size, only = '', directory, signal, report }: WireOptions,
): Promise<WireResult> {
  const data = await unlessAborted(benchData(authorities, directory), signal)
  const cores = size === 'full' ? divideCores() : undefined
  const kinds = plan.kinds.filter(
    (kind) => authorities <= plan.alternativesAtMost || !alternatives.includes(kind),
  )
  const children = new Children(signal)
  try {
    const all = makeWorkloads(loadData(data), children.directory, plan.pathsMax)
    const workloads = all.filter(({ name }) => name.includes(only))
    report(`${authorities} authorities: starting`)
    const { snapshots } = data
    const stand = await startTargets(children, { snapshots, kinds, cores: cores?.server })
    for (const line of stand.left) report(line)
    const wrk = size === 'full' ? wrkLoad(children, cores?.generator) : undefined
    const load = wrk ?? ownLoad(children, cores?.generator)
    const { timing } = plan
    const measuring = new Measuring({ authorities, stand, load, cores, timing, signal, report })
    const rows = await measureAll(measuring, workloads, kinds, plan)
    if (isFirst) rows.push(...(await measureMore(measuring, workloads, plan, rows)))
    const { left } = stand
    return { load: load.name, pinned: cores !== undefined, rows, figures: [], left }
  } finally {
    await children.close()
  }
}

/** Every workload at the usual load. */
async function measureAll(
  measuring: Measuring,
  workloads: readonly Workload[],
  kinds: readonly TargetKind[],
  { connections }: Plan,
): Promise<WireRow[]> {
  const rows: WireRow[] = []
  for (const workload of workloads) {
    rows.push(...(await measuring.measure({ workload, connections, depth: 1, kinds })))
  }
  return rows
}

/** The mixed workloads at other loads: more and fewer connections, pipelined, and at half load. */
async function measureMore(
  measuring: Measuring,
  workloads: readonly Workload[],
  { connections: usual, otherConnections, depths }: Plan,
  before: readonly WireRow[],
): Promise<WireRow[]> {
  const kinds: readonly TargetKind[] = ['service', 'nginx']
  const rows: WireRow[] = []
  for (const workload of workloads.filter(({ name }) => mixedNames.includes(name))) {
    const most = before.find(
      (row) => row.workload === workload.name && row.target === targetNames.service,
    )!
    const pace = most.requestsPerSecond / 2
    const cells: Cell[] = [
      ...otherConnections.map((connections) => ({ workload, connections, depth: 1, kinds })),
      ...depths.map((depth) => ({ workload, connections: usual, depth, kinds })),
      { workload, connections: Math.max(usual, ...otherConnections), depth: 1, kinds, pace },
    ]
    for (const cell of cells) rows.push(...(await measuring.measure(cell)))
  }
  return rows
}

/** A table of all rows and one of the figures. */
export function report({ rows, figures, load, pinned, left }: WireResult): string[] {
  const header =
    'authorities,workload,connections,depth,target,requests/s,p50 µs,p99 µs,p99.9 µs,by the ceiling,core busy'
  const cells = rows.map((row) => [
    String(row.authorities),
    row.pace === null ? row.workload : `${row.workload}, half load`,
    String(row.connections),
    String(row.depth),
    row.target,
    row.requestsPerSecond.toFixed(0),
    ...[row.p50Us, row.p99Us, row.p999Us].map((value) => value?.toFixed(0) ?? '-'),
    row.pace === null ? row.ratio.toFixed(3) : '-',
    row.busy === null ? '-' : `${(100 * row.busy).toFixed(0)}%`,
  ])
  const figureCells = figures.map(({ name, value, wanted }) => [name, value.toFixed(2), wanted])
  return [
    `load by ${load}; ${pinned ? 'the servers have a core for themselves' : 'nothing is pinned to a core'}`,
    ...left,
    '',
    ...table(header.split(','), cells),
    '',
    ...table(['figure', 'value', 'wanted'], figureCells),
  ]
}

if (isMain(import.meta.url)) {
  const text = { type: 'string' } as const
  const options = { full: { type: 'boolean' }, authorities: text, only: text } as const
  const { values } = parseArgs({ options })
  const size = values.full ? 'full' : 'tiny'
  const authorities = values.authorities === undefined ? undefined : Number(values.authorities)
  if (authorities !== undefined && !(authorities >= 1)) throw new Error('--authorities is a number')
  const { only } = values
  const startedAt = new Date()
  const result = await untilInterrupted((signal) =>
    run({ size, authorities, only, signal, report: console.error }),
  )
  for (const line of report(result)) console.log(line)
  const bench = only === undefined && authorities === undefined ? 'wire' : 'wire-part'
  console.error(`written to ${writeResult({ bench, size, startedAt, result })}`)
}
