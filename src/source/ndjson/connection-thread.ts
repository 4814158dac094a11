/**
 * Connections on a thread of their own, beside the one that reads authorities: a million people take a
 * minute (measured), and turning connections into numbers needs no facts of people.
 */
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import type { ConnectionBatch } from '../source.ts'
import type { SourceFile } from './files.ts'

/** The calls that the thread answers. */
export type ConnectionCalls = {
  /** The batches of a file in order, then its digest. */
  read(file: SourceFile): AsyncIterable<ConnectionBatch | string>
}

/** Batches that may wait: some 50 MB, with all of 200,000 people who have five connections each. */
const waitingMax = 16

/** Begins to read at once; its batches can be had once. */
export class ConnectionThread {
  readonly #thread: Thread<ConnectionCalls>
  readonly #items: AsyncGenerator<ConnectionBatch | string, void, undefined>

  constructor(file: SourceFile) {
    const name = 'the thread that reads connections'
    const module = moduleOf('connection-worker', import.meta.url)
    this.#thread = startThread(module, { name, handlers: {} })
    this.#items = this.#thread.channel.stream('read', file, waitingMax)
    // A sync that is given up need not wait for it.
    this.#thread.worker.unref()
  }

  /** @throws Refusal `source-unreadable` as `readConnections` does. */
  async *batches(
    onEnd: (digest: string) => void,
  ): AsyncGenerator<ConnectionBatch, void, undefined> {
    // The reader of its batches does.
    this.#thread.worker.ref()
    for await (const item of this.#items) {
      if (typeof item === 'string') onEnd(item)
      else yield item
    }
  }

  /** Ends the thread, wherever it is. */
  close(): void {
    void this.#thread.worker.terminate()
  }
}
