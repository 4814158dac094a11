/**
 * Connections on a thread beside the one that reads authorities, which takes a minute for a million
 * people (measured).
 */
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import type { ConnectionBatch } from '../source.ts'
import type { SourceFile } from './files.ts'

export type ConnectionCalls = {
  /** The next batch; behind the last, the digest of the file. */
  next(nothing: undefined): ConnectionBatch | string
}

/** Some 50 MB, with all of 200,000 people who have five connections each. */
const aheadMax = 16

/** Begins to read at once; its batches can be had once. */
export class ConnectionThread {
  readonly #thread: Thread<ConnectionCalls>
  readonly #asked: Promise<ConnectionBatch | string>[] = []

  constructor(file: SourceFile) {
    const name = 'the thread that reads connections'
    const module = moduleOf('connection-worker', import.meta.url)
    this.#thread = startThread(module, { name, handlers: {}, workerData: file })
    while (this.#asked.length < aheadMax) this.#ask()
    // A sync that is given up need not wait for it.
    this.#thread.worker.unref()
  }

  /** @throws Refusal `source-unreadable` as `readConnections` does. */
  async *batches(
    onEnd: (digest: string) => void,
  ): AsyncGenerator<ConnectionBatch, void, undefined> {
    // The reader of its batches does.
    this.#thread.worker.ref()
    let item = await this.#next()
    while (typeof item !== 'string') {
      yield item
      item = await this.#next()
    }
    onEnd(item)
  }

  #next(): Promise<ConnectionBatch | string> {
    this.#ask()
    return this.#asked.shift()!
  }

  #ask(): void {
    const item = this.#thread.channel.call('next', undefined)
    // Those behind the last batch, or behind a failure, are never looked at.
    item.catch(() => {})
    this.#asked.push(item)
  }

  close(): void {
    void this.#thread.worker.terminate()
  }
}
