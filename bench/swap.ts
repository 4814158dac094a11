/**
 * What a swap costs those who ask meanwhile: constant load at half of what the service can serve,
 * latencies with swaps against latencies without, every answer checked against the snapshot that it
 * names; then memory over many swaps in a row, and what a second thread is worth. Starts everything
 * itself and leaves nothing behind.
 *
 *     npx tsx bench/swap.ts                         tiny: seconds, to see that it works
 *     npx tsx bench/swap.ts --full                  100,000 and 1,000,000 authorities
 *     npx tsx bench/swap.ts --full --authorities N  one size only
 */
import { parseArgs } from 'node:util'
import { type BenchSize, benchData, loadData } from './data.ts'
import { untilInterrupted } from './interrupt.ts'
import { isMain } from './report.ts'
import { Bench, type Timing } from './swap/measure.ts'
import { report, type SwapRow } from './swap/rows.ts'
import { secondData, setScene } from './swap/scene.ts'
import { longestStepMs } from './swap/steps.ts'
import { Children } from './wire/children.ts'
import { ownLoad, wrkLoad } from './wire/load.ts'

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

/** What to run. */
export interface SwapOptions {
  readonly size: BenchSize
  /** Of the plan's sizes only this one. */
  readonly authorities?: number | undefined
  /** Where the data is kept. */
  readonly directory?: string
  /** Ends the run when it is aborted; programs and files are removed all the same. */
  readonly signal: AbortSignal
  /** Told how far it is. */
  readonly report: (line: string) => void
}

/** Runs the bench. */
export async function run(options: SwapOptions): Promise<SwapRow[]> {
  const plan = plans[options.size]
  const rows: SwapRow[] = []
  for (const { authorities, swapEverySeconds } of plan.sizes) {
    if (options.authorities !== undefined && options.authorities !== authorities) continue
    rows.push(await runAt(authorities, swapEverySeconds, plan, options))
  }
  return rows
}

async function runAt(
  authorities: number,
  swapEverySeconds: number,
  plan: Plan,
  { size, directory, signal, report }: SwapOptions,
): Promise<SwapRow> {
  report(`${authorities} authorities: two snapshots and what they answer`)
  const first = await benchData(authorities, directory)
  const second = await secondData(first)
  const children = new Children(signal)
  try {
    const scene = setScene(children.directory, first, second)
    const load =
      (size === 'full' ? wrkLoad(children, undefined) : undefined) ?? ownLoad(children, undefined)
    const bench = new Bench(authorities, scene, load, children, plan, report)
    const stepMs = await longestStepMs(loadData(first))
    return { ...(await bench.measure(swapEverySeconds)), longestStepMs: stepMs }
  } finally {
    await children.close()
  }
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: { full: { type: 'boolean' }, authorities: { type: 'string' } },
  })
  const size = values.full === true ? 'full' : 'tiny'
  const authorities = values.authorities === undefined ? undefined : Number(values.authorities)
  const rows = await untilInterrupted((signal) =>
    run({ size, authorities, signal, report: console.error }),
  )
  for (const line of report(rows)) console.log(line)
  const problems = rows.flatMap(({ still, swapping }) => [...still.problems, ...swapping.problems])
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
