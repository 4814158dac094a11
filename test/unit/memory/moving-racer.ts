/** A thread that moves ones between doubles that others move, too, each by an exchange. */
import { parentPort, workerData } from 'node:worker_threads'
import { SharedDoubles, type SharedDoublesMemory } from '../../../src/memory/shared-doubles.ts'
import { Random } from '../../support/random.ts'

export interface MovingRace {
  readonly memory: SharedDoublesMemory
  readonly count: number
  readonly moves: number
  readonly seed: number
  /** One word that turns 1 when all may start. */
  readonly signal: SharedArrayBuffer
}

const { memory, count, moves, seed, signal } = workerData as MovingRace
const doubles = new SharedDoubles(memory, count)
const random = new Random(seed, moves)
parentPort?.postMessage('ready')
Atomics.wait(new Int32Array(signal), 0, 0)

function add(index: number, amount: number): void {
  let from: number
  do from = doubles.values[index]!
  while (!doubles.replace(index, from, from + amount))
}

for (let move = 0; move < moves; move += 1) {
  add(random.below(count), -1)
  add(random.below(count), 1)
}
parentPort?.postMessage('moved')
