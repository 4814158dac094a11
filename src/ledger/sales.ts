/** Sums of sales. Amounts and queries are whole numbers, so the order in which they are added is of no matter. */
import type { RouteName } from '../operations.ts'
import type { Sale, Sales } from './port.ts'

/** What was sold in both. */
export function sumOfSales(one: Sales, other: Sales): Sales {
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
