/**
 * Usage by key: sales to each lineage of keys, by day. Written with the row of the journal that it is a part of, so
 * that for every account, day and route the sum of all lineages is the usage of the account. Charges from before there
 * was usage by key stand under the lineage ''.
 */
import type { RouteName } from '../../../operations.ts'
import { dayOf } from '../../account-records.ts'
import type { Charge, Sale } from '../../port.ts'
import type { Tables } from '../tables.ts'

/** Growth of the file with an entry that is written anew. */
const growthBytesEach = 1_024

/** The lineage of charges without one. */
export const unknownLineage = ''

/** Adds what one lineage was sold. Must run in the transaction that writes the row of the journal. */
export function addUsageByKey(tables: Tables, charge: Charge, atMs: number): void {
  const { accountNumber, lineage = unknownLineage, sales } = charge
  const day = dayOf(atMs)
  for (const [route, sale] of Object.entries(sales)) {
    const key: [number, string, string, string] = [accountNumber, lineage, day, route]
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

/** Runs a change in one durable transaction, by which the file may grow by so many bytes. */
type Transact = <T>(change: (tables: Tables) => T, growthBytes?: number) => T

/**
 * Puts what an earlier version charged, without keys, under the lineage ''. Only a service does that, which has the
 * ledger for itself. May be interrupted anywhere, and goes on from there. Throws what `transact` throws.
 */
export function attributeEarlierUsage(tables: Tables, transact: Transact): void {
  const last = tables.batches.get('last')
  if (last === undefined || last.isByKey === true) return
  for (const number of [...tables.accounts.getKeys()]) {
    const rows = missingOf(tables, number)
    if (rows.length === 0) continue
    transact((writable) => {
      for (const [day, route, sale] of rows) {
        const key: [number, string, string, string] = [number, unknownLineage, day, route]
        writable.keyUsage.putSync(key, withSale(writable.keyUsage.get(key), sale))
      }
    }, rows.length * growthBytesEach)
  }
  transact((writable) => writable.batches.putSync('last', { ...last, isByKey: true }))
}

/** Usage of an account that exceeds the usage of all its lineages: day, route, and excess. */
function missingOf(tables: Tables, number: number): [string, RouteName, Sale][] {
  const byKey = usageByDay(tables, number)
  const range = tables.usage.getRange({ start: [number, '', ''], end: [number + 1, '', ''] })
  return Array.from(range, ({ key: [, day, route], value }) => {
    const known = byKey.get(`${day} ${route}`)
    const sale = {
      queries: value.queries - (known?.queries ?? 0),
      amountMicroUsd: value.amountMicroUsd - (known?.amountMicroUsd ?? 0),
    }
    return [day, route as RouteName, sale] as [string, RouteName, Sale]
  }).filter(([, , { queries }]) => queries > 0)
}

/** Sales to all lineages of an account, by `day route`. */
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
