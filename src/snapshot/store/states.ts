/**
 * The state of a directory of snapshots beside its files: what is served, announced, verified and held back. A service
 * that follows the directory reads it, the sync writes it.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import { anyText, objectOf } from '../../reading/readers.ts'
import { asJson, asLine, asLines, required, stateFile } from './state-file.ts'

/** The shape of the id of a snapshot. */
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

/**
 * The ids of snapshots in the order of their announcements. The time of a file is no substitute, because copying or
 * touching the file changes it.
 */
const announcements = stateFile('ANNOUNCED', asLines)

/** The announced ids, the newest at the end; empty where the file does not exist. */
export function announcedIds(directory: string): readonly string[] {
  return required(announcements.read(directory)) ?? []
}

/**
 * Announces a snapshot: `CURRENT` names it from now on.
 * @param present the ids of the snapshots in the directory; no others stay in the order of announcements.
 */
export function noteAnnouncement(directory: string, id: string, present: readonly string[]): void {
  const earlier = announcedIds(directory)
  const before = readPointer(directory, 'CURRENT')
  // A directory that was put together by hand has no order of announcements.
  const all = before === undefined || earlier.includes(before) ? earlier : [...earlier, before]
  const others = all.filter((each) => each !== id && present.includes(each))
  announcements.write(directory, [...others, id])
  pointers.CURRENT.write(directory, id)
}

/** A sync that was held back. */
export interface HeldBack {
  /** One line. */
  readonly reason: string
  /** ISO 8601. */
  readonly at: string
  /** The fingerprint of the source that was held back. */
  readonly sourceFingerprint: string
}

/**
 * Record that the last sync published nothing although its source had changed, and why. The next sync that succeeds
 * removes it.
 */
export const heldBack = stateFile<HeldBack>(
  'HELD-BACK',
  asJson(objectOf({ reason: anyText, at: anyText, sourceFingerprint: anyText })),
)

/** The last sync that was held back, if one was since the last success. */
export function readHeldBack(directory: string): HeldBack | undefined {
  const { kind, value } = heldBack.read(directory)
  if (kind !== 'damaged') return value
  // The file says that a sync is held back, even if its content cannot be read.
  const reason = `${join(directory, heldBack.name)} cannot be read`
  return { reason, at: '', sourceFingerprint: '' }
}

/**
 * The fingerprint of a source that was held back and is released: the next sync of it passes the comparison with the
 * current snapshot, once, as with `--force`.
 */
const released = stateFile('RELEASED', asLine())

/** Releases what was held back. @returns false where nothing is, or it is another source by now. */
export function releaseHeldBack(directory: string, sourceFingerprint: string): boolean {
  // A mirror knows that a sync is held back elsewhere, not of which source.
  if (sourceFingerprint === '') return false
  if (readHeldBack(directory)?.sourceFingerprint !== sourceFingerprint) return false
  released.write(directory, sourceFingerprint)
  return true
}

/** Whether what is held back now was released. */
export function isReleased(directory: string): boolean {
  const { value } = released.read(directory)
  return value !== undefined && value === readHeldBack(directory)?.sourceFingerprint
}

/** Whether a source was released, which holds once. */
export function takeRelease(directory: string, sourceFingerprint: string): boolean {
  return released.read(directory).value === sourceFingerprint && released.remove(directory)
}

/**
 * Time of the last sync that succeeded, also if it found nothing changed, in milliseconds since the epoch: it tells a
 * healthy source that does not change from a sync that fails.
 */
export const syncedAtMs = stateFile<number>('SYNCED', {
  encode: (milliseconds) => `${new Date(milliseconds).toISOString()}\n`,
  decode: (text) => {
    const milliseconds = Date.parse(text.trim())
    return Number.isNaN(milliseconds) ? undefined : milliseconds
  },
})

/**
 * The files that were verified as they lie there: what was read back and verified when it was published need not be
 * verified by everybody who loads it. A file that was copied, restored or touched since is of unknown origin; one that
 * another version of the program reads is of its format, and obeys the same rules. Damage of the disk is found without this: every load of a file
 * compares the checksum of every section that it reads, and texts that it leaves in the file are compared when they are
 * read. A damaged list says nothing: then everything is verified.
 */
export const verified = stateFile('VERIFIED', asLines)

/** Notes that the file of a snapshot was verified just now. It keeps the notes of files that are still there. */
export function noteVerified(directory: string, fileName: string): void {
  const line = fileStateOf(directory, fileName)
  if (line === undefined) return
  const others = (verified.read(directory).value ?? []).filter((each) => {
    const [name = ''] = each.split(' ')
    return name !== fileName && each === fileStateOf(directory, name)
  })
  verified.write(directory, [...others, line])
}

/** Whether the file of a snapshot is the one that was verified. */
export function isVerified(directory: string, fileName: string): boolean {
  const line = fileStateOf(directory, fileName)
  return line !== undefined && (verified.read(directory).value?.includes(line) ?? false)
}

/** Line that identifies a file in its present state; a changed file has another line. Undefined if it is missing. */
function fileStateOf(directory: string, fileName: string): string | undefined {
  const options = { bigint: true, throwIfNoEntry: false } as const
  const status = statSync(join(directory, fileName), options)
  if (status === undefined) return undefined
  const { size, mtimeNs, ctimeNs, ino } = status
  return [fileName, size, mtimeNs, ctimeNs, ino].join(' ')
}
