/**
 * Loads snapshots on a thread of their own, in two places by turns: while one snapshot is served,
 * the next is read into the memory of the one before it. So memory never exceeds two snapshots, and
 * none of it waits for a garbage collector that would stop the serving threads. The thread stays, since
 * to start one and to compile its code anew takes longer than to load a small snapshot.
 */
import { closeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { moduleOf, startThread, type Thread } from '../process/thread.ts'
import type { ChangeChain } from '../snapshot/changes/change-directory.ts'
import { openSnapshot } from '../snapshot/file.ts'
import { closeTexts, pathOf } from '../snapshot/store/directory.ts'
import type { LoadingCalls } from './loading-worker.ts'
import type { ChangesOrder, LoadedSnapshot, ServedSnapshot, SpareMemory } from './protocol.ts'
import { heapLimits } from './thread-pool.ts'

export class Loader {
  readonly #directory: string
  readonly #historyMs: number
  readonly #clock: () => number
  readonly #textsOnDisk: boolean
  #thread: Thread<LoadingCalls> | undefined
  /** Whether anything was loaded, which is served then. */
  #isServing = false
  #spare: SpareMemory = {}
  #erasing = Promise.resolve()

  /**
   * @param historyMs maximum age of the announcement of a change that is served.
   * @param textsOnDisk whether texts stay in the file, and are read when an answer needs them.
   */
  constructor(directory: string, historyMs: number, clock: () => number, textsOnDisk: boolean) {
    this.#textsOnDisk = textsOnDisk
    this.#directory = directory
    this.#historyMs = historyMs
    this.#clock = clock
  }

  /** Starts its thread, so that the first load need not wait for that. */
  prepare(): void {
    this.#channel()
  }

  /**
   * Reads and verifies a snapshot. One at a time.
   * @param directory where it lies, if not where snapshots are announced.
   * @throws Refusal `snapshot-refused`, `snapshot-missing`; Error when the thread dies.
   */
  async load(id: string, directory = this.#directory): Promise<LoadedSnapshot> {
    await this.#erasing
    // A file that texts are read from stays open: this thread opens it, since it outlives the others.
    const file = this.#textsOnDisk ? openSnapshot(pathOf(directory, id)) : undefined
    const textsOnDisk = file === undefined ? undefined : { file }
    // Used once: the next load may begin before the snapshot that was served is recycled.
    const spare = this.#spare
    this.#spare = {}
    const place = { ...this.#orderOf(id), directory }
    const order = { ...place, spare, textsOnDisk, isServing: this.#isServing }
    try {
      const loaded = await this.#channel().call('load', order)
      this.#isServing = true
      return loaded
    } catch (error) {
      if (file !== undefined) closeSync(file)
      throw error
    }
  }

  loadChanges(id: string): Promise<ChangeChain> {
    return this.#channel().call('loadChanges', this.#orderOf(id))
  }

  #orderOf(id: string): ChangesOrder {
    return { directory: this.#directory, id, changesSinceMs: this.#clock() - this.#historyMs }
  }

  /** Ends the thread; what it is loading fails. */
  async close(): Promise<void> {
    await this.#thread?.worker.terminate()
  }

  /** To the thread; one that died is replaced. */
  #channel(): Thread<LoadingCalls>['channel'] {
    this.#thread ??= startThread(moduleOf('loading-worker', import.meta.url), {
      name: 'the loading thread',
      handlers: {},
      resourceLimits: heapLimits,
      onEnd: () => {
        this.#thread = undefined
      },
    })
    return this.#thread.channel
  }

  /**
   * The next load may write over the memory of this snapshot, which no thread reads any more; the file
   * that its texts were read from is closed.
   * @param erased whether it holds a removed person, and so is written over before this resolves.
   */
  recycle(snapshot: ServedSnapshot, erased: boolean): Promise<void> {
    closeTexts(snapshot)
    const buffers = Object.entries(snapshot.sections).map(
      ([name, { buffer }]) => [name, buffer as unknown as SharedArrayBuffer] as const,
    )
    this.#spare = Object.fromEntries(buffers)
    if (erased) this.#erasing = erase(buffers.map(([, buffer]) => buffer))
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
