/**
 * The thread of a `Loader`: it reads and verifies a snapshot into shared memory. It yields to the serving threads
 * wherever the system lets it.
 */
import { type Stats, statSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { indexesVersion, madeOf } from '../engine/derived-indexes.ts'
import { LastTokens } from '../engine/terms/topic-tokens.ts'
import { SharedPool } from '../memory/shared/shared-pool.ts'
import { Channel, type NoCalls } from '../process/channel.ts'
import { block, giveWay, restingEvery } from '../process/giving-way.ts'
import { moduleOf } from '../process/thread.ts'
import { readChain } from '../snapshot/changes/change-directory.ts'
import { readRest, refuse } from '../snapshot/file.ts'
import { type FillAll, fillFree } from '../snapshot/reading/filling.ts'
import { type AllocateColumn, derivedOf } from '../snapshot/store/derived-file.ts'
import { loadForAnswers, pathOf } from '../snapshot/store/directory.ts'
import { storeAll } from '../snapshot/texts/stored-lookups.ts'
import { SecondThread } from './loading/second-thread.ts'
import type { ChangesOrder, LoadedSnapshot, LoadingCalls, LoadOrder, PoolPart } from './protocol.ts'

/** Works for so long at most while others are served, and then leaves them the processor. */
const workMs = 0.5
const restMs = 0.5

/** One and the same for every load: code that the engine has compiled for another is thrown away. */
class Rest {
  /** Whether others are served meanwhile. */
  isWanted = false
  readonly now = restingEvery(
    workMs,
    () => {
      if (this.isWanted) block(restMs)
    },
    performance.now.bind(performance),
  )
}

/** Bytes of the smallest file that two threads read: a second one takes some 50 ms to start. */
const sharedFromBytes = 1 << 28

/** Things that the loads of a thread have in common. */
interface Kept {
  readonly rest: Rest
  readonly last: LastTokens
  readonly pool: SharedPool
}

/** Loads a snapshot; a large one with a second thread, unless others are served meanwhile. */
function load(kept: Kept, given: LoadOrder): LoadedSnapshot {
  const status = statSync(pathOf(given.directory, given.id), { throwIfNoEntry: false })
  const isShared = !given.isServing && (status?.size ?? 0) >= sharedFromBytes
  if (!isShared) return loadWith(kept, given, status)
  const second = new SecondThread(moduleOf('loading-worker', import.meta.url))
  try {
    return loadWith(kept, given, status, second.fillAll)
  } finally {
    second.close()
  }
}

function loadWith(
  { rest, last, pool }: Kept,
  given: LoadOrder,
  status: Stats | undefined,
  fillAll?: FillAll,
): LoadedSnapshot {
  const { spare, isServing, isPooled, textsOnDisk, ...order } = given
  const { directory, id } = order
  rest.isWanted = isServing
  const writtenAtMs = status?.mtimeMs ?? 0
  // One snapshot, the columns of another, and room for both to grow.
  pool.expect(2 * (status?.size ?? 0))
  const loadInto = (allocate: AllocateColumn) => {
    const options = { allocate, rest: rest.now, textsOnDisk, fillAll }
    const snapshot = loadForAnswers(directory, id, options)
    const { files: changes, broken: brokenChanges } = loadChanges(order)
    // A directory that cannot be written is a usual one: then each load makes them.
    const { columns } = derivedOf(directory, snapshot.header, {
      ...{ version: indexesVersion, make: () => madeOf(snapshot, rest.now, last) },
      ...{ rest: rest.now, fillAll, allocate },
    })
    return { ...snapshot, ...columns, writtenAtMs, changes, brokenChanges }
  }
  return isPooled
    ? readInto(pool, ownerOf(id, 'columns'), loadInto)
    : loadInto((name, bytes) => sparedMemory(spare[name], bytes))
}

/** The memory of the same of the snapshot before, where it is long enough. */
function sparedMemory(buffer: SharedArrayBuffer | undefined, bytes: number): Uint8Array {
  if (buffer !== undefined && buffer.byteLength >= bytes) return new Uint8Array(buffer)
  // A little longer than needed, so that the next snapshot fits where this one was; memory that is never touched takes
  // no room.
  return new Uint8Array(new SharedArrayBuffer(bytes + (bytes >>> 3) + 4096))
}

function ownerOf(id: string, part: PoolPart): string {
  return `${id} ${part}`
}

/** Reads into the pool; a failed read leaves no memory taken. */
function readInto<T>(pool: SharedPool, owner: string, read: (allocate: AllocateColumn) => T): T {
  try {
    return read((_, bytes) => pool.take(owner, bytes))
  } catch (error) {
    pool.release(owner)
    throw error
  }
}

function loadChanges({ directory, id, changesSinceMs: sinceMs, knownChanges }: ChangesOrder) {
  return readChain(directory, id, { sinceMs, known: knownChanges })
}

const port = parentPort
if (port === null) throw new Error('a loading thread is started by the main thread')
giveWay()
const [rest, last, pool] = [new Rest(), new LastTokens(), new SharedPool()]
new Channel<LoadingCalls, NoCalls>(port, {
  load: (order) => load({ rest, last, pool }, order),
  loadChanges,
  leaveTexts: ({ path, snapshot, file }) =>
    storeAll(snapshot, file, (problem) => refuse(path, problem), rest.now),
  readTexts: ({ path, snapshot }) =>
    readInto(pool, ownerOf(snapshot.header.id, 'texts'), (allocate) =>
      readRest(path, snapshot, { allocate, rest: rest.now }),
    ),
  release: ({ id, part }) => pool.release(ownerOf(id, part)),
  wipe: () => pool.wipe(rest.now),
  fill: (fillings) => fillFree(fillings, rest.now),
})
