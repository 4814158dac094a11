/** The measurements at one size. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Children } from '../../test/support/processes/children.ts'
import { cpuSeconds, residentBytes } from '../../test/support/processes/proc.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import type { Load } from '../shared/load/load.ts'
import { OpenLoop } from '../shared/load/open-loop.ts'
import type { LoadKind, LoadRow, SwapRow, ThroughputRow } from './rows.ts'
import { readinessOf, type Scene, swapTo } from './scene.ts'

export interface Timing {
  readonly capacitySeconds: number
  readonly connections: number
  /** Above this the generator, not the service, would be what is measured. */
  readonly ratePerSecondMax: number
}

export interface SizeTiming {
  readonly swapEverySeconds: number
  /** Without swaps, and again with them. */
  readonly seconds: number
  readonly swapsInARow: number
}

const threadsMax = 2
/** Swaps of a process whose code is cold and whose memory is fresh. */
const coldSwaps = 2
const loadShare = 0.5

type FullLoad = Omit<ThroughputRow, 'threads' | 'startBytes' | 'scaling'>

export class SwapMeasuring {
  readonly #authorities: number
  readonly #scene: Scene
  readonly #load: Load
  readonly #children: Children
  readonly #timing: Timing
  readonly #report: (line: string) => void

  constructor(
    authorities: number,
    scene: Scene,
    load: Load,
    children: Children,
    timing: Timing,
    report: (line: string) => void,
  ) {
    this.#authorities = authorities
    this.#scene = scene
    this.#load = load
    this.#children = children
    this.#timing = timing
    this.#report = (line) => report(`${authorities} authorities: ${line}`)
  }

  async measure({ swapEverySeconds, seconds, swapsInARow }: SizeTiming): Promise<SwapRow> {
    const { snapshotBytes } = this.#scene
    const service = await this.#serve(threadsMax)
    const startBytes = residentBytes(service.child.process.pid!).now
    // The first time the code is cold.
    await this.#fireAll(service)
    const capacityPerSecond = (await this.#fireAll(service)).requestsPerSecond
    const rate = Math.min(capacityPerSecond * loadShare, this.#timing.ratePerSecondMax)
    this.#report(`${rate.toFixed(0)} requests a second, without and with swaps`)
    const openLoop = new OpenLoop(this.#children, undefined)
    const order = {
      port: service.port,
      key: service.key,
      file: this.#scene.targetsFile,
      offset: 0,
      expectations: this.#scene.expectationsFile,
      ratePerSecond: rate,
      connections: this.#timing.connections,
    }
    // The open loop's code is cold, too.
    await openLoop.fire({ ...order, seconds: this.#timing.capacitySeconds })
    const fire = async (kind: LoadKind, forSeconds: number): Promise<LoadRow> => {
      const cpuBefore = cpuSeconds(service.child.process.pid!).own
      const swapper = kind === 'without' ? undefined : this.#swapEvery(service, swapEverySeconds)
      const measured = await openLoop.fire({ ...order, seconds: forSeconds })
      const swapSeconds = (await swapper?.stop()) ?? []
      const serviceCpuSeconds = cpuSeconds(service.child.process.pid!).own - cpuBefore
      return { kind, swapSeconds, serviceCpuSeconds, ...measured }
    }
    const still = await fire('without', seconds)
    const cold = await fire('first', coldSwaps * swapEverySeconds + swapEverySeconds / 2)
    const warm = await fire('further', seconds)
    const loads = [still, cold, warm]
    const { thirdBytes, lastBytes } = await this.#swapInARow(service, swapsInARow)
    const peakBytes = residentBytes(service.child.process.pid!).peak
    await service.child.stop()
    const throughput = await this.#throughput()
    const threadBytes = throughput[1]!.startBytes - throughput[0]!.startBytes
    const otherBytes = startBytes - snapshotBytes + threadsMax * threadBytes
    return {
      authorities: this.#authorities,
      capacityPerSecond,
      ratePerSecond: rate,
      loads,
      snapshotBytes,
      startBytes,
      peakBytes,
      threadBytes,
      peakSnapshots: (peakBytes - otherBytes) / snapshotBytes,
      thirdBytes,
      lastBytes,
      throughput,
    }
  }

  /** Announces the other snapshot every so often; `stop` returns how long each swap took. */
  #swapEvery(service: KeyedService, seconds: number): { stop: () => Promise<number[]> } {
    const stopped = new AbortController()
    const swapSeconds: number[] = []
    const swapping = (async () => {
      const before = await readinessOf(service)
      const first = this.#scene.ids.indexOf(before.snapshot_id)
      for (let dueMs = performance.now() + seconds * 1000; ; dueMs += seconds * 1000) {
        const waitMs = Math.max(0, dueMs - performance.now())
        await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => {})
        if (stopped.signal.aborted) return before.swaps
        const next = this.#scene.ids[(first + swapSeconds.length + 1) % 2]!
        swapSeconds.push(await this.#swap(service, next))
      }
    })()
    const stop = async () => {
      stopped.abort()
      const swapsBefore = await swapping
      const { swaps, refusals, thread_deaths } = await readinessOf(service)
      if (swaps - swapsBefore !== swapSeconds.length || refusals + thread_deaths > 0) {
        throw new Error(`${swaps} swaps, ${refusals} refusals, ${thread_deaths} threads died`)
      }
      return swapSeconds
    }
    return { stop }
  }

  #swap(service: KeyedService, id: string): Promise<number> {
    return swapTo(service, this.#scene.directory, id)
  }

  async #swapInARow(
    service: KeyedService,
    swapsInARow: number,
  ): Promise<Pick<SwapRow, 'thirdBytes' | 'lastBytes'>> {
    const { ids } = this.#scene
    this.#report(`${swapsInARow} swaps in a row`)
    const isSecond = (await readinessOf(service)).snapshot_id === ids[1]
    let thirdBytes = 0
    let lastBytes = 0
    for (let swap = 1; swap <= swapsInARow; swap += 1) {
      await this.#swap(service, ids[(swap + (isSecond ? 1 : 0)) % 2]!)
      if (swap === 3) thirdBytes = await settledBytes(service.child.process.pid!)
      if (swap === swapsInARow) lastBytes = await settledBytes(service.child.process.pid!)
    }
    return { thirdBytes, lastBytes }
  }

  async #throughput(): Promise<ThroughputRow[]> {
    const rows: ThroughputRow[] = []
    for (let threads = 1; threads <= threadsMax; threads += 1) {
      this.#report(`full load on ${threads} threads`)
      const service = await this.#serve(threads)
      const startBytes = residentBytes(service.child.process.pid!).now
      await this.#fireAll(service)
      const row = await this.#fireAll(service)
      await service.child.stop()
      const worth = row.requestsPerServerCpuSecond
      const scaling = (threads * worth) / (rows[0]?.requestsPerServerCpuSecond ?? worth)
      rows.push({ threads, startBytes, ...row, scaling })
    }
    return rows
  }

  #serve(threads: number): Promise<KeyedService> {
    const { directory: snapshots } = this.#scene
    return startRichService(this.#children, { snapshots, threads })
  }

  async #fireAll({ port, key, child }: KeyedService): Promise<FullLoad> {
    const pid = child.process.pid!
    const { connections, capacitySeconds } = this.#timing
    const before = { server: cpuSeconds(pid).own, generator: cpuSeconds(process.pid).children }
    const { requests, seconds, failed } = await this.#load.fire({
      port,
      key,
      file: this.#scene.targetsFile,
      offset: 0,
      connections,
      seconds: capacitySeconds,
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
