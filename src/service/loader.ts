/**
 * Loads snapshots on a thread of their own, in two places by turns: while one snapshot is served,
 * the next is read into the memory of the one before it. So memory never exceeds two snapshots, and
 * none of it waits for a garbage collector that would stop the serving threads.
 */
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Channel, type NoCalls } from '../process/channel.ts'
import { moduleOf } from '../process/thread-module.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { sectionNames } from '../snapshot/sections.ts'
import type { LoadedSnapshot, LoadingCalls, SectionBuffers } from './protocol.ts'

export class Loader {
  readonly #directory: string
  #spare: SectionBuffers = {}
  #erasing = Promise.resolve()

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Reads and verifies a snapshot. One at a time.
   * @throws Refusal `snapshot-refused`, `snapshot-missing`; Error when the thread dies.
   */
  async load(id: string): Promise<LoadedSnapshot> {
    await this.#erasing
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

  /**
   * The memory of a snapshot that no thread reads any more; the next load may write over it.
   * @param erased whether it holds somebody who was removed, and so is written over at once.
   * @returns when that is done.
   */
  recycle({ sections }: Snapshot, erased: boolean): Promise<void> {
    this.#spare = Object.fromEntries(
      sectionNames.map((name) => [name, sections[name].buffer as unknown as SharedArrayBuffer]),
    )
    if (erased) this.#erasing = erase(Object.values(this.#spare))
    return this.#erasing
  }
}

/** Overwritten at once: a thread may not be kept from its other work for long. */
const pieceBytes = 16 << 20

async function erase(buffers: readonly SharedArrayBuffer[]): Promise<void> {
  for (const buffer of buffers) {
    for (let start = 0; start < buffer.byteLength; start += pieceBytes) {
      new Uint8Array(buffer, start, Math.min(pieceBytes, buffer.byteLength - start)).fill(0)
      await setImmediate()
    }
  }
}
