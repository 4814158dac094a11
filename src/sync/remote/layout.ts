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

export const currentKey = 'CURRENT'

export const syncKey = 'SYNC'

export const folders = {
  parts: 'parts/',
  removed: 'removed/',
  announcements: 'announce/',
} as const

const digits = 20

export function partKey(sha256: string): string {
  return `${folders.parts}${sha256}.gz`
}

export function removalsKey(digest: string): string {
  return `${folders.removed}${digest}`
}

export function announcementKey(number: number): string {
  return `${folders.announcements}${String(number).padStart(digits, '0')}`
}

export function numberOf(key: string): number {
  return Number(key.slice(folders.announcements.length))
}

export interface NamedFile extends FileParts {
  readonly name: string
}

export interface Announcement extends FileParts {
  readonly number: number
  /** The parts are those of its file. */
  readonly id: string
  readonly at: string
  /** Tells one announcement from another that says the same. */
  readonly by: string
  /** '' for none. */
  readonly removals: string
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

export function encodeAnnouncement(announcement: Omit<Announcement, 'by'>): Buffer {
  const content = { format, version, ...announcement, by: randomUUID() }
  return Buffer.from(`${JSON.stringify(content, undefined, 1)}\n`)
}

export interface SeenAnnouncement {
  readonly number: number
  readonly facts: ObjectFacts
  /** A refusal says why it cannot be read. */
  readonly announcement: Announcement | Refusal
}

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

export async function readSmall(
  store: ReadableObjects,
  key: string,
  steadiness: RetryPolicy,
): Promise<{ readonly facts: ObjectFacts; readonly text: string } | undefined> {
  const read = await readWhole(store, key, limits.announcementBytesMax, steadiness)
  return read && { facts: read.facts, text: read.bytes.toString() }
}
