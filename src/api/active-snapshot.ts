/**
 * The snapshot of a serving thread: the engine, which is views of shared memory, and the other parts that answers need.
 * All threads share the memory; only the cache of answers is of one thread.
 */
import { type Engine, type EngineOptions, openEngine } from '../engine/open.ts'
import { limits } from '../limits.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { StoredTexts } from '../snapshot/texts/stored-texts.ts'
import { AnswerCache } from './answer-cache.ts'
import { Cursors } from './parameters/cursor.ts'
import type { Past } from './past.ts'

/** A snapshot that is ready to answer. */
export interface ActiveSnapshot extends Engine {
  /** The answers of this snapshot on this thread; they go with the snapshot. */
  readonly cache: AnswerCache
  /** The snapshots before it, back to the oldest known changes. */
  readonly past: Past
  /** Reader and writer of the cursors of its pages. */
  readonly cursors: Cursors
  readonly ignoresUnknown: boolean
  /** The texts that stay in the snapshot's file; undefined if all are in memory. */
  readonly texts?: StoredTexts | undefined
}

/** Options of `activate`. */
export interface PrepareOptions extends EngineOptions {
  /** The files of changes that lead to the snapshot, the last at the end. */
  readonly changes?: readonly ChangeFile[] | undefined
  /** The key that cursors are written with; without it, any client can forge them. */
  readonly cursorKey?: Uint8Array | undefined
  /** Unless given, a parameter that the route does not take is refused. */
  readonly ignoresUnknown?: boolean | undefined
}

/** The same snapshot, with its cache, and other files of changes; as it is if these lead to another. */
export function withChanges(
  active: ActiveSnapshot | undefined,
  files: readonly ChangeFile[],
): ActiveSnapshot | undefined {
  if (active === undefined || active.catalog.id !== files.at(-1)?.header.id) return active
  return { ...active, past: { ...active.past, files } }
}

/** Makes a snapshot ready: in less than a millisecond. */
export function activate(
  snapshot: Snapshot,
  { changes = [], cursorKey, ignoresUnknown = false, ...options }: PrepareOptions = {},
): ActiveSnapshot {
  return {
    ...openEngine(snapshot, options),
    texts: snapshot.texts,
    cache: new AnswerCache(limits.answerCacheBytesMax),
    past: { files: changes, header: snapshot.header },
    cursors: new Cursors(cursorKey),
    ignoresUnknown,
  }
}
