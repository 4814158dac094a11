/** A TypeScript module of a bench or a test in a worker thread. */
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { compiled } from './compiled.ts'

/** Starts a TypeScript module in a worker. */
export function startModule(module: URL, options: WorkerOptions): Worker {
  return new Worker(compiled(fileURLToPath(module)), options)
}
