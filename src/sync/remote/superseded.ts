/**
 * Removes superseded objects. Nodes may be fetching an earlier snapshot for hours, so it stays for
 * a grace period, by the clock of the store. Objects with a person who was removed for good go at
 * once.
 */
import { limits } from '../../limits.ts'
import type { ObjectFacts, WritableObjects } from '../../objects/object-store.ts'
import type { RetryPolicy } from '../../objects/read-with-resume.ts'
import { Refusal } from '../../problems.ts'
import {
  type Announcement,
  folders,
  numberOf,
  partKey,
  readAnnouncement,
  removalsKey,
} from './layout.ts'

export interface Keeping {
  readonly store: WritableObjects
  /** Snapshots that are kept whatever their age. */
  readonly keep: number
  readonly graceMs: number
  readonly steadiness: RetryPolicy
}

interface Past {
  readonly announcement: Announcement
  /** Undefined for the last. */
  readonly supersededAtMs: number | undefined
}

/** @param number of an announcement of one's own, which is the last or was a moment ago. */
export async function removeSuperseded(keeping: Keeping, number: number): Promise<void> {
  const { store, graceMs } = keeping
  const announcements = await store.list(folders.announcements)
  const nowMs = announcements[0]?.seenAtMs
  const files = [...(await store.list(folders.parts)), ...(await store.list(folders.removed))]
  const past = await pastOf(keeping, announcements, (nowMs ?? 0) - graceMs)
  const last = past[0]?.announcement
  // Without a clock nothing is old; and a publisher that has announced meanwhile tidies up itself.
  if (nowMs === undefined || last?.number !== number) return
  const isOld = ({ modifiedMs = nowMs }: ObjectFacts) => nowMs - modifiedMs >= graceMs
  const { kept, barred } = keysOf(past, keeping, nowMs - graceMs)
  for (const facts of files) {
    const isDue = !kept.has(facts.key) && isOld(facts)
    if (isDue || barred.has(facts.key)) await store.remove(facts.key)
  }
  for (const { key } of announcements) {
    if (numberOf(key) <= number - limits.announcementsKeptMax) await store.remove(key)
  }
}

function keysBeside({ changes, removals }: Announcement): string[] {
  return [...changes.flatMap(({ parts }) => parts.map(partKey)), removalsKey(removals)]
}

async function pastOf(
  { store, steadiness, keep }: Keeping,
  announcements: readonly ObjectFacts[],
  sinceMs: number,
): Promise<Past[]> {
  const past: Past[] = []
  const ids = new Set<string>()
  for (let index = announcements.length - 1; index >= 0; index -= 1) {
    const supersededAtMs = announcements[index + 1]?.modifiedMs
    if (ids.size > keep && supersededAtMs !== undefined && supersededAtMs < sinceMs) break
    const number = numberOf(announcements[index]!.key)
    const announcement = (await readAnnouncement(store, number, steadiness))?.announcement
    if (announcement === undefined || announcement instanceof Refusal) continue
    past.push({ announcement, supersededAtMs })
    ids.add(announcement.id)
  }
  return past
}

/** `barred` are removed at once, as they may hold people who were removed. */
function keysOf(past: readonly Past[], { keep }: Keeping, sinceMs: number) {
  const last = past[0]?.announcement
  const ids = new Set<string>()
  const kept = new Set(last === undefined ? [] : keysBeside(last))
  const barred = new Set<string>()
  for (const { announcement, supersededAtMs } of past) {
    const keys = announcement.parts.map(partKey)
    if (announcement.removals !== last?.removals) {
      for (const key of [...keys, ...keysBeside(announcement)]) barred.add(key)
    } else if (ids.size < keep || supersededAtMs === undefined || supersededAtMs >= sinceMs) {
      ids.add(announcement.id)
      for (const key of keys) kept.add(key)
    }
  }
  for (const key of kept) barred.delete(key)
  return { kept, barred }
}
