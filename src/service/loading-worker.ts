/**
 * The thread of a `Loader`: it reads and verifies a snapshot into shared memory. It yields to the serving threads
 * wherever the system lets it.
 */
import { statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Channel, type NoCalls } from '../process/channel.ts'
import { giveWay } from '../process/thread.ts'
import { type ChangeChain, readChain } from '../snapshot/changes/change-directory.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Allocate } from '../snapshot/file.ts'
import { loadForAnswers, pathOf } from '../snapshot/store/directory.ts'
import type { ChangesOrder, LoadedSnapshot, LoadOrder } from './protocol.ts'

/** Works for so long at most while others are served, and then leaves them the processor. */
const workMs = 0.5
const restMs = 0.5
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

class Loading {
  /** Whether others are served meanwhile. */
  #isServing = false
  #sinceMs = performance.now()
  /** Files of changes that were read, and never change. */
  #known: readonly ChangeFile[] = []

  /**
   * A thread that has the processor keeps it for milliseconds when another one wants it, at any priority (on Linux until
   * the next tick, mostly 4 ms); one that rests does not. One and the same for every load: code that the engine has
   * compiled for another is thrown away.
   */
  readonly #rest = (): void => {
    if (performance.now() - this.#sinceMs < workMs) return
    if (this.#isServing) Atomics.wait(never, 0, 0, restMs)
    this.#sinceMs = performance.now()
  }

  load({ spare, isServing, textsOnDisk, ...order }: LoadOrder): LoadedSnapshot {
    const { directory, id } = order
    this.#isServing = isServing
    // Nobody is served before the first load is done: until then whatever else the machine does would only delay the start.
    if (isServing) giveWay()
    const status = statSync(pathOf(directory, id), { throwIfNoEntry: false })
    const writtenAtMs = status?.mtimeMs ?? 0
    const allocate: Allocate = (name, bytes) => sparedMemory(spare[name], bytes)
    const snapshot = loadForAnswers(directory, id, { allocate, rest: this.#rest, textsOnDisk })
    const { files: changes, broken: brokenChanges } = this.loadChanges(order)
    return { ...snapshot, writtenAtMs, changes, brokenChanges }
  }

  loadChanges({ directory, id, changesSinceMs: sinceMs }: ChangesOrder): ChangeChain {
    const chain = readChain(directory, id, { sinceMs, known: this.#known })
    this.#known = chain.files
    return chain
  }
}

/** The memory of the same of the snapshot before, where it is long enough. */
function sparedMemory(buffer: SharedArrayBuffer | undefined, bytes: number): Uint8Array {
  if (buffer !== undefined && buffer.byteLength >= bytes) return new Uint8Array(buffer)
  // A little longer than needed, so that the next snapshot fits where this one was; memory that is never touched takes
  // no room.
  return new Uint8Array(new SharedArrayBuffer(bytes + (bytes >>> 3) + 4096))
}

const loading = new Loading()
const handlers = {
  load: (order: LoadOrder) => loading.load(order),
  loadChanges: (order: ChangesOrder) => loading.loadChanges(order),
}
new Channel<LoadingCalls, NoCalls>(parentPort!, handlers)

export type LoadingCalls = typeof handlers
