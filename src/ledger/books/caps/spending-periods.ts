/** The periods of caps by UTC: their names, their days, what keys spent in them, and the caps that were passed. */
import { type CapPeriod, capPeriods, formatUsd } from '../../../money.ts'
import { dayNumber, type KeyRecord } from '../account-records.ts'
import type { KeyCap } from '../port.ts'

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

/** Sums the sales to keys, in micro-USD by period. */
export function spentByPeriod(
  sold: Iterable<{ readonly keyId: string; readonly day: string; readonly amount: number }>,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const spent = new Map<string, Map<string, number>>()
  for (const { keyId, day, amount } of sold) {
    const sums = spent.get(keyId) ?? new Map<string, number>()
    spent.set(keyId, sums)
    for (const period of capPeriods) {
      const name = periodName(period, Date.parse(day))
      sums.set(name, (sums.get(name) ?? 0) + amount)
    }
  }
  return spent
}

/**
 * The caps that were passed in a period that began after they were set, a sentence each.
 * @param spent what keys were sold, in micro-USD by period.
 */
export function passedCaps(
  keys: readonly KeyRecord[],
  spent: ReadonlyMap<string, ReadonlyMap<string, number>>,
): string[] {
  return keys.flatMap(({ id, terms, createdAtMs }) => {
    const cap = terms?.cap
    if (cap === undefined) return []
    const passed = [...(spent.get(id) ?? [])].filter(
      ([name, amount]) => amount > cap.amountMicroUsd && isUnder(name, cap, createdAtMs),
    )
    return passed.map(([name, amount]) => {
      const [sum, most] = [formatUsd(amount), formatUsd(cap.amountMicroUsd)]
      return `key ${id} has spent ${sum} USD of ${name}, above its cap of ${most} USD`
    })
  })
}

/** Whether the cap held from the beginning of the period with this name on. */
export function isUnder(name: string, { period, sinceMs }: KeyCap, createdAtMs: number): boolean {
  if (period === 'total') return name === period && sinceMs <= createdAtMs
  const ofCap = periodName(period, sinceMs)
  return name.length === ofCap.length && name > ofCap
}
