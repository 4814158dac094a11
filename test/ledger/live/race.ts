/** A race of real threads for one balance. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SharedBalances } from '../../../src/ledger/live/balances.ts'
import type { Race } from './racer.ts'

/** A worker does not take TypeScript from `--import tsx` on Node 20, so it registers it itself. */
const loader = `
  import('tsx/esm/api')
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(new URL('./racer.ts', import.meta.url).href)}))
`

/** What a racer did. */
export interface Finish {
  readonly served: number
  readonly negative: number
}

/** Runs racers at the same time on one balance, and beside them, again and again, something else. */
export async function race(
  shared: SharedBalances,
  racers: readonly Omit<Race, 'shared' | 'place' | 'signal'>[],
  beside: () => void = () => {},
): Promise<Finish[]> {
  const signal = new SharedArrayBuffer(4)
  const workers = racers.map(
    (racer, place) =>
      new Worker(loader, {
        eval: true,
        workerData: { shared, place, ...racer, signal } satisfies Race,
      }),
  )
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const results = workers.map((worker) => once(worker, 'message'))
  const exits = workers.map((worker) => once(worker, 'exit'))
  const word = new Int32Array(signal)
  Atomics.store(word, 0, 1)
  Atomics.notify(word, 0)
  const timer = setInterval(beside)
  const finished = await Promise.all(results)
  await Promise.all(exits)
  clearInterval(timer)
  return finished.map(([result]) => result as Finish)
}
