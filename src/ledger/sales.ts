/** Sums of sales. Amounts and queries are whole numbers, so the order in which they are added is of no matter. */
import type { RouteName } from '../operations.ts'
import type { Charge, FundsId, Sale, Sales } from './port.ts'

/** Adds two sums of sales, by route. */
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

/** Charges by account, in the order in which accounts come first. */
export function chargesByAccount<C extends Pick<Charge, 'accountNumber'>>(
  charges: readonly C[],
): [accountNumber: number, charges: C[]][] {
  const byAccount = new Map<number, C[]>()
  for (const charge of charges) {
    const before = byAccount.get(charge.accountNumber)
    if (before === undefined) byAccount.set(charge.accountNumber, [charge])
    else before.push(charge)
  }
  return [...byAccount]
}

/** Two charges of one account as one. */
function sumOfCharges(one: Charge, other: Charge): Charge {
  const questions = [...(one.questions ?? []), ...(other.questions ?? [])]
  const sales = sumOfSales(one.sales, other.sales)
  return { ...one, sales, ...(questions.length > 0 && { questions }) }
}

/** Maximum parts of questions with the charges of one settlement, however long the database was away. */
const partsMax = 1_000

/** The same charges with as many of the newest parts of their questions as may travel; accounts share alike. */
export function withNewestQuestions(charges: readonly Charge[]): Charge[] {
  if (paidPartsIn(charges) <= partsMax) return [...charges]
  const asking = charges.filter(({ questions }) => questions !== undefined)
  const partsEach = Math.max(1, Math.floor(partsMax / asking.length))
  return charges.map(({ questions, ...charge }) => {
    return questions === undefined ? charge : { ...charge, questions: questions.slice(-partsEach) }
  })
}

/** Number of parts of questions that some charges pay for. */
export function paidPartsIn(charges: readonly Charge[]): number {
  return charges.reduce((sum, { questions = [] }) => sum + questions.length, 0)
}

/** Totals over all routes. */
export function sumOf(sales: Sales | undefined): { queries: number; costMicroUsd: number } {
  const all = Object.values(sales ?? {})
  return {
    queries: all.reduce((sum, sale) => sum + sale.queries, 0),
    costMicroUsd: all.reduce((sum, sale) => sum + sale.amountMicroUsd, 0),
  }
}

/** Charges of one account, lineage and caps as one, in the order in which accounts come first. */
export function chargesByKey(charges: readonly Charge[]): Charge[] {
  return chargesByAccount(charges).flatMap(([, ofAccount]) => {
    const byLineage = new Map<string | undefined, Charge>()
    for (const charge of ofAccount) {
      const { lineage, caps = [] } = charge
      const name = JSON.stringify([lineage, ...caps])
      const before = byLineage.get(name)
      byLineage.set(name, before === undefined ? charge : sumOfCharges(before, charge))
    }
    return [...byLineage.values()]
  })
}

/** Ids of the account and the caps that a charge is taken from. */
export function fundsOfCharge({ accountNumber, caps = [] }: Charge): FundsId[] {
  return [accountNumber, ...caps]
}

/** Total of a charge, in micro-USD. */
export function costOf({ sales }: Charge): number {
  return sumOf(sales).costMicroUsd
}
