/** A TypeScript module of a bench in a worker thread. */
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a TypeScript module in a worker. A worker does not take TypeScript from `--import tsx` on
 * Node 20, so it registers it itself.
 */
export function startModule(module: URL, options: WorkerOptions): Worker {
  const loader = `
    import('tsx/esm/api')
      .then(({ register }) => register())
      .then(() => import(${JSON.stringify(module.href)}))
  `
  return new Worker(loader, { ...options, eval: true })
}
