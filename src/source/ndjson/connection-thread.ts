/**
 * Connections on a thread of their own, beside whoever reads the authorities: of a million people
 * they take a minute (measured), and nothing has to be known of anybody to turn them into numbers.
 */
import { on } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Refusal } from '../../problems.ts'
import { countUp, moduleOf, newCount } from '../../process/thread-module.ts'
import type { ConnectionBatch } from '../source.ts'
import type { SourceFile } from './files.ts'

/** What the thread is started with; `taken` counts the batches that nobody has to keep any more. */
export interface ConnectionThreadStart {
  readonly file: SourceFile
  readonly port: MessagePort
  readonly taken: Int32Array
}

/** From the thread: batches in order, then the digest of the file; or that it cannot be read. */
export type ConnectionReport =
  | { readonly kind: 'batch'; readonly batch: ConnectionBatch }
  | { readonly kind: 'end'; readonly digest: string }
  | { readonly kind: 'refused'; readonly message: string }

/** Batches that may wait: less than 1 GiB, and all of a million people. */
export const waitingMax = 400

/** Begins to read at once; its batches can be had once. */
export class ConnectionThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #taken = newCount()
  #error: unknown = new Error('the thread that reads connections has ended before its time')

  constructor(file: SourceFile) {
    const { port1, port2 } = new MessageChannel()
    const workerData: ConnectionThreadStart = { file, port: port2, taken: this.#taken }
    this.#port = port1
    const module = moduleOf('connection-worker', import.meta.url)
    this.#worker = new Worker(module, { workerData, transferList: [port2] })
    this.#worker.once('error', (error) => {
      this.#error = error
    })
    // Whoever gives up a sync need not wait for it.
    this.#worker.unref()
  }

  /** @throws Refusal `source-unreadable` as `readConnections` does. */
  async *batches(
    onEnd: (digest: string) => void,
  ): AsyncGenerator<ConnectionBatch, void, undefined> {
    for await (const [message] of on(this.#port, 'message', { close: ['close'] })) {
      const report = message as ConnectionReport
      if (report.kind === 'refused') throw new Refusal('source-unreadable', report.message)
      if (report.kind === 'end') {
        onEnd(report.digest)
        return
      }
      yield report.batch
      countUp(this.#taken)
    }
    throw this.#error
  }

  /** Ends the thread, wherever it is. */
  close(): void {
    void this.#worker.terminate()
  }
}
