/** A thread that races others for one balance: reserves, and keeps or gives back what it got. */
import { parentPort, workerData } from 'node:worker_threads'
import { type SharedBalances, ThreadBalances } from '../../../../src/ledger/live/balances.ts'

/** The orders of a racer. */
export interface Race {
  readonly shared: SharedBalances
  readonly place: number
  /** Infinity to go on until another racer has made all of its own. */
  readonly attempts: number
  readonly costMicroUsd: number
  /** Gives back every reservation it gets, as an aborted request does. */
  readonly releases: boolean
  /** One word that turns 1 when all may start, and 2 when one has made all its attempts. */
  readonly signal: SharedArrayBuffer
}

const { shared, place, attempts, costMicroUsd, releases, signal } = workerData as Race
const balances = new ThreadBalances(shared, place)
parentPort?.postMessage('ready')
const word = new Int32Array(signal)
Atomics.wait(word, 0, 0)

let served = 0
let negative = 0
for (let i = 0; i < attempts; i++) {
  if (attempts === Number.POSITIVE_INFINITY && Atomics.load(word, 0) === 2) break
  if (balances.take([0], costMicroUsd) >= 0) {
    served += 1
    if (releases) balances.release([0], costMicroUsd)
    else balances.record(0, [0], 'search', 1, costMicroUsd)
  }
  if (balances.balanceMicroUsd(0) < 0) negative += 1
}
Atomics.store(word, 0, 2)
parentPort?.postMessage({ served, negative })
