/**
 * Load at a constant rate, as an open loop: the latency of a request counts from when it was due, so that a stall
 * is seen by all that it held up (Tene, "How NOT to Measure Latency", 2015). No package does it: autocannon sends
 * what a second allows as fast as answers come, and wrk waits for an answer before it asks again.
 */
import type { Children } from '../../../test/support/processes/children.ts'

export interface PacedOrder {
  readonly port: number
  readonly key: string
  readonly file: string
  readonly offset: number
  /** A file of `Expectations`; where it is absent, answers are not looked into. */
  readonly expectations?: string
  readonly ratePerSecond: number
  readonly seconds: number
  readonly connections: number
}

/** Snapshot id → for each path what the body ends with, from `"results":[` on. */
export type Expectations = Readonly<Record<string, readonly string[]>>

/** What came of an order; latencies in microseconds from when a request was due. */
export interface PacedMeasured {
  readonly requests: number
  readonly seconds: number
  readonly failed: number
  /** Not wholly what is expected of the snapshot that the answer names. */
  readonly mixed: number
  readonly problems: readonly string[]
  readonly answers: Readonly<Record<string, number>>
  readonly p50Us: number
  readonly p99Us: number
  readonly p999Us: number
  readonly maxUs: number
  /** How late requests were sent: what of the latency is the generator's. */
  readonly lateP999Us: number
  readonly generatorCpuSeconds: number
}

/** Starts it; what it returns carries out orders, one at a time. */
export function startOpenLoop(children: Children): (order: PacedOrder) => Promise<PacedMeasured> {
  const file = new URL('./open-loop-program.ts', import.meta.url)
  const child = children.startScript('the open loop', file, [])
  return (order) => child.ask(order)
}
