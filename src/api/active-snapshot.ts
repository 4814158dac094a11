/** The snapshot of a serving thread. All threads share its memory; only the cache of answers is of one thread. */
import { type Engine, type EngineOptions, openEngine } from '../engine/open.ts'
import { limits } from '../limits.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { StoredTexts } from '../snapshot/texts/stored-texts.ts'
import { AnswerCache } from './answer-cache.ts'
import { Cursors } from './parameters/cursor.ts'
import type { Past } from './past.ts'

export interface ActiveSnapshot extends Engine {
  readonly cache: AnswerCache
  /** The snapshots before it, back to the oldest known changes. */
  readonly past: Past
  readonly cursors: Cursors
  readonly ignoresUnknown: boolean
  /** Undefined if all texts are in memory. */
  readonly texts?: StoredTexts | undefined
}

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
