/**
 * The service as its main thread runs it: it owns the snapshot store and the threads, and serves
 * no requests itself.
 */
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { Refusal } from '../problems.ts'
import { announcedId, loadSnapshot, pathOf } from '../snapshot/store.ts'
import { Threads } from './threads.ts'

/** What a service is started with. */
export interface ServiceOptions {
  readonly host: string
  readonly port: number
  /** 0 is one for each core. */
  readonly threads: number
  readonly snapshots: string
}

/** A running service. */
export interface Service {
  readonly port: number
  readonly threads: number
  readonly snapshotId: string
  readonly close: () => Promise<void>
}

/**
 * Starts the service over the snapshot that its directory announces, and answers when it serves.
 * @throws Refusal `snapshot-missing`, `snapshot-refused`, `cannot-listen`.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const id = announcedId(options.snapshots)
  if (id === undefined) {
    const hint = 'publish one with: authority-index sync --source DIR'
    throw new Refusal('snapshot-missing', `${options.snapshots}: no snapshot is announced; ${hint}`)
  }
  await assertPortFree(options.host, options.port)
  const snapshot = loadSnapshot(pathOf(options.snapshots, id))
  const count = options.threads || availableParallelism()
  const threads = new Threads(count)
  try {
    await threads.serve(snapshot)
    const port = await threads.listen(options.host, options.port)
    return { port, threads: count, snapshotId: id, close: () => threads.close() }
  } catch (error) {
    await threads.close()
    throw error
  }
}

/**
 * The threads share their port, and so would a second service by mistake; a plain listener, which
 * shares with nobody, finds out first.
 */
function assertPortFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => {
      reject(new Refusal('cannot-listen', `cannot listen on ${host}:${port}: ${error.message}`))
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
