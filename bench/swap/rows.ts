/** What the bench of swaps finds out, and the tables that show it. */

import type { PacedMeasured } from '../shared/load/open-loop.ts'
import { table } from '../shared/report.ts'

/** Without swaps, with the first ones of a process, and with those after them. */
export type LoadKind = 'without' | 'first' | 'further'

export interface LoadRow extends PacedMeasured {
  readonly kind: LoadKind
  /** Of each swap meanwhile, from the announcement until all threads serve it. */
  readonly swapSeconds: readonly number[]
  readonly serviceCpuSeconds: number
}

export interface SwapRow {
  readonly authorities: number
  readonly ratePerSecond: number
  /** One after the other, the one without swaps first. */
  readonly loads: readonly LoadRow[]
  readonly snapshotBytes: number
  /** What the process holds with one snapshot, before it is asked anything. */
  readonly startBytes: number
  readonly peakBytes: number
  /** What one more thread holds, its part of a snapshot included: it has two during a swap. */
  readonly threadBytes: number
  /** The peak in snapshots, less what is none at the start and what threads hold in a swap. */
  readonly peakSnapshots: number
  /** Resident memory after so many swaps in a row, without load. */
  readonly thirdBytes: number
  readonly lastBytes: number
  readonly throughput: readonly ThroughputRow[]
}

/** What so many serving threads do at full load, on a machine that they share with the generator. */
export interface ThroughputRow {
  readonly threads: number
  readonly startBytes: number
  readonly requestsPerSecond: number
  readonly serverCpuSeconds: number
  /** 0 where the figures do not differ measurably. */
  readonly generatorCpuSeconds: number
  readonly requestsPerServerCpuSecond: number
  /**
   * Against one thread, as if each thread had a core of its own: the threads times what a second of
   * processor time is worth with them, to what it is worth with one.
   */
  readonly scaling: number
}

export function report(rows: readonly SwapRow[]): string[] {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  const loads = rows.flatMap(({ authorities, ratePerSecond, loads: all }) =>
    all.map((load) => {
      return { authorities, ratePerSecond, ratio: load.p999Us / all[0]!.p999Us, ...load }
    }),
  )
  const perRequest = (seconds: number, requests: number) => ((seconds / requests) * 1e6).toFixed(1)
  const latency = table(loads, {
    authorities: ({ authorities }) => authorities,
    'rate/s': ({ ratePerSecond }) => ratePerSecond.toFixed(0),
    swaps: ({ kind, swapSeconds }) => (kind === 'without' ? '-' : `${swapSeconds.length} ${kind}`),
    'longest s': ({ swapSeconds }) =>
      swapSeconds.length ? Math.max(...swapSeconds).toFixed(1) : '-',
    requests: ({ requests }) => requests,
    failed: ({ failed }) => failed,
    mixed: ({ mixed }) => mixed,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(0),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(0),
    'p99.9 µs': ({ p999Us }) => p999Us.toFixed(0),
    'max µs': ({ maxUs }) => maxUs.toFixed(0),
    'late p99.9 µs': ({ lateP999Us }) => lateP999Us.toFixed(0),
    'p99.9 ratio': ({ ratio }) => ratio.toFixed(2),
    'service µs': (load) => perRequest(load.serviceCpuSeconds, load.requests),
    'generator µs': (load) => perRequest(load.generatorCpuSeconds, load.requests),
    'cores busy': (load) =>
      ((load.serviceCpuSeconds + load.generatorCpuSeconds) / load.seconds).toFixed(2),
  })
  const memory = table(rows, {
    authorities: ({ authorities }) => authorities,
    'snapshot MiB': ({ snapshotBytes }) => mebibytes(snapshotBytes),
    'at start MiB': ({ startBytes }) => mebibytes(startBytes),
    'thread MiB': ({ threadBytes }) => mebibytes(threadBytes),
    'peak MiB': ({ peakBytes }) => mebibytes(peakBytes),
    'peak snapshots': ({ peakSnapshots }) => peakSnapshots.toFixed(2),
    'after 3 swaps MiB': ({ thirdBytes }) => mebibytes(thirdBytes),
    'after all MiB': ({ lastBytes }) => mebibytes(lastBytes),
    ratio: ({ lastBytes, thirdBytes }) => (lastBytes / thirdBytes).toFixed(2),
  })
  const fullLoads = rows.flatMap(({ authorities, throughput }) =>
    throughput.map((row) => ({ authorities, ...row })),
  )
  const fullLoad = table(fullLoads, {
    authorities: ({ authorities }) => authorities,
    threads: ({ threads }) => threads,
    'requests/s': ({ requestsPerSecond }) => requestsPerSecond.toFixed(0),
    'server CPU s': ({ serverCpuSeconds }) => serverCpuSeconds.toFixed(2),
    'generator CPU s': ({ generatorCpuSeconds }) => generatorCpuSeconds.toFixed(2),
    'requests/server CPU s': (row) => row.requestsPerServerCpuSecond.toFixed(0),
    scaling: ({ scaling }) => scaling.toFixed(2),
  })
  return [...latency, '', ...memory, '', ...fullLoad]
}
