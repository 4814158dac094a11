/**
 * Waits for the database of a ledger at the start of a service: they start in any order, and a
 * promotion or a recovery takes a while. A permanent refusal ends the wait at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BackOff } from '../../objects/patience.ts'
import { Refusal } from '../../problems.ts'
import { DatabaseAway } from '../sql/port.ts'

export interface Reaching {
  readonly waitMs: number
  /** Resolves when the service shall end: then the wait ends, too. */
  readonly ended: Promise<void>
  readonly clock: () => number
  readonly report: (line: string) => void
}

const pauseMsMax = 5_000

/**
 * @throws Refusal `ledger-refused` if it was away for longer than `waitMs`, or until the service
 * ended; at once any other error of `work`.
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

async function isEndedWithin(ended: Promise<void>, milliseconds: number): Promise<boolean> {
  const pause = new AbortController()
  const { signal } = pause
  try {
    return await Promise.race([ended.then(() => true), sleep(milliseconds, false, { signal })])
  } finally {
    pause.abort()
  }
}
