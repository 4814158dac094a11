/**
 * Usage by key: sales to each key, by day. Written with the row of the journal that it is a part of, so
 * that for every account, day and route the sum of all keys is the usage of the account.
 */
import { dayOf } from '../../account-records.ts'
import type { Charge, Sale } from '../../port.ts'
import type { Tables } from '../tables.ts'

/** Adds what one key was sold. Must run in the transaction that writes the row of the journal. */
export function addUsageByKey(tables: Tables, charge: Charge, atMs: number): void {
  const { accountNumber, keyId, sales } = charge
  const day = dayOf(atMs)
  for (const [route, sale] of Object.entries(sales)) {
    const key: [number, string, string, string] = [accountNumber, keyId, day, route]
    tables.keyUsage.putSync(key, withSale(tables.keyUsage.get(key), sale))
  }
}

/** A sum with one sale more. */
export function withSale(before: Sale | undefined, sale: Sale): Sale {
  return {
    queries: (before?.queries ?? 0) + sale.queries,
    amountMicroUsd: (before?.amountMicroUsd ?? 0) + sale.amountMicroUsd,
  }
}

/** Sales to all keys of an account, by `day route`. */
export function usageByDay(tables: Tables, number: number): Map<string, Sale> {
  const sums = new Map<string, Sale>()
  const start: [number, string, string, string] = [number, '', '', '']
  const end: [number, string, string, string] = [number + 1, '', '', '']
  for (const { key, value } of tables.keyUsage.getRange({ start, end })) {
    const place = `${key[2]} ${key[3]}`
    sums.set(place, withSale(sums.get(place), value))
  }
  return sums
}
