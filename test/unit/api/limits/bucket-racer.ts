/** A thread that races others for the tokens of one bucket, at a time that stands still. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  type BucketRate,
  Buckets,
  type SharedLimits,
} from '../../../../src/api/limits/rate-limit.ts'

export interface BucketRace {
  readonly shared: SharedLimits
  readonly filling: BucketRate
  readonly nowNs: number
  readonly attempts: number
  /** One word that turns 1 when all may start. */
  readonly signal: SharedArrayBuffer
}

const { shared, filling, nowNs, attempts, signal } = workerData as BucketRace
const buckets = new Buckets(shared, 'key', filling)
parentPort?.postMessage('ready')
Atomics.wait(new Int32Array(signal), 0, 0)

let taken = 0
for (let attempt = 0; attempt < attempts; attempt += 1) {
  if (buckets.take(0, nowNs) >= 0) taken += 1
}
parentPort?.postMessage(taken)
