/** What the bench of swaps finds out, and the tables that show it. */

import type { PacedMeasured } from '../shared/load/open-loop.ts'
import { table } from '../shared/report.ts'

/** What came of one size. */
export interface SwapRow {
  readonly authorities: number
  readonly capacityPerSecond: number
  readonly ratePerSecond: number
  readonly still: PacedMeasured
  readonly swapping: PacedMeasured
  /** Swaps that were made under load. */
  readonly swaps: number
  /** From the announcement until all threads serve it. */
  readonly swapSecondsMax: number
  /** Of p99.9, with swaps to without. */
  readonly p999Ratio: number
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
  /** Targets that the two snapshots answer differently, and all targets there are. */
  readonly different: number
  /** The longest that preparing a snapshot holds a thread at once, beside its slice. */
  readonly longestStepMs: number
  readonly throughput: readonly ThroughputRow[]
}

/** What so many serving threads do at full load, on a machine that they share with the generator. */
export interface ThroughputRow {
  readonly threads: number
  /** Resident before anything is asked. */
  readonly startBytes: number
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
      'thread MiB',
      'peak MiB',
      'peak snapshots',
      'after 3 swaps MiB',
      'after all MiB',
      'ratio',
      'longest step ms',
      'longest swap s',
    ],
    rows.map((row) => [
      String(row.authorities),
      mebibytes(row.snapshotBytes),
      mebibytes(row.startBytes),
      mebibytes(row.threadBytes),
      mebibytes(row.peakBytes),
      row.peakSnapshots.toFixed(2),
      mebibytes(row.thirdBytes),
      mebibytes(row.lastBytes),
      (row.lastBytes / row.thirdBytes).toFixed(2),
      row.longestStepMs.toFixed(2),
      row.swapSecondsMax.toFixed(1),
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
