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
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { prepareServed } from '../src/serve/served.ts'
import { announce } from '../src/snapshot/store.ts'
import { type BenchSize, benchData, loadData } from './data.ts'
import { untilInterrupted } from './interrupt.ts'
import { isMain, table } from './report.ts'
import type { Measured } from './swap/generator.ts'
import { cpuSeconds, residentBytes } from './swap/proc.ts'
import {
  type KeyedService,
  longestStepMs,
  readinessOf,
  type Scene,
  secondData,
  serve,
  setScene,
} from './swap/scene.ts'
import { Children } from './wire/children.ts'
import { type Load, ownLoad, wrkLoad } from './wire/load.ts'

/** How much is measured. */
interface Plan {
  readonly sizes: readonly { readonly authorities: number; readonly swapEverySeconds: number }[]
  readonly seconds: number
  readonly capacitySeconds: number
  readonly connections: number
  readonly swapsInARow: number
  /** Above this the generator, not the service, would be what is measured. */
  readonly ratePerSecondMax: number
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: {
    sizes: [{ authorities: 300, swapEverySeconds: 0.5 }],
    seconds: 1.5,
    capacitySeconds: 0.5,
    connections: 4,
    swapsInARow: 5,
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

const threadsMax = 2
const loadShare = 0.5

/** What came of one size. */
export interface SwapRow {
  readonly authorities: number
  readonly capacityPerSecond: number
  readonly ratePerSecond: number
  readonly still: Measured
  readonly swapping: Measured
  /** Swaps that were made under load. */
  readonly swaps: number
  /** Of p99.9, with swaps to without. */
  readonly p999Ratio: number
  readonly snapshotBytes: number
  /** What the process holds with one snapshot, before it is asked anything. */
  readonly startBytes: number
  readonly peakBytes: number
  /** The peak less what is no snapshot at the start, in snapshots. */
  readonly peakSnapshots: number
  /** Resident memory after so many swaps in a row, without load. */
  readonly thirdBytes: number
  readonly lastBytes: number
  /** Targets that the two snapshots answer differently, and all targets there are. */
  readonly different: number
  /** The longest that preparing a snapshot holds a thread at once, beside its slice. */
  readonly longestStepMs: number
  readonly throughput: readonly ThroughputRow[]
}

/** What so many serving threads do at full load, on a machine that they share with the generator. */
export interface ThroughputRow {
  readonly threads: number
  readonly requestsPerSecond: number
  readonly serverCpuSeconds: number
  /** 0 where it cannot be told apart. */
  readonly generatorCpuSeconds: number
  readonly requestsPerServerCpuSecond: number
  /**
   * Against one thread, as if each thread had a core of its own: the threads times what a second of
   * processor time is worth with them, to what it is worth with one.
   */
  readonly scaling: number
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
    const stepMs = longestStepMs(loadData(first), prepareServed)
    return { ...(await bench.measure(swapEverySeconds)), longestStepMs: stepMs }
  } finally {
    await children.close()
  }
}

/** The measurements at one size. */
class Bench {
  readonly #authorities: number
  readonly #scene: Scene
  readonly #load: Load
  readonly #children: Children
  readonly #plan: Plan
  readonly #report: (line: string) => void

  constructor(
    authorities: number,
    scene: Scene,
    load: Load,
    children: Children,
    plan: Plan,
    report: (line: string) => void,
  ) {
    this.#authorities = authorities
    this.#scene = scene
    this.#load = load
    this.#children = children
    this.#plan = plan
    this.#report = (line) => report(`${authorities} authorities: ${line}`)
  }

  async measure(swapEverySeconds: number): Promise<Omit<SwapRow, 'longestStepMs'>> {
    const { snapshotBytes, different } = this.#scene
    const service = await serve(this.#children, this.#scene.directory, threadsMax)
    const startBytes = residentBytes(service.pid).now
    // The first time the code is cold.
    await this.#fireAll(service)
    const capacityPerSecond = (await this.#fireAll(service)).requestsPerSecond
    const rate = Math.min(capacityPerSecond * loadShare, this.#plan.ratePerSecondMax)
    this.#report(`${rate.toFixed(0)} requests a second, without and with swaps`)
    const file = new URL('./swap/generator.ts', import.meta.url)
    const generator = this.#children.startScript('generator', file, [])
    const order = {
      port: service.port,
      key: service.key,
      file: this.#scene.scriptFile,
      ratePerSecond: rate,
      connections: this.#plan.connections,
    }
    // The generator's code is cold, too.
    await generator.ask<Measured>({ ...order, seconds: this.#plan.capacitySeconds })
    const still = await generator.ask<Measured>({ ...order, seconds: this.#plan.seconds })
    const swapper = this.#swapEvery(service, swapEverySeconds)
    const swapping = await generator.ask<Measured>({ ...order, seconds: this.#plan.seconds })
    const swaps = await swapper.stop()
    const peakBytes = residentBytes(service.pid).peak
    const { thirdBytes, lastBytes } = await this.#swapInARow(service)
    await service.child.stop()
    return {
      authorities: this.#authorities,
      capacityPerSecond,
      ratePerSecond: rate,
      still,
      swapping,
      swaps,
      p999Ratio: swapping.p999Us / still.p999Us,
      snapshotBytes,
      startBytes,
      peakBytes,
      peakSnapshots: (peakBytes - (startBytes - snapshotBytes)) / snapshotBytes,
      thirdBytes,
      lastBytes,
      different,
      throughput: await this.#throughput(),
    }
  }

  /** Announces the other snapshot every so often; `stop` answers how many swaps were made. */
  #swapEvery(service: KeyedService, seconds: number): { stop: () => Promise<number> } {
    let announced = 0
    const timer = setInterval(() => {
      announced += 1
      announce(this.#scene.directory, this.#scene.ids[announced % 2]!)
    }, seconds * 1000)
    const stop = async (): Promise<number> => {
      clearInterval(timer)
      await this.#untilServed(service, this.#scene.ids[announced % 2]!)
      const { swaps, refusals, thread_deaths } = await readinessOf(service)
      if (refusals + thread_deaths > 0) {
        throw new Error(`${refusals} snapshots refused, ${thread_deaths} threads died`)
      }
      return swaps
    }
    return { stop }
  }

  async #untilServed(service: KeyedService, id: string): Promise<void> {
    await service.child.until(async () => (await readinessOf(service)).snapshot_id === id)
  }

  async #swapInARow(service: KeyedService): Promise<Pick<SwapRow, 'thirdBytes' | 'lastBytes'>> {
    const { directory, ids } = this.#scene
    const { swapsInARow } = this.#plan
    this.#report(`${swapsInARow} swaps in a row`)
    const isSecond = (await readinessOf(service)).snapshot_id === ids[1]
    let thirdBytes = 0
    let lastBytes = 0
    for (let swap = 1; swap <= swapsInARow; swap += 1) {
      const id = ids[(swap + (isSecond ? 1 : 0)) % 2]!
      announce(directory, id)
      await this.#untilServed(service, id)
      if (swap === 3) thirdBytes = await settledBytes(service.pid)
      if (swap === swapsInARow) lastBytes = await settledBytes(service.pid)
    }
    return { thirdBytes, lastBytes }
  }

  async #throughput(): Promise<ThroughputRow[]> {
    const rows: ThroughputRow[] = []
    for (let threads = 1; threads <= threadsMax; threads += 1) {
      this.#report(`full load on ${threads} threads`)
      const service = await serve(this.#children, this.#scene.directory, threads)
      await this.#fireAll(service)
      const row = await this.#fireAll(service)
      await service.child.stop()
      const worth = row.requestsPerServerCpuSecond
      const scaling = (threads * worth) / (rows[0]?.requestsPerServerCpuSecond ?? worth)
      rows.push({ threads, ...row, scaling })
    }
    return rows
  }

  /** Asks as much as can be answered. */
  async #fireAll({
    port,
    key,
    pid,
  }: KeyedService): Promise<Omit<ThroughputRow, 'threads' | 'scaling'>> {
    const { connections, capacitySeconds } = this.#plan
    const before = { server: cpuSeconds(pid).own, generator: cpuSeconds(process.pid).children }
    const { requests, seconds, failed } = await this.#load.fire({
      port,
      key,
      file: this.#scene.targetsFile,
      offset: 0,
      connections,
      depth: 1,
      seconds: capacitySeconds,
      pauseMs: 0,
    })
    if (failed > 0) throw new Error(`${failed} requests failed at full load`)
    const serverCpuSeconds = cpuSeconds(pid).own - before.server
    return {
      requestsPerSecond: requests / seconds,
      serverCpuSeconds,
      generatorCpuSeconds: cpuSeconds(process.pid).children - before.generator,
      requestsPerServerCpuSecond: requests / serverCpuSeconds,
    }
  }
}

/** The least that a process holds within a second: the loading thread has ended by then. */
async function settledBytes(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < 10; sample += 1) {
    await sleep(100)
    least = Math.min(least, residentBytes(pid).now)
  }
  return least
}

/** The rows as tables. */
export function report(rows: readonly SwapRow[]): string[] {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  const latency = table(
    [
      'authorities',
      'swaps',
      'requests',
      'failed',
      'mixed',
      'p50 µs',
      'p99 µs',
      'p99.9 µs',
      'max µs',
      'late p99.9 µs',
      'p99.9 ratio',
    ],
    rows.flatMap(({ authorities, swaps, still, swapping, p999Ratio }) =>
      [
        { ...still, swaps: 0, ratio: 1 },
        { ...swapping, swaps, ratio: p999Ratio },
      ].map((each) => [
        String(authorities),
        String(each.swaps),
        String(each.requests),
        String(each.failed),
        String(each.mixed),
        each.p50Us.toFixed(0),
        each.p99Us.toFixed(0),
        each.p999Us.toFixed(0),
        each.maxUs.toFixed(0),
        each.lateP999Us.toFixed(0),
        each.ratio.toFixed(2),
      ]),
    ),
  )
  const memory = table(
    [
      'authorities',
      'snapshot MiB',
      'at start MiB',
      'peak MiB',
      'peak snapshots',
      'after 3 swaps MiB',
      'after all MiB',
      'ratio',
      'longest step ms',
    ],
    rows.map((row) => [
      String(row.authorities),
      mebibytes(row.snapshotBytes),
      mebibytes(row.startBytes),
      mebibytes(row.peakBytes),
      row.peakSnapshots.toFixed(2),
      mebibytes(row.thirdBytes),
      mebibytes(row.lastBytes),
      (row.lastBytes / row.thirdBytes).toFixed(2),
      row.longestStepMs.toFixed(2),
    ]),
  )
  const throughput = table(
    [
      'authorities',
      'threads',
      'requests/s',
      'server CPU s',
      'generator CPU s',
      'requests/server CPU s',
      'scaling',
    ],
    rows.flatMap(({ authorities, throughput }) =>
      throughput.map((row) => [
        String(authorities),
        String(row.threads),
        row.requestsPerSecond.toFixed(0),
        row.serverCpuSeconds.toFixed(2),
        row.generatorCpuSeconds.toFixed(2),
        row.requestsPerServerCpuSecond.toFixed(0),
        row.scaling.toFixed(2),
      ]),
    ),
  )
  return [...latency, '', ...memory, '', ...throughput]
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
