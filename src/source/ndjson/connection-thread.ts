/**
 * Connections on a thread of their own, beside whoever reads the authorities: of a million people
 * they take a minute (measured), and nothing has to be known of anybody to turn them into numbers.
 */
import { Worker } from 'node:worker_threads'
import { Channel, type NoCalls } from '../../process/channel.ts'
import { moduleOf } from '../../process/thread-module.ts'
import type { ConnectionBatch } from '../source.ts'
import type { SourceFile } from './files.ts'

/** What the thread can be asked. */
export type ConnectionCalls = {
  /** The batches of a file in order, then the digest of the file. */
  read(file: SourceFile): AsyncIterable<ConnectionBatch | string>
}

/** Batches that may wait: less than 1 GiB, and all of a million people. */
const waitingMax = 400

/** Begins to read at once; its batches can be had once. */
export class ConnectionThread {
  readonly #worker: Worker
  readonly #items: AsyncGenerator<ConnectionBatch | string, void, undefined>

  constructor(file: SourceFile) {
    this.#worker = new Worker(moduleOf('connection-worker', import.meta.url))
    const channel = new Channel<NoCalls, ConnectionCalls>(this.#worker, {})
    this.#items = channel.stream('read', file, waitingMax)
    this.#worker.once('error', (error) => channel.end(error))
    this.#worker.once('exit', () =>
      channel.end(new Error('the thread that reads connections has ended before its time')),
    )
    // Whoever gives up a sync need not wait for it.
    this.#worker.unref()
  }

  /** @throws Refusal `source-unreadable` as `readConnections` does. */
  async *batches(
    onEnd: (digest: string) => void,
  ): AsyncGenerator<ConnectionBatch, void, undefined> {
    // Whoever waits for its batches does.
    this.#worker.ref()
    for await (const item of this.#items) {
      if (typeof item === 'string') onEnd(item)
      else yield item
    }
  }

  /** Ends the thread, wherever it is. */
  close(): void {
    void this.#worker.terminate()
  }
}
