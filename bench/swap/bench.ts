/**
 * What a swap costs those who ask meanwhile: constant load at half of what the service can serve,
 * latencies with swaps against latencies without, every answer checked against the snapshot that it
 * names; then memory over many swaps in a row, and what a second thread is worth. Starts everything
 * itself and leaves nothing behind.
 */
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { startLoad } from '../shared/load/load.ts'
import { Children } from '../shared/processes/children.ts'
import { SwapMeasuring, type Timing } from './measure.ts'
import { report, type SwapRow } from './rows.ts'
import { secondData, setScene } from './scene.ts'
import { longestStepMs } from './steps.ts'

/** How much is measured, and at which sizes. */
interface Plan extends Timing {
  readonly sizes: readonly { readonly authorities: number; readonly swapEverySeconds: number }[]
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    sizes: [{ authorities: 300, swapEverySeconds: 0.5 }],
    seconds: 4,
    capacitySeconds: 0.3,
    connections: 4,
    swapsInARow: 4,
    ratePerSecondMax: 300,
  },
  full: {
    sizes: [
      { authorities: 100_000, swapEverySeconds: 5 },
      { authorities: 1_000_000, swapEverySeconds: 15 },
    ],
    seconds: 60,
    capacitySeconds: 5,
    connections: 32,
    swapsInARow: 50,
    ratePerSecondMax: 40_000,
  },
}

/** The bench, as commands run it. */
export const swapBench: Bench = {
  name: 'swap',
  flags: ['authorities'],
  run: async (options) => {
    const rows = await run(options)
    const problems = rows.flatMap(({ still, swapping }) => [
      ...still.problems,
      ...swapping.problems,
    ])
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** Runs the bench; of the plan's sizes only the one that is asked for. */
export async function run(options: BenchOptions): Promise<SwapRow[]> {
  const plan = plans[options.size]
  const only = numberOf(options, 'authorities')
  const rows: SwapRow[] = []
  for (const { authorities, swapEverySeconds } of plan.sizes) {
    if (only !== undefined && only !== authorities) continue
    rows.push(await runAt(authorities, swapEverySeconds, plan, options))
  }
  return rows
}

async function runAt(
  authorities: number,
  swapEverySeconds: number,
  plan: Plan,
  { size, directory, signal, report }: BenchOptions,
): Promise<SwapRow> {
  report(`${authorities} authorities: two snapshots and what they answer`)
  const first = await benchData(authorities, directory)
  const second = await secondData(first)
  const children = new Children(signal)
  try {
    const scene = setScene(children.directory, first, second)
    const load = startLoad(children, size, undefined)
    const measuring = new SwapMeasuring(authorities, scene, load, children, plan, report)
    const stepMs = await longestStepMs(loadAnnounced(first.snapshots))
    return { ...(await measuring.measure(swapEverySeconds)), longestStepMs: stepMs }
  } finally {
    await children.close()
  }
}
