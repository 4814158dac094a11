/**
 * What a swap costs those who ask meanwhile: constant load at half of what the service can serve, without swaps,
 * with the first of a process and with later ones, every answer checked against the snapshot that it names; then
 * memory over swaps in a row, and what a second thread is worth.
 */
import { Children } from '../../test/support/processes/children.ts'
import { type Bench, type BenchOptions, type BenchSize, sizesOf } from '../shared/bench.ts'
import { benchData } from '../shared/data/data.ts'
import { startLoad } from '../shared/load/load.ts'
import { measureSwaps, type SizeTiming, type Timing } from './measure.ts'
import { report, type SwapRow } from './rows.ts'
import { secondData, setScene } from './scene.ts'

interface Plan extends Timing {
  readonly sizes: readonly number[]
  /** Larger sizes have less time. */
  readonly timing: (authorities: number) => SizeTiming
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    sizes: [300],
    timing: () => ({ swapEverySeconds: 0.5, seconds: 3, swapsInARow: 4 }),
    capacitySeconds: 0.3,
    connections: 4,
    ratePerSecondMax: 300,
  },
  full: {
    sizes: [100_000, 1_000_000],
    timing: (authorities) =>
      authorities > 100_000
        ? { swapEverySeconds: 15, seconds: 45, swapsInARow: 5 }
        : { swapEverySeconds: 5, seconds: 30, swapsInARow: 20 },
    capacitySeconds: 3,
    connections: 128,
    ratePerSecondMax: 40_000,
  },
}

export const swapBench: Bench = {
  name: 'swap',
  flags: ['sizes'],
  run: async (options) => {
    const rows: SwapRow[] = []
    const plan = plans[options.size]
    for (const size of sizesOf(options, plan.sizes)) rows.push(await rowAt(size, plan, options))
    const problems = rows.flatMap(({ loads }) => loads.flatMap((load) => load.problems))
    return { lines: report(rows), problems }
  },
}

async function rowAt(authorities: number, plan: Plan, options: BenchOptions): Promise<SwapRow> {
  options.report(`${authorities} authorities: two snapshots and what they answer`)
  const first = await benchData(authorities, options.directory)
  const second = await secondData(first)
  const children = new Children(options.signal)
  try {
    const scene = setScene(children.directory, first, second)
    const load = startLoad(children, options.size, undefined)
    const report = (line: string) => options.report(`${authorities} authorities: ${line}`)
    const stand = { authorities, scene, load, children, timing: plan, report }
    return await measureSwaps(stand, plan.timing(authorities))
  } finally {
    await children.close()
  }
}
