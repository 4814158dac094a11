/** A thread that sells against others, queries of 1 micro-USD: takes from keys at random, and records or releases what it got. */
import { parentPort, workerData } from 'node:worker_threads'
import { type SharedBalances, ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { Random } from '../../../support/random.ts'

export interface Race {
  readonly shared: SharedBalances
  readonly place: number
  /** Infinity to go on until another racer has made all of its own. */
  readonly attempts: number
  readonly seed: number
  /** Of each key: its line and its purses. */
  readonly keys: readonly { readonly line: number; readonly purses: readonly number[] }[]
  /** What requests cost, in micro-USD. */
  readonly costs: readonly number[]
  /** Of ten reservations so many are released. */
  readonly releasesOfTen: number
  /** One word that turns 1 when all may start, and 2 when one has made all its attempts. */
  readonly signal: SharedArrayBuffer
}

const { shared, place, attempts, seed, keys, costs, releasesOfTen, signal } = workerData as Race
const balances = new ThreadBalances(shared, place)
const random = new Random(seed, place)
parentPort?.postMessage('ready')
const word = new Int32Array(signal)
Atomics.wait(word, 0, 0)

let negative = 0
let refused = 0
const soldMicroUsd = keys.map(() => 0)
for (let attempt = 0; attempt < attempts; attempt += 1) {
  if (attempts === Number.POSITIVE_INFINITY && Atomics.load(word, 0) === 2) break
  const index = random.below(keys.length)
  const { line, purses } = keys[index]!
  const costMicroUsd = costs[random.below(costs.length)]!
  if (balances.take(purses, costMicroUsd) >= 0) {
    if (random.below(10) < releasesOfTen) balances.release(purses, costMicroUsd)
    else {
      balances.record(line, purses, 'search', costMicroUsd, costMicroUsd)
      soldMicroUsd[index]! += costMicroUsd
    }
  } else refused += 1
  for (const purse of purses) if (balances.balanceMicroUsd(purse) < 0) negative += 1
}
Atomics.store(word, 0, 2)
parentPort?.postMessage({ soldMicroUsd, negative, refused })
