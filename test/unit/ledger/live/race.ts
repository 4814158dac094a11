/** A race of real threads that sell from the same balances. */
import type { SharedBalances } from '../../../../src/ledger/live/balances.ts'
import { startTogether } from '../../../support/racing.ts'
import type { Race } from './racer.ts'

interface Finish {
  readonly soldMicroUsd: readonly number[]
  readonly negative: number
  readonly refused: number
}

/** Runs racers at the same time, and beside them, again and again, something else. */
export function race(
  shared: SharedBalances,
  racers: readonly Omit<Race, 'shared' | 'place' | 'signal'>[],
  beside?: () => void,
): Promise<Finish[]> {
  const races = racers.map((racer, place): Omit<Race, 'signal'> => ({ shared, place, ...racer }))
  return startTogether<Finish>(new URL('./racer.ts', import.meta.url), races, beside)
}
