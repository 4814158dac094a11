/**
 * Waits for the database of a ledger at the start of a service. Services and databases start in any order,
 * and a database that is promoted or has much to recover cannot be reached for a while. A permanent refusal
 * ends the wait at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BackOff } from '../../objects/patience.ts'
import { Refusal } from '../../problems.ts'
import { DatabaseAway } from '../sql/port.ts'

/** Duration of the wait of a start, and its ends. */
interface Reaching {
  /** Milliseconds. */
  readonly waitMs: number
  /** Resolves when the service shall end: then the wait ends, too. */
  readonly ended: Promise<void>
  /** Milliseconds from any origin, never going back. */
  readonly clock: () => number
  /** Called with one line when the wait begins, when its reason changes, and when it is over. */
  readonly report: (line: string) => void
}

/** The longest pause between two tries, so that a database that is back is found soon. */
const pauseMsMax = 5_000

/**
 * Runs `work`, and again while the database cannot be reached.
 * @throws Refusal `ledger-refused` if it was away for longer than `waitMs`, or until the service ended. Any
 * other error of `work` is thrown at once.
 */
export async function whenReached<T>(
  { waitMs, ended, clock, report }: Reaching,
  work: () => Promise<T>,
): Promise<T> {
  const backOff = new BackOff(Math.random, pauseMsMax)
  const untilMs = clock() + waitMs
  let reported = ''
  let leftMs = waitMs
  let away: DatabaseAway
  do {
    try {
      const result = await Promise.race([work(), endOf(ended)])
      if (reported !== '') report('the database of the ledger is reached')
      return result
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      away = error
      leftMs = untilMs - clock()
      if (leftMs <= 0) break
      if (error.message !== reported)
        report(`${error.message}; trying for ${secondsOf(leftMs)} s more`)
      reported = error.message
      const pauseMs = Math.min(leftMs, backOff.nextMs())
      if (await isEndedWithin(ended, pauseMs)) throw stillAway(error, 'ended before it was reached')
    }
  } while (leftMs > 0)
  throw stillAway(away, `tried for ${waitMs / 1_000} s`)
}

/** Does not wait for work that hangs: that ends with its connection. */
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

/** Waits for a time, or until the service ends; true if it ended. */
async function isEndedWithin(ended: Promise<void>, milliseconds: number): Promise<boolean> {
  const pause = new AbortController()
  const { signal } = pause
  try {
    return await Promise.race([ended.then(() => true), sleep(milliseconds, false, { signal })])
  } finally {
    pause.abort()
  }
}

/** Options of a session. */
export interface LeaseOptions extends Reaching {
  /** Address of the database. */
  readonly uri: string
  /** Maximum number of accounts that are held; if it is absent, as many as there is memory for. */
  readonly accountsMax?: number
  /** Directory of the outbox; one service has it at a time. */
  readonly directory: string
  /** Amount below which a balance is low; absent where none is. */
  readonly lowMicroUsd?: number
  /** Name of the session for people. */
  readonly node: string
  /** Whole milliseconds. */
  readonly clock: () => number
  /** Milliseconds since the epoch, as this machine believes. */
  readonly wallClock: () => number
  /** Is called with one line when something is lost or fails, and when it works again. */
  readonly report: (line: string) => void
}
