/** Sums of sales. Amounts and queries are whole numbers, so the order in which they are added is of no matter. */
import type { Charge, DailySale, FundsId, Sale, Sales } from './port.ts'

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

function totalOf(sales: readonly Sale[]): Sale {
  return {
    queries: sales.reduce((sum, { queries }) => sum + queries, 0),
    amountMicroUsd: sales.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0),
  }
}

export function sumOfCharges(charges: readonly Charge[]): {
  readonly queries: number
  readonly costMicroUsd: number
} {
  const total = totalOf(charges.flatMap(({ sales }) => Object.values(sales)))
  return { queries: total.queries, costMicroUsd: total.amountMicroUsd }
}

/** Charges of one account and key as one, apart from those that its cap did not pay for, in the order in which accounts come first. */
export function chargesByKey(charges: readonly Charge[]): Charge[] {
  const nameOf = ({ keyId, isCapped }: Charge) => `${keyId} ${isCapped === true}`
  return [...grouped(charges, ({ accountNumber }) => accountNumber).values()].flatMap((ofAccount) =>
    [...grouped(ofAccount, nameOf).values()].map((ofKey) => ({
      ...ofKey[0]!,
      sales: byRoute(ofKey),
    })),
  )
}

function byRoute(charges: readonly Charge[]): Sales {
  const all = charges.flatMap(({ sales }) => Object.entries(sales))
  const routes = [...grouped(all, ([route]) => route)]
  return Object.fromEntries(
    routes.map(([route, of]) => [route, totalOf(of.map(([, sale]) => sale))]),
  )
}

export function fundsOfCharge({ accountNumber, keyId, isCapped }: Charge): FundsId[] {
  return isCapped ? [accountNumber, keyId] : [accountNumber]
}

/** Price of the cheapest query that was paid for; Infinity for none. */
export function cheapestOf(charges: readonly Charge[]): number {
  const sales = charges.flatMap(({ sales }) => Object.values(sales))
  const paid = sales.filter(({ amountMicroUsd }) => amountMicroUsd > 0)
  return Math.min(...paid.map(({ amountMicroUsd, queries }) => amountMicroUsd / queries))
}

export function costOf({ sales }: Charge): number {
  return totalOf(Object.values(sales)).amountMicroUsd
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
