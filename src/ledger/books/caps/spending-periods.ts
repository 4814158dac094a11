/** The periods of caps, by UTC. */
import { type CapPeriod, formatUsd } from '../../../money.ts'
import { dayName, dayNumber, type KeyRecord } from '../account-records.ts'
import type { KeyCap } from '../port.ts'
import { grouped } from '../sales.ts'

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

export interface KeySale {
  readonly keyId: string
  readonly day: number
  readonly amount: number
}

export function passedCaps(keys: readonly KeyRecord[], sales: readonly KeySale[]): string[] {
  const salesTo = grouped(sales, ({ keyId }) => keyId)
  return keys.flatMap(({ id, terms, createdAtMs }) => {
    const cap = terms?.cap
    if (cap === undefined) return []
    const nameOf = ({ day }: KeySale) => periodName(cap.period, Date.parse(dayName(day)))
    return [...grouped(salesTo.get(id) ?? [], nameOf)].flatMap(([name, ofPeriod]) => {
      const spent = ofPeriod.reduce((sum, { amount }) => sum + amount, 0)
      if (spent <= cap.amountMicroUsd || !isUnder(name, cap, createdAtMs)) return []
      const [sum, most] = [formatUsd(spent), formatUsd(cap.amountMicroUsd)]
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
