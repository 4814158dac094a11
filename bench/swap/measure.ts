/** The measurements at one size. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Children } from '../../test/support/processes/children.ts'
import { cpuSeconds, residentBytes } from '../../test/support/processes/proc.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import type { Load } from '../shared/load/load.ts'
import { startOpenLoop } from '../shared/load/open-loop.ts'
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

interface Stand {
  readonly authorities: number
  readonly scene: Scene
  readonly load: Load
  readonly children: Children
  readonly timing: Timing
  readonly report: (line: string) => void
}

export async function measureSwaps(stand: Stand, sizeTiming: SizeTiming): Promise<SwapRow> {
  const { authorities, scene, children, timing, report } = stand
  const { swapEverySeconds, seconds, swapsInARow } = sizeTiming
  const { snapshotBytes } = scene
  const service = await serve(stand, threadsMax)
  const pid = service.child.process.pid!
  const startBytes = residentBytes(pid).now
  // The first time the code is cold.
  await fireAll(stand, service)
  const capacityPerSecond = (await fireAll(stand, service)).requestsPerSecond
  const ratePerSecond = Math.min(capacityPerSecond * loadShare, timing.ratePerSecondMax)
  report(`${ratePerSecond.toFixed(0)} requests a second, without and with swaps`)
  const openLoop = startOpenLoop(children)
  const order = {
    port: service.port,
    key: service.key,
    file: scene.targetsFile,
    offset: 0,
    expectations: scene.expectationsFile,
    ratePerSecond,
    connections: timing.connections,
  }
  // The open loop's code is cold, too.
  await openLoop({ ...order, seconds: timing.capacitySeconds })
  const fire = async (kind: LoadKind, forSeconds: number): Promise<LoadRow> => {
    const cpuBefore = cpuSeconds(pid).own
    const stop = kind === 'without' ? undefined : swapEvery(stand, service, swapEverySeconds)
    const measured = await openLoop({ ...order, seconds: forSeconds })
    const swapSeconds = (await stop?.()) ?? []
    return { kind, swapSeconds, serviceCpuSeconds: cpuSeconds(pid).own - cpuBefore, ...measured }
  }
  const still = await fire('without', seconds)
  const cold = await fire('first', coldSwaps * swapEverySeconds + swapEverySeconds / 2)
  const warm = await fire('further', seconds)
  const bytes = await swapInARow(stand, service, swapsInARow)
  const peakBytes = residentBytes(pid).peak
  await service.child.stop()
  const rows = await throughput(stand)
  const threadBytes = rows[1]!.startBytes - rows[0]!.startBytes
  const otherBytes = startBytes - snapshotBytes + threadsMax * threadBytes
  return {
    ...{ authorities, ratePerSecond, snapshotBytes, startBytes, peakBytes, threadBytes, ...bytes },
    loads: [still, cold, warm],
    peakSnapshots: (peakBytes - otherBytes) / snapshotBytes,
    throughput: rows,
  }
}

/** Announces the other snapshot every so often, until what it returns is called: then how long each swap took. */
function swapEvery({ scene }: Stand, service: KeyedService, seconds: number) {
  const stopped = new AbortController()
  const swapSeconds: number[] = []
  const swapping = (async () => {
    const before = await readinessOf(service)
    const first = scene.ids.indexOf(before.snapshot_id)
    for (let dueMs = performance.now() + seconds * 1000; ; dueMs += seconds * 1000) {
      const waitMs = Math.max(0, dueMs - performance.now())
      await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => {})
      if (stopped.signal.aborted) return before.swaps
      const next = scene.ids[(first + swapSeconds.length + 1) % 2]!
      swapSeconds.push(await swapTo(service, scene.directory, next))
    }
  })()
  return async (): Promise<number[]> => {
    stopped.abort()
    const swapsBefore = await swapping
    const { swaps, refusals, thread_deaths } = await readinessOf(service)
    if (swaps - swapsBefore !== swapSeconds.length || refusals + thread_deaths > 0) {
      throw new Error(`${swaps} swaps, ${refusals} refusals, ${thread_deaths} threads died`)
    }
    return swapSeconds
  }
}

async function swapInARow({ scene, report }: Stand, service: KeyedService, count: number) {
  report(`${count} swaps in a row`)
  const isSecond = (await readinessOf(service)).snapshot_id === scene.ids[1]
  let thirdBytes = 0
  let lastBytes = 0
  for (let swap = 1; swap <= count; swap += 1) {
    await swapTo(service, scene.directory, scene.ids[(swap + (isSecond ? 1 : 0)) % 2]!)
    if (swap === 3) thirdBytes = await settledBytes(service.child.process.pid!)
    if (swap === count) lastBytes = await settledBytes(service.child.process.pid!)
  }
  return { thirdBytes, lastBytes }
}

async function throughput(stand: Stand): Promise<ThroughputRow[]> {
  const rows: ThroughputRow[] = []
  for (let threads = 1; threads <= threadsMax; threads += 1) {
    stand.report(`full load on ${threads} threads`)
    const service = await serve(stand, threads)
    const startBytes = residentBytes(service.child.process.pid!).now
    await fireAll(stand, service)
    const row = await fireAll(stand, service)
    await service.child.stop()
    const worth = row.requestsPerServerCpuSecond
    const scaling = (threads * worth) / (rows[0]?.requestsPerServerCpuSecond ?? worth)
    rows.push({ threads, startBytes, ...row, scaling })
  }
  return rows
}

function serve({ children, scene }: Stand, threads: number): Promise<KeyedService> {
  return startRichService(children, { snapshots: scene.directory, threads })
}

async function fireAll(
  { load, scene, timing }: Stand,
  { port, key, child }: KeyedService,
): Promise<FullLoad> {
  const pid = child.process.pid!
  const { connections, capacitySeconds } = timing
  const before = { server: cpuSeconds(pid).own, generator: cpuSeconds(process.pid).children }
  const order = { port, key, file: scene.targetsFile, offset: 0, connections }
  const { requests, seconds, failed } = await load.fire({ ...order, seconds: capacitySeconds })
  if (failed > 0) throw new Error(`${failed} requests failed at full load`)
  const serverCpuSeconds = cpuSeconds(pid).own - before.server
  return {
    requestsPerSecond: requests / seconds,
    serverCpuSeconds,
    generatorCpuSeconds: cpuSeconds(process.pid).children - before.generator,
    requestsPerServerCpuSecond: requests / serverCpuSeconds,
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
