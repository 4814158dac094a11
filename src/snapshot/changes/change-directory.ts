/**
 * The files of changes beside the snapshots: one for each announcement, numbered, in a folder of
 * their own. A file never changes: a file that is written anew, without a removed person, is
 * another file of the same number and a higher revision. Files make a chain as far back as each was
 * current before the next; whatever is before a gap or a damaged file is not served.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../limits.ts'
import { Refusal, thrownMessage, unlessRefused } from '../../problems.ts'
import { syncFile } from '../../process/sync-file.ts'
import { fileIdentityOf } from '../store/file-identity.ts'
import { removeTemporaries, temporarySuffix } from '../store/state-file.ts'
import type { PersonChanges } from './change.ts'
import {
  type ChangeFacts,
  type ChangeFile,
  peopleOf,
  readChangeFile,
  writeChangeFile,
} from './change-file.ts'

export const changesFolder = 'changes'

export interface ChangeEntry {
  readonly number: number
  /** The snapshot that its changes lead to. */
  readonly id: string
  readonly revision: number
  readonly path: string
}

/** The name of a file: number, snapshot, revision. */
export const changeFileShape = /^(\d{8})-([0-9a-f]{32})-(\d{1,6})\.msgpack$/

function pathOf(directory: string, number: number, id: string, revision: number): string {
  const name = `${String(number).padStart(8, '0')}-${id}-${revision}.msgpack`
  return join(directory, changesFolder, name)
}

function allEntries(directory: string): ChangeEntry[] {
  const folder = join(directory, changesFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const [, number, id, revision] = changeFileShape.exec(name) ?? []
      if (id === undefined) return []
      return [{ number: Number(number), id, revision: Number(revision), path: join(folder, name) }]
    })
    .sort((a, b) => a.number - b.number || a.revision - b.revision)
}

/** The files that count, in the order of the announcements: of each number the last revision. */
export function changeEntries(directory: string): ChangeEntry[] {
  const entries = allEntries(directory)
  return entries.filter(({ number }, index) => number !== entries[index + 1]?.number)
}

export interface ChangeChain {
  /** From the oldest to the one that led to the snapshot that is served; each to the next. */
  readonly files: readonly ChangeFile[]
  /** Why it does not go back further, where a file is at fault; one line. */
  readonly broken: string | undefined
}

interface ChainOptions {
  /** Files announced before are left out, but for the last. Milliseconds since the epoch. */
  readonly sinceMs?: number
  /** Files that were read before; a file never changes. */
  readonly known?: readonly ChangeFile[]
}

/** The chain to the last announcement of a snapshot. Never throws for a fault of a file. */
export function readChain(
  directory: string,
  id: string,
  { sinceMs = 0, known = [] }: ChainOptions = {},
): ChangeChain {
  const entries = changeEntries(directory)
  const last = entries.findLastIndex((entry) => entry.id === id)
  const files: ChangeFile[] = []
  if (last < 0 && entries.length > 0) return { files, broken: missing(directory, id) }
  for (let index = last; index >= 0 && files.length < limits.historySnapshotsMax; index -= 1) {
    const next = files[0]
    const entry = entries[index]!
    if (next !== undefined && !leadsTo(entry, next)) {
      const { parent } = next.header
      // Without a parent a chain begins, also behind earlier announcements.
      return { files, broken: parent === null ? undefined : missing(directory, parent) }
    }
    const read = readOrProblem(entry, known)
    if (typeof read === 'string') return { files, broken: read }
    if (next !== undefined && Date.parse(read.header.announcedAt) < sinceMs) break
    files.unshift(read)
  }
  return { files, broken: undefined }
}

function missing(directory: string, id: string): string {
  return `${join(directory, changesFolder)}: no file leads to snapshot ${id}`
}

function leadsTo({ number, id }: ChangeEntry, { header }: ChangeFile): boolean {
  return header.parent === id && header.number === number + 1
}

function readOrProblem(entry: ChangeEntry, known: readonly ChangeFile[]): ChangeFile | string {
  const identityNow = fileIdentityOf(entry.path)
  const before = known.find(({ identity }) => identity === identityNow)
  if (before !== undefined) return before
  try {
    const file = readChangeFile(entry.path)
    const { number, id } = file.header
    const isNamed = number === entry.number && id === entry.id
    return isNamed ? file : `${entry.path}: holds the changes of number ${number}, ${id}`
  } catch (error) {
    // Whatever it is: one file that cannot be read is no reason not to serve.
    const message = thrownMessage(error)
    return error instanceof Refusal ? message : `${entry.path}: ${message}`
  }
}

/** The number of the next announcement, which `current` is current before. */
export function nextNumber(directory: string, current: string | undefined): number {
  const entries = changeEntries(directory)
  const last = entries.findLast(({ id }) => id === current) ?? entries.at(-1)
  return (last?.number ?? 0) + 1
}

/** They were never announced, because a sync was ended before it could. */
export function removeUnannounced(directory: string, next: number): void {
  for (const { number, path } of allEntries(directory).reverse()) {
    if (number >= next) rmSync(path)
  }
}

interface PublishOptions {
  readonly revision?: number
  /** Of the people in it. */
  readonly bytesMax?: number
}

/**
 * Writes a file, reads it back, and only then gives it its name, durably.
 * @param people in the order of the hashes of their SDUs.
 * @throws Refusal `build-limit` when it is too large; `snapshot-refused` if it reads back
 * otherwise.
 */
export function publishChanges(
  directory: string,
  facts: ChangeFacts,
  people: Iterable<PersonChanges>,
  { revision = 0, bytesMax }: PublishOptions = {},
): void {
  mkdirSync(join(directory, changesFolder), { recursive: true })
  removeTemporaries(join(directory, changesFolder), (name) => changeFileShape.test(name))
  const path = pathOf(directory, facts.number, facts.id, revision)
  const temporary = `${path}${temporarySuffix}`
  try {
    writeChangeFile(temporary, facts, people, bytesMax)
    readChangeFile(temporary)
    renameSync(temporary, path)
    syncFile(join(directory, changesFolder))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes files announced before a time and surplus ones, the oldest first; never the last. */
export function retainChanges(directory: string, sinceMs: number): void {
  const entries = changeEntries(directory)
  const surplus = entries.length - limits.historySnapshotsMax
  for (const [index, entry] of entries.slice(0, -1).entries()) {
    if (index >= surplus && !isBefore(entry, sinceMs)) break
    rmSync(entry.path)
  }
  removeRevisions(directory)
}

/** A file that cannot be read counts as old: it is of no use. */
function isBefore({ path }: ChangeEntry, sinceMs: number): boolean {
  const file = unlessRefused(() => readChangeFile(path))
  return file === undefined || Date.parse(file.header.announcedAt) < sinceMs
}

function removeRevisions(directory: string): void {
  const kept = new Set(changeEntries(directory).map(({ path }) => path))
  for (const { path } of allEntries(directory)) if (!kept.has(path)) rmSync(path)
}

/**
 * Writes a file anew with the changes that a function returns for each person; undefined leaves a person out.
 * Does nothing if that changes no person. The earlier file is removed when the new one is durable.
 */
export function rewriteChanges(
  directory: string,
  entry: ChangeEntry,
  changed: (person: PersonChanges) => PersonChanges | undefined,
): void {
  const file = readChangeFile(entry.path)
  if (!anyOther(file, changed)) return
  const people = changedPeople(peopleOf(file), changed)
  publishChanges(directory, file.header, people, { revision: entry.revision + 1 })
  removeRevisions(directory)
}

function anyOther(file: ChangeFile, changed: (person: PersonChanges) => unknown): boolean {
  for (const person of peopleOf(file)) if (changed(person) !== person) return true
  return false
}

/** Each person as a function has them, without those of whom it has none. */
export function* changedPeople(
  people: Iterable<PersonChanges>,
  changed: (person: PersonChanges) => PersonChanges | undefined,
): Generator<PersonChanges, void, void> {
  for (const person of people) {
    const other = changed(person)
    if (other !== undefined) yield other
  }
}
