/**
 * Finds the last announcement. `CURRENT` is a hint only: it may be lost, late, or wrong.
 * Announcements stand without a gap, and only the oldest are removed; so from any that is there the
 * last one is found by doubling steps, and from none by a list, or by probes where the store does
 * not list.
 */
import { limits } from '../../limits.ts'
import type { ReadableObjects, WritableObjects } from '../../objects/object-store.ts'
import type { RetryPolicy } from '../../objects/read-with-resume.ts'
import { Refusal } from '../../problems.ts'
import {
  announcementKey,
  currentKey,
  folders,
  numberOf,
  readAnnouncement,
  readSmall,
  type SeenAnnouncement,
} from './layout.ts'

/** No store has more announcements than this many doublings. */
const doublingsMax = 32
/** Where the hint is lost: up to so many times what is kept there. */
const probesMax = 64

/** As a reader finds it: two requests where there is none. */
export async function lastAnnouncement(
  store: ReadableObjects,
  known: number,
  steadiness: RetryPolicy,
): Promise<SeenAnnouncement | undefined> {
  const hinted = await hintedNumber(store, steadiness)
  const isHinted = hinted > known && (await isThere(store, hinted))
  const number = await lastBehind(store, isHinted ? hinted : known)
  if (number > known) return readAnnouncement(store, number, steadiness)
  // A hint goes back if it came late or was lost, or if a publisher has begun anew.
  if (known > 0 && (hinted === known || (await isThere(store, known)))) return undefined
  const found = await searched(store)
  return found === 0 ? undefined : readAnnouncement(store, found, steadiness)
}

/** A publisher lists, and so always continues behind the last one. */
export async function listedAnnouncement(
  store: WritableObjects,
  known: number,
  steadiness: RetryPolicy,
): Promise<SeenAnnouncement | undefined> {
  const number = await listedNumber(store)
  return number === known || number === 0 ? undefined : readAnnouncement(store, number, steadiness)
}

async function hintedNumber(store: ReadableObjects, steadiness: RetryPolicy): Promise<number> {
  const text = (await readSmall(store, currentKey, steadiness))?.text.trim() ?? ''
  return /^\d{1,20}$/.test(text) ? Number(text) : 0
}

async function isThere(store: ReadableObjects, number: number): Promise<boolean> {
  return (await store.head(announcementKey(number))) !== undefined
}

/** The number itself if none follows it. */
async function lastBehind(store: ReadableObjects, from: number): Promise<number> {
  let there = from
  let missing = from + 1
  for (let step = 1; step < 2 ** doublingsMax && (await isThere(store, missing)); step *= 2) {
    there = missing
    missing += 2 * step
  }
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2)
    if (await isThere(store, middle)) there = middle
    else missing = middle
  }
  return there
}

/** 0 if nothing is announced. */
async function searched(store: ReadableObjects): Promise<number> {
  try {
    if (store.list !== undefined) return await listedNumber(store as WritableObjects)
  } catch (error) {
    // A reader need not have the right to list.
    if (!(error instanceof Refusal) || error.code !== 'storage-refused') throw error
  }
  const first = await lastBehind(store, 0)
  if (first > 0) return first
  // `announcementsKeptMax` are kept, so that one of them is at a multiple of that number.
  for (let probe = 1; probe <= probesMax; probe += 1) {
    const number = probe * limits.announcementsKeptMax
    if (await isThere(store, number)) return lastBehind(store, number)
  }
  return 0
}

async function listedNumber(store: Pick<WritableObjects, 'list'>): Promise<number> {
  const keys = await store.list(folders.announcements)
  return Math.max(0, ...keys.map(({ key }) => numberOf(key)).filter(Number.isSafeInteger))
}
