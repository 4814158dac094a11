/**
 * Charges: what the service sold in one window, written as one transaction. A batch has a name, and
 * the name of the last one written stands in the same transaction, so a batch whose commit failed
 * in doubt can be sent again and is charged once.
 */

import { type Prices, type Queries, type RouteName, routeNames } from '../../operations.ts'
import type { Environment } from './environment.ts'
import { appendRow, dayOf } from './journal.ts'
import type { Account, BatchName, Sale, Tables } from './tables.ts'

/** Queries that one account is charged for. */
export interface Charge {
  readonly accountNumber: number
  readonly queries: Queries
}

/** The charges of one window, at most one for each account. */
export interface Batch extends BatchName {
  readonly charges: readonly Charge[]
}

/**
 * Writes a batch; durable when this returns. Does nothing when it is the last one that was written.
 * @throws Refusal `ledger-refused` when the disk refuses; then nothing was charged. Throws when an
 * account would be overdrawn, which the live balances make impossible.
 */
export function chargeBatch(environment: Environment, batch: Batch, prices: Prices): void {
  environment.transact((tables) => {
    const last = tables.batches.get('last')
    if (last?.session === batch.session && last.number === batch.number) return
    const atMs = environment.clock()
    for (const charge of batch.charges) chargeAccount(tables, charge, prices, atMs)
    tables.batches.putSync('last', { session: batch.session, number: batch.number })
  })
}

function chargeAccount(tables: Tables, charge: Charge, prices: Prices, atMs: number): void {
  const account = tables.accounts.get(charge.accountNumber)
  if (account === undefined) throw new Error(`there is no account ${charge.accountNumber}`)
  const sales: Partial<Record<RouteName, Sale>> = {}
  let totalMicroUsd = 0
  for (const route of routeNames) {
    const queries = charge.queries[route]
    if (queries === 0) continue
    const sale = { queries, amountMicroUsd: queries * prices[route] }
    sales[route] = sale
    totalMicroUsd += sale.amountMicroUsd
    addUsage(tables, account, dayOf(atMs), route, sale)
  }
  // 0 - 0 is 0, where -0 would be written for a free route.
  appendRow(tables, account, { kind: 'charge', amountMicroUsd: 0 - totalMicroUsd, sales }, atMs)
}

function addUsage(
  tables: Tables,
  account: Account,
  day: string,
  route: RouteName,
  sale: Sale,
): void {
  const key: [number, string, string] = [account.number, day, route]
  const before = tables.usage.get(key) ?? { queries: 0, amountMicroUsd: 0 }
  tables.usage.putSync(key, {
    queries: before.queries + sale.queries,
    amountMicroUsd: before.amountMicroUsd + sale.amountMicroUsd,
  })
}
