/**
 * When a node is to switch to what was announced, so that all nodes of a fleet do at once: a delay after
 * the announcement. Clocks are taken at their word where they agree with the clock of the store, the one
 * that all machines share; where one is off, the store's is taken.
 */

/** The times of an announcement. Milliseconds since the epoch. */
interface AnnouncementTimes {
  /** When it was announced, by the clock of who did. */
  readonly announcedAtMs: number
  /** The same, by the clock of the store. */
  readonly writtenAtMs: number | undefined
  /** When it was read, by the clock of the store. */
  readonly readAtMs: number | undefined
  /** The same, by our own. */
  readonly readHereAtMs: number
}

/** A store tells its clock in whole seconds, and an answer takes time. */
const toleranceMs = 2_000

/** When to switch, by our own clock. */
export function switchTimeMs(moment: AnnouncementTimes, delayMs: number): number {
  const { announcedAtMs, writtenAtMs, readAtMs, readHereAtMs } = moment
  const announced = agreeing(announcedAtMs, writtenAtMs)
  const here = agreeing(readHereAtMs, readAtMs)
  return announced + delayMs + (readHereAtMs - here)
}

/** A time, unless the store says another. */
function agreeing(timeMs: number, storeMs: number | undefined): number {
  if (storeMs === undefined || Math.abs(timeMs - storeMs) <= toleranceMs) return timeMs
  return storeMs
}
