/**
 * Time at which a node switches to an announced snapshot, so that all nodes of a fleet do so at once: a delay
 * after the announcement. A clock that agrees with the clock of the store, the one that all machines share,
 * is trusted; if it disagrees, the store's is used.
 */

/** The times of an announcement. Milliseconds since the epoch. */
interface AnnouncementTimes {
  /** Time of the announcement, by the clock of its writer. */
  readonly announcedAtMs: number
  /** The same, by the clock of the store. */
  readonly writtenAtMs: number | undefined
  /** Time when it was read, by the clock of the store. */
  readonly readAtMs: number | undefined
  /** The same, by the clock of this node. */
  readonly readHereAtMs: number
}

/** A store tells its clock in whole seconds, and an answer takes time. */
const toleranceMs = 2_000

/** Time to switch, by the clock of this node. */
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
