/**
 * What the service does on the wire: requests per second and latencies of all four routes, beside
 * the ceiling of this stack, a static file of nginx, and what one would build instead. Starts
 * everything itself, the service from dist/, measures side by side in interleaved rounds, and
 * leaves nothing behind.
 */

import { Children } from '../../test/support/processes/children.ts'
import { divideCores } from '../../test/support/processes/cores.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { makeWorkloads, mixedNames, twoWordsName, type Workload } from '../shared/data/workloads.ts'
import { unlessAborted } from '../shared/interrupt.ts'
import { startLoad } from '../shared/load/load.ts'
import { OpenLoop } from '../shared/load/open-loop.ts'
import { table } from '../shared/report.ts'
import { type Figure, figuresOf } from './figures.ts'
import { type Cell, Measuring, type Timing, type WireRow } from './measure.ts'
import { type RestRow, restReport, watchAtRest } from './rest.ts'
import { startTargets, type TargetKind, targetNames } from './targets.ts'

/** What came of a run. */
interface WireResult {
  /** What made the load. */
  readonly load: string
  /** Whether the servers had a core for themselves. */
  readonly pinned: boolean
  readonly rows: readonly WireRow[]
  /** The servers while they are asked nothing. */
  readonly rest: readonly RestRow[]
  readonly figures: readonly Figure[]
  /** Which targets were left out, and how to have them. */
  readonly left: readonly string[]
}

/** How much is measured. */
interface Plan {
  readonly authorities: readonly number[]
  /** The workloads, by their names; all when absent. */
  readonly workloads?: readonly string[]
  readonly timing: Timing
  readonly pathsMax: number
  readonly connections: number
  /** In addition, for the mixed workloads at the first size. */
  readonly otherConnections: readonly number[]
  /** The same, for requests sent at once on a connection. */
  readonly depths: readonly number[]
  /** Whether they are also asked at half of the most requests a second. */
  readonly atHalfLoad: boolean
  readonly kinds: readonly TargetKind[]
  /** Alternatives are filled with no more authorities than this. */
  readonly alternativesAtMost: number
  /** Seconds for which servers are watched at rest. */
  readonly restSeconds: number
}

const plans: Readonly<Record<BenchSize | 'every', Plan>> = {
  tiny: {
    authorities: [300],
    timing: { rounds: 1, seconds: 0.03 },
    pathsMax: 20,
    connections: 4,
    otherConnections: [],
    depths: [2],
    atHalfLoad: true,
    kinds: ['service', 'flexsearch'],
    alternativesAtMost: 300,
    restSeconds: 0.1,
  },
  full: {
    authorities: [10_000, 1_000_000],
    workloads: [...mixedNames, twoWordsName],
    timing: { rounds: 5, seconds: 2 },
    pathsMax: 100_000,
    connections: 64,
    otherConnections: [1],
    depths: [],
    atHalfLoad: false,
    kinds: ['service', 'nginx', 'flexsearch', 'redis'],
    alternativesAtMost: 10_000,
    restSeconds: 10,
  },
  every: {
    authorities: [10_000, 100_000, 1_000_000],
    timing: { rounds: 5, seconds: 2 },
    pathsMax: 100_000,
    connections: 64,
    otherConnections: [1, 16, 256],
    depths: [16],
    atHalfLoad: true,
    kinds: ['service', 'nginx', 'flexsearch', 'redis'],
    alternativesAtMost: 100_000,
    restSeconds: 10,
  },
}

const alternatives: readonly TargetKind[] = ['flexsearch', 'redis']

/** The bench, as commands run it. */
export const wireBench: Bench = {
  name: 'wire',
  flags: ['authorities', 'only', 'plan'],
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result) }
  },
}

/**
 * Runs the bench; options restrict it to one size and to workloads whose name holds a text, or ask for every load.
 * @throws Error when a target fails to answer, or when it is aborted.
 */
async function run(options: BenchOptions): Promise<WireResult> {
  const plan = planOf(options)
  const authorities = numberOf(options, 'authorities')
  const sizes = authorities === undefined ? plan.authorities : [authorities]
  const results: WireResult[] = []
  for (const size of sizes) {
    results.push(await runAt(size, size === plan.authorities[0], plan, options))
  }
  const rows = results.flatMap((result) => result.rows)
  const left = [...new Set(results.flatMap((result) => result.left))]
  return { ...results[0]!, rows, left, figures: figuresOf(rows) }
}

function planOf({ size, flags }: BenchOptions): Plan {
  const name = flags?.plan
  if (name !== undefined && name !== 'every') throw new Error(`--plan is every, not '${name}'`)
  return plans[size === 'full' ? (name ?? size) : size]
}

async function runAt(
  authorities: number,
  isFirst: boolean,
  plan: Plan,
  { size, directory, signal, report, flags }: BenchOptions,
): Promise<WireResult> {
  const data = await unlessAborted(benchData(authorities, directory), signal)
  const cores = size === 'full' ? divideCores() : undefined
  const kinds = plan.kinds.filter(
    (kind) => authorities <= plan.alternativesAtMost || !alternatives.includes(kind),
  )
  const children = new Children(signal)
  try {
    const all = makeWorkloads(loadAnnounced(data.snapshots), children.directory, plan.pathsMax)
    const workloads = all.filter(
      ({ name }) => name.includes(flags?.only ?? '') && (plan.workloads?.includes(name) ?? true),
    )
    report(`${authorities} authorities: starting`)
    const { snapshots } = data
    const stand = await startTargets(children, { snapshots, kinds, cores: cores?.server })
    for (const line of stand.left) report(line)
    report(`${authorities} authorities: at rest`)
    const rest = isFirst ? await watchAtRest(stand.targets, plan.restSeconds) : []
    const load = startLoad(children, size, cores?.generator)
    const openLoop = new OpenLoop(children, cores?.generator)
    const measuring = new Measuring({
      authorities,
      stand,
      load,
      firePaced: (order) => openLoop.fire(order),
      cores,
      timing: plan.timing,
      signal,
      report,
    })
    const rows = await measureAll(measuring, workloads, kinds, plan)
    if (isFirst) rows.push(...(await measureMore(measuring, workloads, plan, rows)))
    const { left } = stand
    return { load: load.name, pinned: cores !== undefined, rows, rest, figures: [], left }
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

/** The mixed workloads at other loads: more and fewer connections, pipelined, and at half load, as the plan says. */
async function measureMore(
  measuring: Measuring,
  workloads: readonly Workload[],
  { connections: usual, otherConnections, depths, atHalfLoad }: Plan,
  before: readonly WireRow[],
): Promise<WireRow[]> {
  const kinds: readonly TargetKind[] = ['service', 'nginx']
  const rows: WireRow[] = []
  for (const workload of workloads.filter(({ name }) => mixedNames.includes(name))) {
    const atMost = before.find(
      (row) => row.workload === workload.name && row.target === targetNames.service,
    )!
    const pace = atMost.requestsPerSecond / 2
    const cells: Cell[] = [
      ...otherConnections.map((connections) => ({ workload, connections, depth: 1, kinds })),
      ...depths.map((depth) => ({ workload, connections: usual, depth, kinds })),
    ]
    const most = Math.max(usual, ...otherConnections)
    if (atHalfLoad) cells.push({ workload, connections: most, depth: 1, kinds, pace })
    for (const cell of cells) rows.push(...(await measuring.measure(cell)))
  }
  return rows
}

/** A table of all rows and one of the figures. */
function report({ rows, rest, figures, load, pinned, left }: WireResult): string[] {
  const latency = (value: number | null) => value?.toFixed(0) ?? '-'
  const work = (value: number | null) => value?.toFixed(1) ?? '-'
  return [
    `load by ${load}; ${pinned ? 'the servers have a core for themselves' : 'nothing is pinned to a core'}`,
    ...left,
    '',
    ...table(rows, {
      authorities: ({ authorities }) => authorities,
      workload: ({ workload, pace }) => (pace === null ? workload : `${workload}, half load`),
      connections: ({ connections }) => connections,
      depth: ({ depth }) => depth,
      target: ({ target }) => target,
      'requests/s': ({ requestsPerSecond }) => requestsPerSecond.toFixed(0),
      'p50 µs': ({ p50Us }) => latency(p50Us),
      'p99 µs': ({ p99Us }) => latency(p99Us),
      'p99.9 µs': ({ p999Us }) => latency(p999Us),
      'by the ceiling': ({ pace, ratio }) => (pace === null ? ratio.toFixed(3) : '-'),
      'p99 by the ceiling': ({ p99Ratio }) => p99Ratio?.toFixed(2) ?? '-',
      'user µs': ({ userUs }) => work(userUs),
      'system µs': ({ systemUs }) => work(systemUs),
      'core busy': ({ busy }) => (busy === null ? '-' : `${(100 * busy).toFixed(0)}%`),
    }),
    ...(rest.length === 0 ? [] : ['', ...restReport(rest)]),
    '',
    ...table(figures, {
      figure: ({ name }) => name,
      value: ({ value }) => value.toFixed(2),
      wanted: ({ wanted }) => wanted,
    }),
  ]
}
