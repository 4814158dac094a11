/**
 * A server in a worker thread of a bench: started from a TypeScript module that posts its port, and
 * told to end, because a thread with open sockets cannot be cut.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A server that is starting. */
export interface WorkerServer {
  readonly port: Promise<number>
  readonly end: () => Promise<unknown>
}

/**
 * Starts a module in a worker, with what it is started with as `workerData`. A worker does not take
 * TypeScript from `--import tsx` on Node 20, so it registers it itself.
 */
export function startWorkerServer(module: URL, workerData: unknown): WorkerServer {
  const loader = `
    import('tsx/esm/api')
      .then(({ register }) => register())
      .then(() => import(${JSON.stringify(module.href)}))
  `
  const worker = new Worker(loader, { eval: true, workerData })
  const exit = once(worker, 'exit')
  const port = once(worker, 'message').then(([number]) => number as number)
  const end = () => {
    worker.postMessage('end')
    return exit
  }
  return { port, end }
}
