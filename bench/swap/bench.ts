/**
 * What a swap costs those who ask meanwhile: constant load at half of what the service can serve,
 * latencies with the first swaps of a process and with later ones against latencies without, every
 * answer checked against the snapshot that it names; then memory over many swaps in a row, what a second thread is worth, and the processor time
 * of a swap by its parts. Starts everything itself and leaves nothing behind.
 */
import { join } from 'node:path'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { Children } from '../../test/support/processes/children.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { startLoad } from '../shared/load/load.ts'
import { costLines, partCosts, type SwapCosts } from './costs.ts'
import { type SizeTiming, SwapMeasuring, type Timing } from './measure.ts'
import { memoryLines, type SwapMemory, swapMemory } from './memory.ts'
import { report, type SwapRow } from './rows.ts'
import { type Scene, secondData, setScene } from './scene.ts'
import { serviceSwapMs } from './service-swaps.ts'
import { longestStepMs } from './steps.ts'

/** How much is measured, and at which sizes. */
interface Plan extends Timing {
  readonly sizes: readonly Size[]
}

/** What is measured at a size, which the larger ones have less time for. */
interface Size extends SizeTiming {
  readonly authorities: number
  /** Swaps whose processor time is measured. */
  readonly swapsCosted: number
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    sizes: [
      { authorities: 300, swapEverySeconds: 0.5, seconds: 3, swapsInARow: 4, swapsCosted: 2 },
    ],
    capacitySeconds: 0.3,
    connections: 4,
    ratePerSecondMax: 300,
  },
  full: {
    sizes: [
      { authorities: 100_000, swapEverySeconds: 5, seconds: 30, swapsInARow: 20, swapsCosted: 10 },
      { authorities: 1_000_000, swapEverySeconds: 15, seconds: 45, swapsInARow: 5, swapsCosted: 2 },
    ],
    capacitySeconds: 3,
    connections: 128,
    ratePerSecondMax: 40_000,
  },
}

/** The bench, as commands run it; of all it measures only the costs or the memory with `--only`. */
export const swapBench: Bench = {
  name: 'swap',
  flags: ['authorities', 'only'],
  run: async (options) => {
    const { only } = options.flags ?? {}
    if (only !== undefined && only !== 'costs' && only !== 'memory') {
      throw new Error(`--only takes costs or memory, not '${only}'`)
    }
    if (only === 'memory') {
      const memory = await memoryAtEachSize(options)
      return { result: { memory }, lines: memoryLines(memory) }
    }
    if (only === 'costs') {
      const costs = await atEachSize(options, (size, _, stage) => costsAt(size, stage))
      return { result: { costs }, lines: costLines(costs) }
    }
    const rows = await run(options)
    const problems = rows.flatMap(({ loads }) => loads.flatMap((load) => load.problems))
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** The most memory in swaps at each size. */
async function memoryAtEachSize(options: BenchOptions): Promise<SwapMemory[]> {
  const only = numberOf(options, 'authorities')
  const rows: SwapMemory[] = []
  for (const { authorities } of plans[options.size].sizes) {
    if (only !== undefined && only !== authorities) continue
    const children = new Children(options.signal)
    try {
      const directory = join(options.directory ?? 'bench/data/scale', String(authorities))
      rows.push(...(await swapMemory(children, authorities, directory, options.report)))
    } finally {
      await children.close()
    }
  }
  return rows
}

/** Runs the bench; of the plan's sizes only the one that is asked for. */
function run(options: BenchOptions): Promise<SwapRow[]> {
  return atEachSize(options, rowAt)
}

/** What is there to measure at a size. */
interface Stage {
  readonly scene: Scene
  readonly children: Children
  readonly options: BenchOptions
  readonly snapshots: string
}

async function atEachSize<T>(
  options: BenchOptions,
  measure: (size: Size, plan: Plan, stage: Stage) => Promise<T>,
): Promise<T[]> {
  const plan = plans[options.size]
  const only = numberOf(options, 'authorities')
  const results: T[] = []
  for (const size of plan.sizes) {
    if (only !== undefined && only !== size.authorities) continue
    options.report(`${size.authorities} authorities: two snapshots and what they answer`)
    const first = await benchData(size.authorities, options.directory)
    const second = await secondData(first)
    const children = new Children(options.signal)
    try {
      const scene = setScene(children.directory, first, second)
      const { snapshots } = first
      results.push(await measure(size, plan, { scene, children, options, snapshots }))
    } finally {
      await children.close()
    }
  }
  return results
}

async function rowAt(atSize: Size, plan: Plan, stage: Stage): Promise<SwapRow> {
  const { authorities } = atSize
  const { scene, children, snapshots } = stage
  const { size, report } = stage.options
  const load = startLoad(children, size, undefined)
  const measuring = new SwapMeasuring(authorities, scene, load, children, plan, report)
  const stepMs = await longestStepMs(loadAnnounced(snapshots))
  const measured = await measuring.measure(atSize)
  const costs = await costsAt(atSize, stage)
  return { ...measured, longestStepMs: stepMs, costs }
}

async function costsAt(
  { authorities, swapsCosted }: Size,
  { scene, children, options }: Stage,
): Promise<SwapCosts> {
  options.report(`${authorities} authorities: what a swap costs`)
  const serviceMs = {
    unknown: await serviceSwapMs(scene, 'unknown', children, swapsCosted),
    'without-indexes': await serviceSwapMs(scene, 'without-indexes', children, swapsCosted),
    verified: await serviceSwapMs(scene, 'verified', children, swapsCosted),
  }
  const path = pathOf(scene.directory, scene.ids[0])
  return { authorities, serviceMs, ...(await partCosts({ path, targetsFile: scene.targetsFile })) }
}
