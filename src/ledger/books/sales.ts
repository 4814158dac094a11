/** Sums of sales. Amounts and queries are whole numbers, so the order in which they are added is of no matter. */
import type { Charge, DailySale, FundsId, Sale } from './port.ts'

/** Items by what they have in common, in the order in which that comes first. */
export function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

export function totalOf(sales: readonly Sale[]): Sale {
  return {
    queries: sales.reduce((sum, { queries }) => sum + queries, 0),
    amountMicroUsd: sales.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0),
  }
}

/** Charges of one account, key and route as one, apart from those that its cap did not pay for. */
export function summed(charges: readonly Charge[]): Charge[] {
  const nameOf = ({ accountNumber, keyId, route, isCapped }: Charge) =>
    `${accountNumber} ${keyId} ${route} ${isCapped}`
  return [...grouped(charges, nameOf).values()].map((each) => ({ ...each[0]!, ...totalOf(each) }))
}

export function fundsOfCharge({ accountNumber, keyId, isCapped }: Charge): FundsId[] {
  return isCapped ? [accountNumber, keyId] : [accountNumber]
}

/** Price of the cheapest query that was paid for; Infinity for none. */
export function cheapestOf(charges: readonly Charge[]): number {
  const paid = charges.filter(({ amountMicroUsd }) => amountMicroUsd > 0)
  return Math.min(...paid.map(({ amountMicroUsd, queries }) => amountMicroUsd / queries))
}

/** The first day of the UTC month of a time, as `2026-07-01`. */
export function monthOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 7)}-01`
}

/** The first of so many UTC days that end with the day of a time. */
export function firstDayOf(atMs: number, days: number): string {
  return new Date(atMs - (days - 1) * 86_400_000).toISOString().slice(0, 10)
}

/** Sales as readers see them. What was sold in the last window is not in it yet. */
export interface Usage extends Sale {
  readonly byRoute: ReadonlyMap<string, Sale>
}

export function usageOf(charges: readonly DailySale[]): Usage {
  const routes = [...grouped(charges, ({ route }) => route)]
  const byRoute = new Map(routes.map(([route, sales]) => [route, totalOf(sales)]))
  return { ...totalOf(charges), byRoute }
}
