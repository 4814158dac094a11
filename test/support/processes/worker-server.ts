/**
 * A server in a worker thread of a bench: started from a TypeScript module that reports where it
 * listens, and told to end, because a thread with open sockets cannot be cut.
 */
import { once } from 'node:events'
import { existsSync, readlinkSync } from 'node:fs'
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads'
import type { HttpServer } from '../../../src/http/server.ts'

/** What a server reports: where it listens, and the file that tells how long it was at work. */
export interface Place {
  readonly port: number
  readonly work: string
}

/** A server that is starting. */
export interface WorkerServer {
  readonly place: Promise<Place>
  readonly end: () => Promise<unknown>
}

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

/** Starts the module of a server, with what it is started with as `workerData`. */
export function startWorkerServer(module: URL, workerData: unknown): WorkerServer {
  const worker = startModule(module, { workerData })
  const exit = once(worker, 'exit')
  const place = once(worker, 'message').then(([reported]) => reported as Place)
  const end = () => {
    worker.postMessage('end')
    return exit
  }
  return { place, end }
}

/** In the worker: reports the server, and serves until the worker is sent anything. */
export function serveUntilTold(server: HttpServer | undefined): void {
  if (server === undefined) throw new Error('there is no free port')
  const thread = existsSync('/proc/thread-self') ? readlinkSync('/proc/thread-self') : ''
  const place: Place = { port: server.port, work: `/proc/${thread}/schedstat` }
  parentPort!.postMessage(place)
  parentPort!.once('message', async () => {
    await server.close()
    parentPort!.close()
  })
}
