/**
 * Loads snapshots on a thread of their own, in two places by turns: while one snapshot is served,
 * the next is read into the memory of the one before it. So memory never exceeds two snapshots, and
 * none of it waits for a garbage collector that would stop the serving threads.
 */
import { Worker } from 'node:worker_threads'
import { Channel } from '../process/channel.ts'
import { moduleOf } from '../process/thread-module.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { sectionNames } from '../snapshot/sections.ts'
import type { LoadedSnapshot, LoadingCalls, NoCalls, SectionBuffers } from './protocol.ts'

export class Loader {
  readonly #directory: string
  #spare: SectionBuffers = {}

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Reads and verifies a snapshot. One at a time.
   * @throws Refusal `snapshot-refused`, `snapshot-missing`; Error when the thread dies.
   */
  async load(id: string): Promise<LoadedSnapshot> {
    const worker = new Worker(moduleOf('loading-worker', import.meta.url))
    const channel = new Channel<NoCalls, LoadingCalls>(worker, {})
    worker.once('error', (error) => channel.end(error))
    worker.once('exit', (code) =>
      channel.end(new Error(`the loading thread ended with code ${code}`)),
    )
    try {
      return await channel.call('load', { directory: this.#directory, id, spare: this.#spare })
    } finally {
      await worker.terminate()
    }
  }

  /** The memory of a snapshot that no thread reads any more; the next load may write over it. */
  recycle({ sections }: Snapshot): void {
    this.#spare = Object.fromEntries(
      sectionNames.map((name) => [name, sections[name].buffer as unknown as SharedArrayBuffer]),
    )
  }
}
