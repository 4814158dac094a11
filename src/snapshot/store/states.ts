/** The state of a directory of snapshots: what is served, announced, verified and held back. */
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import { anyText, objectOf } from '../../reading/readers.ts'
import { fileIdentityOf } from './file-identity.ts'
import { asJson, asLine, asLines, required, stateFile } from './state-file.ts'

export const idPattern = /^[0-9a-f]{32}$/

const pointerForm = { ...asLine(idPattern), fault: 'holds no id of a snapshot' }

/** The pointers: which snapshot to serve, and which one to stay on. */
export const pointers = {
  CURRENT: stateFile('CURRENT', pointerForm),
  PINNED: stateFile('PINNED', pointerForm),
}

/** The id that a pointer names; undefined when there is no such pointer or it holds no id. */
export function readPointer(directory: string, name: keyof typeof pointers): string | undefined {
  const { value, fault } = pointers[name].read(directory)
  if (fault !== undefined && !(fault instanceof Refusal)) throw fault
  return value
}

/** The snapshot to serve: the pinned one, else the current one; undefined when nothing is announced. */
export function announcedId(directory: string): string | undefined {
  return readPointer(directory, 'PINNED') ?? readPointer(directory, 'CURRENT')
}

/** Ids in the order of announcement: the time of a file changes when it is copied or touched. */
const announcements = stateFile('ANNOUNCED', asLines)

export function announcedIds(directory: string): readonly string[] {
  return required(announcements.read(directory)) ?? []
}

/** @param present the ids in the directory; no others stay in the order of announcements. */
export function noteAnnouncement(directory: string, id: string, present: readonly string[]): void {
  const earlier = announcedIds(directory)
  const before = readPointer(directory, 'CURRENT')
  // A directory that was put together by hand has no order of announcements.
  const all = before === undefined || earlier.includes(before) ? earlier : [...earlier, before]
  const others = all.filter((each) => each !== id && present.includes(each))
  announcements.write(directory, [...others, id])
  pointers.CURRENT.write(directory, id)
}

export interface HeldBack {
  /** One line. */
  readonly reason: string
  /** ISO 8601. */
  readonly at: string
  readonly sourceFingerprint: string
}

/** Why the last sync of a changed source published nothing; removed by the next success. */
export const heldBack = stateFile<HeldBack>(
  'HELD-BACK',
  asJson(objectOf({ reason: anyText, at: anyText, sourceFingerprint: anyText })),
)

export function readHeldBack(directory: string): HeldBack | undefined {
  const { kind, value } = heldBack.read(directory)
  if (kind !== 'damaged') return value
  // The file says that a sync is held back, even if its content cannot be read.
  const reason = `${join(directory, heldBack.name)} cannot be read`
  return { reason, at: '', sourceFingerprint: '' }
}

/** The fingerprint of a held-back source whose next sync passes once, as with `--force`. */
const released = stateFile('RELEASED', asLine())

/** Releases what was held back. @returns false where nothing is, or it is another source by now. */
export function releaseHeldBack(directory: string, sourceFingerprint: string): boolean {
  // A mirror knows that a sync is held back elsewhere, not of which source.
  if (sourceFingerprint === '') return false
  if (readHeldBack(directory)?.sourceFingerprint !== sourceFingerprint) return false
  released.write(directory, sourceFingerprint)
  return true
}

export function isReleased(directory: string): boolean {
  const { value } = released.read(directory)
  return value !== undefined && value === readHeldBack(directory)?.sourceFingerprint
}

/** Whether a source was released, which holds once. */
export function takeRelease(directory: string, sourceFingerprint: string): boolean {
  return released.read(directory).value === sourceFingerprint && released.remove(directory)
}

/** Time of the last sync that succeeded, also without changes: milliseconds since the epoch. */
export const syncedAtMs = stateFile<number>('SYNCED', {
  encode: (milliseconds) => `${new Date(milliseconds).toISOString()}\n`,
  decode: (text) => {
    const milliseconds = Date.parse(text.trim())
    return Number.isNaN(milliseconds) ? undefined : milliseconds
  },
})

/**
 * The files that were verified as they lie there: no load proves the agreement of their sections
 * again. A file that was copied, restored or touched since is of unknown origin. Damage of the disk
 * is found without this: checksums are compared at every load, those of texts left in the file when
 * they are read. A damaged list says nothing: then everything is verified.
 */
const verified = stateFile('VERIFIED', asLines)

/** Notes that the file of a snapshot was verified just now. It keeps the notes of files that are still there. */
export function noteVerified(directory: string, fileName: string): void {
  const others = (verified.read(directory).value ?? []).filter((each) => {
    const [name = ''] = each.split(' ')
    return name !== fileName && each === fileIdentityOf(join(directory, name))
  })
  verified.write(directory, [...others, fileIdentityOf(join(directory, fileName))])
}

export function isVerified(directory: string, fileName: string): boolean {
  const identity = fileIdentityOf(join(directory, fileName))
  return verified.read(directory).value?.includes(identity) ?? false
}
