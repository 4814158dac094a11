/** Sums of sales. Amounts and queries are whole numbers, so the order in which they are added is of no matter. */
import type { RouteName } from '../../operations.ts'
import type { Charge, FundsId, Sale, Sales } from './port.ts'

/** Adds two sums of sales, by route. */
function sumOfSales(one: Sales, other: Sales): Sales {
  const sum: Partial<Record<RouteName, Sale>> = { ...one }
  for (const [name, sale] of Object.entries(other)) {
    const route = name as RouteName
    const { queries, amountMicroUsd } = sum[route] ?? { queries: 0, amountMicroUsd: 0 }
    sum[route] = {
      queries: queries + sale.queries,
      amountMicroUsd: amountMicroUsd + sale.amountMicroUsd,
    }
  }
  return sum
}

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

/** Totals over all routes. */
export function sumOf(sales: Sales): { queries: number; costMicroUsd: number } {
  const all = Object.values(sales)
  return {
    queries: all.reduce((sum, sale) => sum + sale.queries, 0),
    costMicroUsd: all.reduce((sum, sale) => sum + sale.amountMicroUsd, 0),
  }
}

/** Totals over all charges. */
export function sumOfCharges(charges: readonly Charge[]): ReturnType<typeof sumOf> {
  const sums = charges.map(({ sales }) => sumOf(sales))
  return {
    queries: sums.reduce((sum, { queries }) => sum + queries, 0),
    costMicroUsd: sums.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0),
  }
}

/** Charges of one account and key as one, apart from those that its cap did not pay for, in the order in which accounts come first. */
export function chargesByKey(charges: readonly Charge[]): Charge[] {
  const nameOf = ({ keyId, isCapped }: Charge) => `${keyId} ${isCapped === true}`
  return [...grouped(charges, ({ accountNumber }) => accountNumber).values()].flatMap((ofAccount) =>
    [...grouped(ofAccount, nameOf).values()].map((ofKey) => ({
      ...ofKey[0]!,
      sales: ofKey.map(({ sales }) => sales).reduce(sumOfSales),
    })),
  )
}

/** Ids of the account and the cap that a charge is taken from. */
export function fundsOfCharge({ accountNumber, keyId, isCapped }: Charge): FundsId[] {
  return isCapped ? [accountNumber, keyId] : [accountNumber]
}

/** Price of the cheapest query that was paid for; Infinity for none. */
export function cheapestOf(charges: readonly Charge[]): number {
  const sales = charges.flatMap(({ sales }) => Object.values(sales))
  const paid = sales.filter(({ amountMicroUsd }) => amountMicroUsd > 0)
  return Math.min(...paid.map(({ amountMicroUsd, queries }) => amountMicroUsd / queries))
}

/** Total of a charge, in micro-USD. */
export function costOf({ sales }: Charge): number {
  return sumOf(sales).costMicroUsd
}
