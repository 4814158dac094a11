/**
 * The serving threads of a process: started together, listening on one port, switched together.
 */
import { Worker } from 'node:worker_threads'
import type { KeyTable } from '../ledger/keyring.ts'
import { Refusal } from '../problems.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { Order, Report, ThreadStart } from './protocol.ts'

const entry = new URL(
  import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js',
  import.meta.url,
)

/** One thread as the main thread sees it. */
class Thread {
  readonly #worker: Worker

  constructor(start: ThreadStart) {
    this.#worker = new Worker(entry, { workerData: start })
  }

  /** Gives an order that is not reported on. */
  tell(order: Order): void {
    this.#worker.postMessage(order)
  }

  /** Gives an order and waits for the report on it. */
  order(order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(error)
      this.#worker.once('error', failed)
      this.#worker.once('message', (report: Report) => {
        this.#worker.off('error', failed)
        resolve(report)
      })
      this.#worker.postMessage(order)
    })
  }

  async close(): Promise<void> {
    await this.order({ kind: 'close' })
    await this.#worker.terminate()
  }
}

export class Threads {
  readonly #threads: readonly Thread[]

  constructor(count: number, start: ThreadStart) {
    this.#threads = Array.from({ length: count }, () => new Thread(start))
  }

  /** Hands the newest key table to every thread. */
  takeKeys(table: KeyTable): void {
    for (const thread of this.#threads) thread.tell({ kind: 'take-keys', table })
  }

  /**
   * Makes every thread listen; port 0 becomes the port that the first one got.
   * @throws Refusal `cannot-listen`.
   */
  async listen(host: string, port: number): Promise<number> {
    let listening = port
    for (const thread of this.#threads) {
      const report = await thread.order({ kind: 'listen', host, port: listening })
      if (report.kind !== 'listening') {
        throw new Refusal('cannot-listen', `cannot listen on ${host}:${port}: is it in use?`)
      }
      listening = report.port
    }
    return listening
  }

  /** Serves a snapshot: when every thread has prepared it, all switch. */
  async serve(snapshot: Snapshot): Promise<void> {
    await this.#orderAll({ kind: 'prepare', snapshot })
    await this.#orderAll({ kind: 'switch', id: snapshot.header.id })
  }

  /** Stops listening and ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  async #orderAll(order: Order): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.order(order)))
  }
}
