/**
 * The port of a snapshot store, for the code that publishes, lists and pins snapshots. It is asynchronous,
 * because a store need not be a directory of this machine. A service does not use it: it follows a
 * directory (`directory.ts`), which is a store itself or is filled from one.
 *
 * Published is not announced: a snapshot is whole, and proved whole, before it is announced.
 */
import { Refusal } from '../../problems.ts'
import type { StoredFacts } from '../facts.ts'
import type { OnFraction, Snapshot } from '../file.ts'
import type { SnapshotHeader } from '../header.ts'

/** A store of snapshots. */
export interface SnapshotStore {
  /** Location of the store, for messages. */
  readonly name: string
  /** Path of the snapshot with this id, whether it exists or not. */
  pathOf(id: string): string
  /** The snapshots that it holds, whole or not, the last announced first. */
  list(): Promise<readonly StoredSnapshot[]>
  /** @throws Refusal `snapshot-refused` when a pointer is there and cannot be read. */
  pointers(): Promise<Pointers>
  /**
   * Reads a snapshot and proves it whole.
   * @throws Refusal `snapshot-refused` naming the section; `snapshot-missing`.
   */
  load(id: string): Promise<Snapshot>
  /** Reads the facts of a snapshot, and checks their bytes. @throws Refusal as `load` does. */
  facts(id: string): Promise<StoredFacts>
  /** Makes a snapshot durable, reads it back and proves it whole. Not yet announced. */
  publish(snapshot: Snapshot, onProgress?: OnFraction): Promise<Published>
  /** Removes a snapshot, if it is there. */
  remove(id: string): Promise<void>
  /** Announces a published snapshot: it is the current one from now on. */
  announce(id: string): Promise<void>
  /** Holds services on a snapshot, also when another one is announced. */
  pin(id: string): Promise<void>
  /** Lets services follow what is announced again; false when nothing was pinned. */
  unpin(): Promise<boolean>
}

/** The ids of the snapshots to serve and to stay on; undefined where there is none. */
interface Pointers {
  readonly current: string | undefined
  readonly pinned: string | undefined
}

/** One snapshot of a store. */
export interface StoredSnapshot {
  readonly id: string
  readonly path: string
  readonly bytes: number
  /** Time of its publication, ISO 8601. */
  readonly publishedAt: string
  /** Undefined when it is not readable as a snapshot: damaged, or of another format. */
  readonly header: SnapshotHeader | undefined
  readonly current: boolean
  readonly pinned: boolean
}

/** A snapshot that lies in its store, as it was read back from there. */
export interface Published {
  readonly snapshot: Snapshot
  /** False when one of the same id was there and whole. */
  readonly written: boolean
}

/** A snapshot of a store, or undefined when it is missing or would be refused. */
export function loadIfWhole(store: SnapshotStore, id: string): Promise<Snapshot | undefined> {
  return unlessRefused(store.load(id))
}

/** The facts of a snapshot of a store, or undefined when they are missing or would be refused. */
export function factsIfReadable(
  store: SnapshotStore,
  id: string,
): Promise<StoredFacts | undefined> {
  return unlessRefused(store.facts(id))
}

async function unlessRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/**
 * The snapshot with this id, or the only one whose id begins so.
 * @throws Refusal `snapshot-missing` when none or several begin so; `wrong-usage` for no beginning.
 */
export async function findSnapshot(store: SnapshotStore, idStart: string): Promise<StoredSnapshot> {
  if (idStart === '') throw new Refusal('wrong-usage', 'an ID has at least one digit')
  const found = (await store.list()).filter(({ id }) => id.startsWith(idStart))
  if (found.length === 1) return found[0]!
  const problem = found.length === 0 ? 'no snapshot' : 'several snapshots'
  throw new Refusal('snapshot-missing', `${store.name}: ${problem} with id ${idStart}`)
}

/**
 * The snapshot whose id begins so; without a beginning the one that services are to serve.
 * @throws Refusal `snapshot-missing`.
 */
export async function chosenSnapshot(
  store: SnapshotStore,
  idStart: string | undefined,
): Promise<StoredSnapshot> {
  const { current, pinned } = await store.pointers()
  const wanted = idStart ?? pinned ?? current
  if (wanted !== undefined) return findSnapshot(store, wanted)
  throw new Refusal('snapshot-missing', `${store.name}: no snapshot is announced`)
}

/**
 * Removes all but the `keep` snapshots that were announced last, and never the current or the pinned one.
 * @returns the ids that were removed.
 */
export async function retain(store: SnapshotStore, keep: number): Promise<string[]> {
  const removable = (await store.list())
    .slice(keep)
    .filter(({ current, pinned }) => !current && !pinned)
  for (const { id } of removable) await store.remove(id)
  return removable.map(({ id }) => id)
}
