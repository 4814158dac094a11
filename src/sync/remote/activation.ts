/**
 * When a node switches to an announced snapshot, so that all nodes of a fleet do so at once: a
 * delay after the announcement. The clock of the store, which all machines share, is used where
 * another disagrees with it.
 */

interface AnnouncementTimes {
  /** By the clock of its writer. */
  readonly announcedAtMs: number
  /** By the clock of the store. */
  readonly writtenAtMs: number | undefined
  /** By the clock of the store. */
  readonly readAtMs: number | undefined
  /** By the clock of this node. */
  readonly readHereAtMs: number
}

/** A store tells its clock in whole seconds, and an answer takes time. */
const toleranceMs = 2_000

export function switchTimeMs(moment: AnnouncementTimes, delayMs: number): number {
  const { announcedAtMs, writtenAtMs, readAtMs, readHereAtMs } = moment
  const announced = agreeing(announcedAtMs, writtenAtMs)
  const here = agreeing(readHereAtMs, readAtMs)
  return announced + delayMs + (readHereAtMs - here)
}

function agreeing(timeMs: number, storeMs: number | undefined): number {
  if (storeMs === undefined || Math.abs(timeMs - storeMs) <= toleranceMs) return timeMs
  return storeMs
}
