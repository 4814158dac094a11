/**
 * The thread of a `Loader`: it reads and verifies a snapshot into shared memory. It yields to the serving threads
 * wherever the system lets it.
 */
import { statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Channel, type NoCalls } from '../process/channel.ts'
import { giveWay } from '../process/thread.ts'
import { readChain } from '../snapshot/changes/change-directory.ts'
import type { Allocate } from '../snapshot/file.ts'
import { loadForAnswers, pathOf } from '../snapshot/store/directory.ts'
import type { ChangesOrder, LoadedSnapshot, LoadingCalls, LoadOrder } from './protocol.ts'

/** Works for so long at most while others are served, and then leaves them the processor. */
const workMs = 0.5
const restMs = 0.5
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/**
 * A thread that has the processor keeps it for milliseconds when another one wants it, at any priority (on Linux until
 * the next tick, mostly 4 ms); one that rests does not. One and the same for every load: code that the engine has
 * compiled for another is thrown away.
 */
class Rest {
  /** Whether others are served meanwhile. */
  isWanted = false
  #sinceMs = performance.now()

  readonly now = (): void => {
    if (performance.now() - this.#sinceMs < workMs) return
    if (this.isWanted) Atomics.wait(never, 0, 0, restMs)
    this.#sinceMs = performance.now()
  }
}

function load(rest: Rest, given: LoadOrder): LoadedSnapshot {
  const { spare, isServing, textsOnDisk, ...order } = given
  const { directory, id } = order
  rest.isWanted = isServing
  const status = statSync(pathOf(directory, id), { throwIfNoEntry: false })
  const writtenAtMs = status?.mtimeMs ?? 0
  const allocate: Allocate = (name, bytes) => sparedMemory(spare[name], bytes)
  const snapshot = loadForAnswers(directory, id, { allocate, rest: rest.now, textsOnDisk })
  const { files: changes, broken: brokenChanges } = loadChanges(order)
  return { ...snapshot, writtenAtMs, changes, brokenChanges }
}

/** The memory of the same of the snapshot before, where it is long enough. */
function sparedMemory(buffer: SharedArrayBuffer | undefined, bytes: number): Uint8Array {
  if (buffer !== undefined && buffer.byteLength >= bytes) return new Uint8Array(buffer)
  // A little longer than needed, so that the next snapshot fits where this one was; memory that is never touched takes
  // no room.
  return new Uint8Array(new SharedArrayBuffer(bytes + (bytes >>> 3) + 4096))
}

function loadChanges({ directory, id, changesSinceMs: sinceMs, knownChanges }: ChangesOrder) {
  return readChain(directory, id, { sinceMs, known: knownChanges })
}

const port = parentPort
if (port === null) throw new Error('a loading thread is started by the main thread')
giveWay()
const rest = new Rest()
new Channel<LoadingCalls, NoCalls>(port, {
  load: (order) => load(rest, order),
  loadChanges,
})
