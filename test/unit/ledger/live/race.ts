/** A race of real threads for one balance. */
import type { SharedBalances } from '../../../../src/ledger/live/balances.ts'
import { startTogether } from '../../../support/racing.ts'
import type { Race } from './racer.ts'

const racerModule = new URL('./racer.ts', import.meta.url)

/** What a racer did. */
export interface Finish {
  readonly served: number
  readonly negative: number
}

/** Runs racers at the same time on one balance, and beside them, again and again, something else. */
export function race(
  shared: SharedBalances,
  racers: readonly Omit<Race, 'shared' | 'place' | 'signal'>[],
  beside?: () => void,
): Promise<Finish[]> {
  const races = racers.map((racer, place): Omit<Race, 'signal'> => ({ shared, place, ...racer }))
  return startTogether<Finish>(racerModule, races, beside)
}
