/**
 * What the service does on the wire: requests a second and latencies, beside the ceiling of this stack and what one would
 * build instead. Starts everything itself, the service from dist/, measures side by side in interleaved rounds, and leaves
 * nothing behind.
 */
import { Children } from '../../test/support/processes/children.ts'
import { divideCores } from '../../test/support/processes/cores.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { makeWorkloads, mixedNames, twoWordsName } from '../shared/data/workloads.ts'
import { unlessAborted } from '../shared/interrupt.ts'
import { startLoad } from '../shared/load/load.ts'
import { table } from '../shared/report.ts'
import { Measuring, type Timing, type WireRow } from './measure.ts'
import { startTargets } from './targets.ts'

/** What came of a size. */
interface WireResult {
  /** What made the load. */
  readonly load: string
  /** Whether the servers had a core for themselves. */
  readonly pinned: boolean
  readonly rows: readonly WireRow[]
}

/** How much is measured. */
interface Plan {
  readonly authorities: readonly number[]
  readonly timing: Timing
  readonly pathsMax: number
  readonly connections: readonly number[]
  /** FlexSearch is filled with no more authorities than this. */
  readonly flexsearchAtMost: number
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    authorities: [300],
    timing: { rounds: 1, seconds: 0.03 },
    pathsMax: 20,
    connections: [4],
    flexsearchAtMost: 300,
  },
  full: {
    authorities: [10_000, 1_000_000],
    timing: { rounds: 5, seconds: 2 },
    pathsMax: 100_000,
    connections: [64, 1],
    flexsearchAtMost: 10_000,
  },
}

const workloadNames = [...mixedNames, twoWordsName]

/** The bench, as commands run it; flags restrict it to one size and to workloads whose name holds a text. */
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
  const { snapshots } = await unlessAborted(benchData(authorities, directory), signal)
  const cores = size === 'full' ? divideCores() : undefined
  const withFlexsearch = authorities <= plan.flexsearchAtMost
  const children = new Children(signal)
  try {
    const workloads = makeWorkloads(
      loadAnnounced(snapshots),
      children.directory,
      plan.pathsMax,
    ).filter(({ name }) => workloadNames.includes(name) && name.includes(flags?.only ?? ''))
    say(`${authorities} authorities: starting`)
    const stand = await startTargets(children, { snapshots, withFlexsearch, cores: cores?.server })
    const load = startLoad(children, size, cores?.generator)
    const { timing } = plan
    const measuring = new Measuring({
      authorities,
      stand,
      load,
      cores,
      timing,
      signal,
      report: say,
    })
    const rows: WireRow[] = []
    for (const connections of isFirst ? plan.connections : plan.connections.slice(0, 1)) {
      for (const workload of workloads) {
        rows.push(...(await measuring.measure({ workload, connections })))
      }
    }
    return { load: load.name, pinned: cores !== undefined, rows }
  } finally {
    await children.close()
  }
}

/** A table of all rows. */
function report(results: readonly WireResult[]): string[] {
  const { load, pinned } = results[0]!
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
      'user µs': ({ userUs }) => userUs.toFixed(1),
      'system µs': ({ systemUs }) => systemUs.toFixed(1),
      'core busy': ({ busy }) => (busy === null ? '-' : `${(100 * busy).toFixed(0)}%`),
    },
  )
  const manner = pinned ? 'the servers have a core for themselves' : 'nothing is pinned to a core'
  return [`load by ${load}; ${manner}`, '', ...rows]
}
