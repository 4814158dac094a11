/**
 * The service on the wire, beside the ceiling of this stack, a static file of nginx, and what one would build
 * instead; and a tool call beside the plain route. Measures side by side in interleaved rounds.
 */
import { Children } from '../../test/support/processes/children.ts'
import { divideCores } from '../../test/support/processes/cores.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { makeWorkloads, mixedNames, twoWordsName } from '../shared/data/workloads.ts'
import { startLoad } from '../shared/load/load.ts'
import { table } from '../shared/report.ts'
import { Measuring, type Timing, type WireRow } from './measure.ts'
import { startTargets, type TargetKind } from './targets.ts'
import { measureTools, type ToolRow, toolLines } from './tools.ts'

interface WireResult {
  readonly load: string
  /** Whether the servers had a core for themselves. */
  readonly pinned: boolean
  readonly rows: readonly WireRow[]
  readonly tools: readonly ToolRow[]
  /** Which targets were left out, and how to have them. */
  readonly left: readonly string[]
}

interface Plan {
  readonly authorities: readonly number[]
  readonly timing: Timing
  readonly pathsMax: number
  readonly connections: readonly number[]
  readonly kinds: readonly TargetKind[]
  readonly flexsearchAtMost: number
  readonly tools: { readonly rounds: number; readonly requests: number }
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    authorities: [300],
    timing: { rounds: 1, seconds: 0.03 },
    pathsMax: 20,
    connections: [4],
    kinds: ['service', 'flexsearch'],
    flexsearchAtMost: 300,
    tools: { rounds: 1, requests: 20 },
  },
  full: {
    authorities: [10_000, 1_000_000],
    timing: { rounds: 5, seconds: 2 },
    pathsMax: 100_000,
    connections: [64, 1],
    kinds: ['service', 'nginx', 'flexsearch'],
    flexsearchAtMost: 10_000,
    tools: { rounds: 10, requests: 500 },
  },
}

const workloadNames = [...mixedNames, twoWordsName]

export const wireBench: Bench = {
  name: 'wire',
  flags: ['authorities', 'only'],
  run: async (options) => {
    const only = numberOf(options, 'authorities')
    const results: WireResult[] = []
    for (const size of only === undefined ? plans[options.size].authorities : [only]) {
      results.push(await runAt(size, results.length === 0, options))
    }
    return { lines: report(results) }
  },
}

async function runAt(
  authorities: number,
  isFirst: boolean,
  { size, directory, signal, report: say, flags }: BenchOptions,
): Promise<WireResult> {
  const plan = plans[size]
  const { snapshots } = await benchData(authorities, directory)
  const cores = size === 'full' ? divideCores() : undefined
  const kinds = plan.kinds.filter(
    (kind) => authorities <= plan.flexsearchAtMost || kind !== 'flexsearch',
  )
  const children = new Children(signal)
  try {
    const workloads = makeWorkloads(
      loadAnnounced(snapshots),
      children.directory,
      plan.pathsMax,
    ).filter(({ name }) => workloadNames.includes(name) && name.includes(flags?.only ?? ''))
    say(`${authorities} authorities: starting`)
    const stand = await startTargets(children, { snapshots, kinds, cores: cores?.server })
    for (const line of stand.left) say(line)
    const load = startLoad(children, size, cores?.generator)
    const { timing } = plan
    const given = { authorities, stand, load, cores, timing, signal, report: say }
    const measuring = new Measuring(given)
    const rows: WireRow[] = []
    for (const connections of isFirst ? plan.connections : plan.connections.slice(0, 1)) {
      for (const workload of workloads) {
        rows.push(...(await measuring.measure({ workload, connections, kinds })))
      }
    }
    const { port } = stand.targets.find(({ kind }) => kind === 'service')!
    const tools = isFirst ? await measureTools(port, stand.key, plan.tools) : []
    return { load: load.name, pinned: cores !== undefined, rows, tools, left: stand.left }
  } finally {
    await children.close()
  }
}

function report(results: readonly WireResult[]): string[] {
  const { load, pinned, tools } = results[0]!
  const left = [...new Set(results.flatMap((result) => result.left))]
  const work = (value: number | null) => value?.toFixed(1) ?? '-'
  const rows = table(
    results.flatMap((result) => result.rows),
    {
      authorities: ({ authorities }) => authorities,
      workload: ({ workload }) => workload,
      connections: ({ connections }) => connections,
      target: ({ target }) => target,
      'requests/s': ({ requestsPerSecond }) => requestsPerSecond.toFixed(0),
      'p50 µs': ({ p50Us }) => p50Us.toFixed(0),
      'p99 µs': ({ p99Us }) => p99Us.toFixed(0),
      'p99.9 µs': ({ p999Us }) => p999Us.toFixed(0),
      'by the ceiling': ({ ratio }) => ratio.toFixed(3),
      'p99 by the ceiling': ({ p99Ratio }) => p99Ratio.toFixed(2),
      'user µs': ({ userUs }) => work(userUs),
      'system µs': ({ systemUs }) => work(systemUs),
      'core busy': ({ busy }) => (busy === null ? '-' : `${(100 * busy).toFixed(0)}%`),
    },
  )
  const manner = pinned ? 'the servers have a core for themselves' : 'nothing is pinned to a core'
  return [`load by ${load}; ${manner}`, ...left, '', ...rows, '', ...toolLines(tools)]
}
