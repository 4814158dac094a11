/** Snapshots of a directory by what operators and syncs ask for: an id or its beginning, the pointers, those to be kept. */
import { existsSync } from 'node:fs'
import { Refusal, unlessRefused } from '../../problems.ts'
import type { StoredFacts } from '../facts.ts'
import type { Snapshot } from '../file.ts'
import {
  listSnapshots,
  loadStored,
  removeSnapshot,
  type StoredSnapshot,
  storedFacts,
} from './directory.ts'
import { required } from './state-file.ts'
import { pointers } from './states.ts'
import { orStoreRefused } from './system-errors.ts'

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
