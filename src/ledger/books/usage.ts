/**
 * The sales as readers see them, by UTC day and by route. What was sold in the last window is not
 * in it yet.
 */
import type { DailySale, Sale } from './port.ts'
import { grouped, totalOf } from './sales.ts'

/** The first day of the UTC month of a time, as `2026-07-01`. */
export function monthOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 7)}-01`
}

/** The first of so many UTC days that end with the day of a time. */
export function firstDayOf(atMs: number, days: number): string {
  return new Date(atMs - (days - 1) * 86_400_000).toISOString().slice(0, 10)
}

export interface Usage extends Sale {
  readonly byRoute: ReadonlyMap<string, Sale>
}

export function usageOf(charges: readonly DailySale[]): Usage {
  const routes = [...grouped(charges, ({ route }) => route)]
  const byRoute = new Map(routes.map(([route, sales]) => [route, totalOf(sales)]))
  return { ...totalOf(charges), byRoute }
}
