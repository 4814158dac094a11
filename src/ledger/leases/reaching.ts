/**
 * How a start waits for the database of its ledger: services and databases are started in any order, and
 * one that is promoted or has much to recover is away for a while. What the database refuses for good is
 * not waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BackOff } from '../../objects/patience.ts'
import { Refusal } from '../../problems.ts'
import { DatabaseAway } from '../postgres/database.ts'

/** How long is waited, and for whom. */
export interface Reaching {
  /** Milliseconds. */
  readonly waitMs: number
  /** Resolves when nobody waits any more. */
  readonly ended: Promise<void>
  /** Milliseconds from any origin, never going back. */
  readonly clock: () => number
  /** Is called with one line when it has to be waited, for every other reason, and when that is over. */
  readonly report: (line: string) => void
}

/** The longest pause between two tries: whoever is back is found soon. */
const pauseMsMax = 5_000

/**
 * Does something with the database, and again while it cannot be reached.
 * @throws Refusal `ledger-refused` when it was away for too long, or was still when nobody waited any
 * more; whatever else `work` throws, at once.
 */
export async function whenReached<T>(
  { waitMs, ended, clock, report }: Reaching,
  work: () => Promise<T>,
): Promise<T> {
  const backOff = new BackOff(Math.random, pauseMsMax)
  const untilMs = clock() + waitMs
  let told = ''
  let leftMs = waitMs
  let away: DatabaseAway
  do {
    try {
      const result = await Promise.race([work(), endOf(ended)])
      if (told !== '') report('the database of the ledger is reached')
      return result
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      away = error
      leftMs = untilMs - clock()
      if (leftMs <= 0) break
      if (error.message !== told) report(`${error.message}; trying for ${secondsOf(leftMs)} s more`)
      told = error.message
      const pauseMs = Math.min(leftMs, backOff.nextMs())
      if (await isEndedWithin(ended, pauseMs)) throw stillAway(error, 'ended before it was reached')
    }
  } while (leftMs > 0)
  throw stillAway(away, `tried for ${waitMs / 1_000} s`)
}

/** What hangs is left behind: it is over when its connection is. */
async function endOf(ended: Promise<void>): Promise<never> {
  await ended
  throw new Refusal('ledger-refused', 'ended while the database of the ledger was waited for')
}

function stillAway({ message }: Error, more: string): Refusal {
  return new Refusal('ledger-refused', `${message}; ${more}`)
}

function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000)
}

/** Waits so long, or until nobody waits any more; says whether that was so. */
export async function isEndedWithin(ended: Promise<void>, milliseconds: number): Promise<boolean> {
  const pause = new AbortController()
  const { signal } = pause
  try {
    return await Promise.race([ended.then(() => true), sleep(milliseconds, false, { signal })])
  } finally {
    pause.abort()
  }
}
