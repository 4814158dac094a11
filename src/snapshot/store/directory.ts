/**
 * The directory of snapshots: `<id>.msgpack` files, the pointer `CURRENT` that readers follow, and
 * the pointer `PINNED` that holds them on one version. Published is not announced: a file is
 * written, made durable, read back and verified before `CURRENT` names it, and every change of a
 * name is one rename, so that a process killed at any moment leaves `CURRENT` on a whole snapshot.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Refusal, unlessRefused } from '../../problems.ts'
import { syncFile } from '../../process/sync-file.ts'
import { refuse } from '../column-file.ts'
import type { StoredFacts } from '../facts.ts'
import {
  type Allocate,
  type LoadOptions,
  newMemory,
  type OnFraction,
  openSnapshot,
  readFacts,
  readHeader,
  readSnapshot,
  type Snapshot,
  writeSnapshot,
} from '../file.ts'
import type { SnapshotHeader } from '../header.ts'
import { isLookup, leaveInFile } from '../texts/stored-texts.ts'
import { verifySections } from '../verify/verify.ts'
import { holdsRemoved, partsOf, readRemovals } from './removals.ts'
import { removeTemporaries, required, stateNames, temporarySuffix } from './state-file.ts'
import {
  announcedIds,
  idPattern,
  isVerified,
  noteAnnouncement,
  noteVerified,
  pointers,
  readPointer,
} from './states.ts'
import { orStoreRefused } from './system-errors.ts'

const suffix = '.msgpack'
export function pathOf(directory: string, id: string): string {
  return join(directory, `${id}${suffix}`)
}

/**
 * Reads a snapshot and proves it whole: checksums, then the agreement of its sections.
 * @throws Refusal `snapshot-refused` naming the file and the section; `snapshot-missing`.
 */
export function loadSnapshot(path: string, options: LoadOptions = {}): Snapshot {
  const { textsOnDisk, rest } = options
  // The agreement of sections is proved by the look-ups, too.
  const inMemory = textsOnDisk && { ...textsOnDisk, lookupsInMemory: true }
  const snapshot = readSnapshot(path, { ...options, textsOnDisk: inMemory })
  const { sections, header, texts } = snapshot
  const contradiction = verifySections(sections, header.counts, rest, texts)
  if (contradiction !== undefined) {
    refuse(path, `section ${contradiction.section}: ${contradiction.problem}`)
  }
  if (texts === undefined || textsOnDisk?.lookupsInMemory === true) return snapshot
  return leaveInFile(path, { ...snapshot, texts }, isLookup, true)
}

/** @throws Refusal as `loadSnapshot` does, also for the file of another id, and `store-refused`. */
export function loadStored(directory: string, id: string): Snapshot {
  return orStoreRefused(directory, () => ofId(directory, id, loadSnapshot))
}

function ofId<T extends Pick<StoredFacts, 'header'>>(
  directory: string,
  id: string,
  read: (path: string) => T,
): T {
  const path = pathOf(directory, id)
  const found = read(path)
  if (found.header.id !== id) refuse(path, `holds snapshot ${found.header.id}`)
  return found
}

export function storedFacts(directory: string, id: string): StoredFacts {
  return orStoreRefused(directory, () => ofId(directory, id, readFacts))
}

/**
 * Loads a snapshot to answer from: never one that holds a person on the directory's list of
 * removals. That costs nothing where it was made with that list, else O(people and handles). Checksums
 * are compared of all that is read, the agreement of sections only where it was not proved of the file as it lies there;
 * texts that stay in the file are not read then.
 * @throws Refusal as `loadStored` does, and `snapshot-refused` for such a one.
 */
export function loadForAnswers(directory: string, id: string, options: LoadOptions = {}): Snapshot {
  const isProved = isVerified(directory, `${id}${suffix}`)
  const load = isProved ? readSnapshot : loadSnapshot
  const textsOnDisk = options.textsOnDisk && { ...options.textsOnDisk, isProved }
  const snapshot = ofId(directory, id, (path) => load(path, { ...options, textsOnDisk }))
  const removals = readRemovals(directory)
  if (partsOf(snapshot.header.sourceFingerprint).digest === removals.digest) return snapshot
  if (holdsRemoved(snapshot, removals, options.rest)) {
    refuse(pathOf(directory, id), 'holds somebody who was removed')
  }
  return snapshot
}

interface StoredSnapshot {
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

/** The last announced first; then those never announced, newest file first. Reads headers only. */
export function listSnapshots(directory: string): StoredSnapshot[] {
  const current = readPointer(directory, 'CURRENT')
  const pinned = readPointer(directory, 'PINNED')
  const announced = announcedIds(directory)
  const found = snapshotIds(directory).flatMap((id) => {
    const path = pathOf(directory, id)
    // One that is removed meanwhile is not there.
    const status = statSync(path, { throwIfNoEntry: false })
    if (status === undefined || !status.isFile()) return []
    const { size: bytes, mtimeMs } = status
    const publishedAt = new Date(mtimeMs).toISOString()
    const header = unlessRefused(() => readHeader(path))
    const marks = { current: id === current, pinned: id === pinned }
    const stored = { id, path, bytes, publishedAt, header, ...marks }
    return [{ stored, place: announced.indexOf(id), mtimeMs }]
  })
  found.sort(
    (a, b) => b.place - a.place || b.mtimeMs - a.mtimeMs || (a.stored.id < b.stored.id ? -1 : 1),
  )
  return found.map(({ stored }) => stored)
}

function snapshotIds(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .filter((id) => idPattern.test(id))
}

interface Published {
  readonly snapshot: Snapshot
  /** False when one of the same id was there and whole. */
  readonly written: boolean
}

/**
 * Publishes a snapshot: writes it, reads it back into the memory that it lies in, and verifies it. Not
 * yet announced. A file of the same id that is whole already stands for it. Texts that are in a file stay in that
 * of the snapshot, which `closeTexts` closes.
 */
export function publish(directory: string, snapshot: Snapshot, onProgress?: OnFraction): Published {
  mkdirSync(directory, { recursive: true })
  removeTemporaries(directory, isOurs)
  const { id } = snapshot.header
  const load = snapshot.filed === undefined ? loadSnapshot : loadWithoutTexts
  const present = unlessRefused(() => ofId(directory, id, load))
  if (present !== undefined) {
    noteVerified(directory, `${id}${suffix}`)
    return { snapshot: present, written: false }
  }
  const path = pathOf(directory, id)
  const temporary = `${path}${temporarySuffix}`
  try {
    writeSnapshot(temporary, snapshot, onProgress)
    const readBack = load(temporary, { allocate: memoryOf(snapshot) })
    try {
      renameSync(temporary, path)
      syncFile(directory)
      noteVerified(directory, `${id}${suffix}`)
    } catch (error) {
      closeTexts(readBack)
      throw error
    }
    return { snapshot: readBack, written: true }
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * The memory that a snapshot lies in: what is read back takes no more. Sections that share some have
 * the same bytes there.
 */
function memoryOf({ sections }: Snapshot): Allocate {
  return (name, bytes) => {
    const { buffer, byteOffset, byteLength } = sections[name]!
    const isThatLong = byteOffset === 0 && byteLength === bytes
    return isThatLong ? new Uint8Array(buffer) : newMemory(name, bytes)
  }
}

function loadWithoutTexts(path: string, options: LoadOptions = {}): Snapshot {
  const file = openSnapshot(path)
  try {
    const textsOnDisk = { file, lookupsInMemory: true }
    return loadSnapshot(path, { ...options, textsOnDisk })
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Closes the file of the texts of a snapshot, if it has one: they cannot be read any more. */
export function closeTexts({ texts }: Pick<Snapshot, 'texts'>): void {
  if (texts !== undefined) closeSync(texts.file)
}

function isOurs(name: string): boolean {
  if (name === 'rejects.ndjson' || stateNames.some((each) => each === name)) return true
  return name.endsWith(suffix) && idPattern.test(name.slice(0, -suffix.length))
}

export function announce(directory: string, id: string): void {
  noteAnnouncement(directory, id, snapshotIds(directory))
}

export function removeSnapshot(directory: string, id: string): void {
  rmSync(pathOf(directory, id), { force: true })
}

/** @throws Refusal `snapshot-missing` where there is no directory; `store-refused`. */
export function storedSnapshots(directory: string): StoredSnapshot[] {
  if (!existsSync(directory)) {
    throw new Refusal('snapshot-missing', `${directory}: no such directory`)
  }
  return orStoreRefused(directory, () => listSnapshots(directory))
}

/** @throws Refusal `snapshot-refused` when a pointer cannot be read; `store-refused`. */
export function pointersOf(directory: string) {
  return orStoreRefused(directory, () => ({
    current: required(pointers.CURRENT.read(directory)),
    pinned: required(pointers.PINNED.read(directory)),
  }))
}

export function loadIfWhole(directory: string, id: string): Snapshot | undefined {
  return unlessRefused(() => loadStored(directory, id))
}

export function factsIfReadable(directory: string, id: string): StoredFacts | undefined {
  return unlessRefused(() => storedFacts(directory, id))
}

/** @throws Refusal `snapshot-missing` when none or several begin so; `wrong-usage` if empty. */
export function findSnapshot(directory: string, idStart: string): StoredSnapshot {
  if (idStart === '') throw new Refusal('wrong-usage', 'an ID has at least one digit')
  const found = storedSnapshots(directory).filter(({ id }) => id.startsWith(idStart))
  if (found.length === 1) return found[0]!
  const problem = found.length === 0 ? 'no snapshot' : 'several snapshots'
  throw new Refusal('snapshot-missing', `${directory}: ${problem} with id ${idStart}`)
}

/** Without a beginning the one to serve. @throws Refusal `snapshot-missing`. */
export function chosenSnapshot(directory: string, idStart: string | undefined): StoredSnapshot {
  const { current, pinned } = pointersOf(directory)
  const wanted = idStart ?? pinned ?? current
  if (wanted !== undefined) return findSnapshot(directory, wanted)
  throw new Refusal('snapshot-missing', `${directory}: no snapshot is announced`)
}

/** Keeps the `keep` announced last, the current and the pinned one. @returns the removed ids. */
export function retain(directory: string, keep: number): string[] {
  const removable = storedSnapshots(directory)
    .slice(keep)
    .filter(({ current, pinned }) => !current && !pinned)
  for (const { id } of removable) removeSnapshot(directory, id)
  return removable.map(({ id }) => id)
}
