/**
 * Layout of snapshots in object storage: the keys of the objects, and the contents of an announcement. An
 * announcement is written once and never changed; of several candidates for the next number, one is
 * written. `CURRENT` is only a hint at the last one.
 *
 *     parts/<sha256>.gz   a part of a snapshot, or of a file of `changes/` of a directory (`file-parts.ts`)
 *     removed/<digest>    the list of who was removed for good: `REMOVED` of a directory
 *     announce/<number>   20 digits, from 1
 *     CURRENT             the number of the last one, or of one before it
 *     SYNC                how the last sync ended, whether it announced something or not
 */
import { randomUUID } from 'node:crypto'
import { limits } from '../../limits.ts'
import type { ObjectFacts, ReadableObjects } from '../../objects/object-store.ts'
import { type RetryPolicy, readWhole } from '../../objects/read-with-resume.ts'
import { objectDamaged } from '../../objects/storage-refusals.ts'
import type { Refusal } from '../../problems.ts'
import {
  anyText,
  exactly,
  formed,
  hexadecimal,
  naturalNumber,
  objectOf,
  positiveNumber,
  readJson,
  readList,
  utcTime,
} from '../../reading/readers.ts'
import { changeFileShape } from '../../snapshot/changes/change-directory.ts'
import { type FileParts, partCount } from './file-parts.ts'

/** The hint at the last announcement. */
export const currentKey = 'CURRENT'

/** Key of the outcome of the last sync; see `sync-status.ts`. */
export const syncKey = 'SYNC'

/** The beginnings of keys. */
export const folders = {
  parts: 'parts/',
  removed: 'removed/',
  announcements: 'announce/',
} as const

const digits = 20

/** Key of a part of a file. */
export function partKey(sha256: string): string {
  return `${folders.parts}${sha256}.gz`
}

/** Key of a list of removals. */
export function removalsKey(digest: string): string {
  return `${folders.removed}${digest}`
}

/** Key of an announcement. */
export function announcementKey(number: number): string {
  return `${folders.announcements}${String(number).padStart(digits, '0')}`
}

/** The number of an announcement by its key. */
export function numberOf(key: string): number {
  return Number(key.slice(folders.announcements.length))
}

/** A file of changes, by its name in a directory. */
export interface NamedFile extends FileParts {
  readonly name: string
}

/** Contents of an announcement. */
export interface Announcement extends FileParts {
  readonly number: number
  /** The snapshot that is to be served; the parts are those of its file. */
  readonly id: string
  /** Time of the announcement by the clock of its writer, ISO 8601. */
  readonly at: string
  /** Tells one announcement from another that says the same. */
  readonly by: string
  /** Digest of the list of removals that it was made with; '' for none. */
  readonly removals: string
  /** All files of changes that go with it, the last one at the end. */
  readonly changes: readonly NamedFile[]
}

const format = 'authority-index-announcement'
const version = 2
const file = { bytes: naturalNumber, parts: readList(hexadecimal(64)) }
const readMembers = objectOf<Announcement & { format: string; version: number }>({
  format: exactly(format, 'is no announcement'),
  version: exactly(version, `version is not ${version}`),
  number: positiveNumber,
  id: hexadecimal(32),
  ...file,
  at: utcTime,
  by: anyText,
  removals: formed(/^(?:[0-9a-f]{16})?$/),
  changes: readList(objectOf<NamedFile>({ name: formed(changeFileShape), ...file })),
})

/** The bytes of an announcement of one's own. */
export function encodeAnnouncement(announcement: Omit<Announcement, 'by'>): Buffer {
  const content = { format, version, ...announcement, by: randomUUID() }
  return Buffer.from(`${JSON.stringify(content, undefined, 1)}\n`)
}

/** An announcement by its name, before it is read. */
export interface SeenAnnouncement {
  readonly number: number
  readonly facts: ObjectFacts
  /** Its contents, or why they cannot be read. */
  readonly announcement: Announcement | Refusal
}

/** The announcement of a number; undefined where there is none. */
export async function readAnnouncement(
  store: ReadableObjects,
  number: number,
  steadiness: RetryPolicy,
): Promise<SeenAnnouncement | undefined> {
  const key = announcementKey(number)
  const read = await readSmall(store, key, steadiness)
  if (read === undefined) return undefined
  return {
    number,
    facts: read.facts,
    announcement: decoded(`${store.name}/${key}`, number, read.text),
  }
}

function decoded(place: string, number: number, text: string): Announcement | Refusal {
  const { value: announcement, faults } = readJson(readMembers, text)
  if (faults !== undefined) {
    const { path, reason } = faults[0]!
    return objectDamaged(place, [...path, reason].join(' '))
  }
  if (announcement.number !== number) return objectDamaged(place, 'is of another number')
  const files = [announcement, ...announcement.changes]
  const isFitting = files.every(({ bytes, parts }) => parts.length === partCount(bytes))
  return isFitting ? announcement : objectDamaged(place, 'names a file without all of its parts')
}

/** A small object as a text; undefined where there is none. @throws Refusal `object-damaged`. */
export async function readSmall(
  store: ReadableObjects,
  key: string,
  steadiness: RetryPolicy,
): Promise<{ readonly facts: ObjectFacts; readonly text: string } | undefined> {
  const read = await readWhole(store, key, limits.announcementBytesMax, steadiness)
  return read && { facts: read.facts, text: read.bytes.toString() }
}
