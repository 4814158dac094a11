/** The periods of caps, by UTC. */
import type { CapPeriod } from '../../../money.ts'
import { dayNumber } from '../account-records.ts'

/** The last day that a time in milliseconds may have, since the epoch. */
const daysMax = 100_000_000

/** The period that a time is in: `total`, a day as `2026-07-28`, or a month as `2026-07`; by UTC. */
export function periodName(period: CapPeriod, atMs: number): string {
  if (period === 'total') return period
  return new Date(atMs).toISOString().slice(0, period === 'day' ? 10 : 7)
}

/** The days of the period that a time is in, since the epoch: the first of it, and the first after it. */
export function periodDays(
  period: CapPeriod,
  atMs: number,
): { readonly fromDay: number; readonly untilDay: number } {
  const untilMs = nextPeriodMs(period, atMs)
  if (untilMs === undefined) return { fromDay: 0, untilDay: daysMax }
  const fromMs = Date.parse(periodName(period, atMs))
  return { fromDay: dayNumber(fromMs), untilDay: dayNumber(untilMs) }
}

/** Start of the period after the one that a time is in, in milliseconds; undefined if there is none. */
export function nextPeriodMs(period: CapPeriod, atMs: number): number | undefined {
  if (period === 'total') return undefined
  const at = new Date(atMs)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return period === 'day' ? Date.UTC(year, month, at.getUTCDate() + 1) : Date.UTC(year, month + 1)
}
