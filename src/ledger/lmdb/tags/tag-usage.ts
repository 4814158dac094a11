/**
 * Usage by tag: sales to an account under each tag, by day and route. Written with the row of the journal that it is
 * a part of, which holds the same parts, so that the proof compares them. Sales without a tag are the rest of the
 * usage of the account, and are not written.
 */
import { dayOf } from '../../account-records.ts'
import type { TagUsage } from '../../administration.ts'
import type { AccountTag, Charge, Sale } from '../../port.ts'
import { untaggedOf } from '../../sales.ts'
import { withSale } from '../lineages/usage-by-key.ts'
import type { Tables } from '../tables.ts'

/** Adds what was sold under the tag of a charge. Must run in the transaction that writes the row of the journal. */
export function addUsageByTag(tables: Tables, charge: Charge, atMs: number): void {
  const { accountNumber, tag, sales } = charge
  if (tag === undefined) return
  const day = dayOf(atMs)
  const name: [number, string] = [accountNumber, tag]
  if (tables.tags.get(name) === undefined) tables.tags.putSync(name, day)
  for (const [route, sale] of Object.entries(sales)) {
    const key: [number, string, string, string] = [accountNumber, day, tag, route]
    tables.tagUsage.putSync(key, withSale(tables.tagUsage.get(key), sale))
  }
}

/** Every tag of every account. */
export function allTags(tables: Tables): AccountTag[] {
  return Array.from(tables.tags.getKeys(), ([accountNumber, tag]) => ({ accountNumber, tag }))
}

/** Sales to an account by day, tag and route, from one day to another; without a tag under ''. */
export function tagUsageOf(
  tables: Tables,
  number: number,
  { fromDay, toDay }: { readonly fromDay: string; readonly toDay: string },
): TagUsage[] {
  const start: [number, string, string, string] = [number, fromDay, '', '']
  // No day has the character that follows it.
  const end: [number, string, string, string] = [number, `${toDay}\u0001`, '', '']
  const tagged = Array.from(tables.tagUsage.getRange({ start, end }), ({ key, value }) => {
    const [, day, tag, route] = key
    return { day, tag, route, ...value }
  })
  const all = Array.from(
    tables.usage.getRange({ start: [number, fromDay, ''], end: [number, `${toDay}\u0001`, ''] }),
    ({ key: [, day, route], value }) => ({ day, route, ...value }),
  )
  return untaggedOf(all, tagged)
}

/** Sums by `day tag route`. */
export type TagSums = Map<string, Sale>

/** Adds the tagged parts of what a row of the journal holds; says where they are more than it. */
export function addTagged(
  sums: TagSums,
  day: string,
  [route, sale]: readonly [string, Sale],
  report: (contradiction: string) => void,
): void {
  let queries = 0
  let amountMicroUsd = 0
  for (const { tag, ...part } of sale.tags ?? []) {
    const place = `${day} ${tag} ${route}`
    sums.set(place, withSale(sums.get(place), part))
    queries += part.queries
    amountMicroUsd += part.amountMicroUsd
  }
  const isMore = queries > sale.queries || amountMicroUsd > sale.amountMicroUsd
  if (isMore) report(`more is tagged on ${route} than was sold`)
}

/** Compares what is written of an account by tag with what its journal holds. */
export function auditUsageByTag(
  tables: Tables,
  number: number,
  sums: TagSums,
  report: (contradiction: string) => void,
): void {
  const start: [number, string, string, string] = [number, '', '', '']
  const end: [number, string, string, string] = [number + 1, '', '', '']
  for (const { key, value } of tables.tagUsage.getRange({ start, end })) {
    const [, day, tag, route] = key
    const place = `${day} ${tag} ${route}`
    const sum = sums.get(place) ?? { queries: 0, amountMicroUsd: 0 }
    sums.delete(place)
    if (sum.queries === value.queries && sum.amountMicroUsd === value.amountMicroUsd) continue
    const written = `${value.queries} queries for ${value.amountMicroUsd} micro-USD`
    const summed = `${sum.queries} queries for ${sum.amountMicroUsd} micro-USD`
    report(`usage by tag of ${place} is ${written}, its rows hold ${summed}`)
  }
  for (const place of sums.keys()) report(`usage by tag of ${place} is missing`)
}
