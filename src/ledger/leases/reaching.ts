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
  const end = new AbortController()
  void ended.then(() => end.abort())
  for (let reported = ''; ; ) {
    try {
      const result = await Promise.race([work(), endOf(ended)])
      if (reported !== '') report('the database of the ledger is reached')
      return result
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      const { message } = error
      const leftMs = untilMs - clock()
      if (leftMs <= 0) throw refusal(`${message}; tried for ${waitMs / 1_000} s`)
      const left = `trying for ${Math.ceil(leftMs / 1_000)} s more`
      if (message !== reported) report(`${message}; ${left}`)
      reported = message
      const pauseMs = Math.min(leftMs, backOff.nextMs())
      await sleep(pauseMs, undefined, { signal: end.signal }).catch(() => {
        throw refusal(`${message}; ended before it was reached`)
      })
    }
  }
}

/** Does not wait for work that hangs: that ends with its connection. */
async function endOf(ended: Promise<void>): Promise<never> {
  await ended
  throw refusal('ended while the database of the ledger was waited for')
}

function refusal(reason: string): Refusal {
  return new Refusal('ledger-refused', reason)
}
