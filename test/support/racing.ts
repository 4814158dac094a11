/**
 * Threads that race: each says that it is ready, waits for a signal that all of them share, and then says
 * what came of it.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { compiled } from './processes/compiled.ts'

export async function startTogether<T>(
  module: URL,
  racers: readonly object[],
  beside: () => void = () => {},
): Promise<T[]> {
  const signal = new SharedArrayBuffer(4)
  const program = compiled(fileURLToPath(module))
  const workers = racers.map((racer) => new Worker(program, { workerData: { ...racer, signal } }))
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
  return finished.map(([result]) => result as T)
}
