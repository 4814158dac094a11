/**
 * The proof of usage by key: for every account, day and route the lineages add up to the usage that the journal
 * proves; the hours add up to the days; the spending of a lineage is the sales to it and those below it; and no cap
 * was passed in a period that began after it was set. Finds, repairs nothing.
 */
import { formatUsd } from '../../../money.ts'
import type { Account } from '../../account-records.ts'
import { passedCaps, periodName, spentByPeriod } from '../../lineages.ts'
import type { Sale } from '../../port.ts'
import type { Tables } from '../tables.ts'
import { allKeys } from './stored-keys.ts'
import { hoursRemoved, unknownLineage, usageByDay, withSale } from './usage-by-key.ts'

/** Receives each contradiction that a check finds. */
type Report = (contradiction: string) => void

/** Amounts by lineage, with those below it, and period. */
type Spent = ReturnType<typeof spentByPeriod>

const hourMs = 3_600_000
const nothing: Sale = { queries: 0, amountMicroUsd: 0 }

/** Proves the usage by key of a whole ledger; one pass over each of its tables. */
export function auditUsageByKey(
  tables: Tables,
  accounts: readonly Account[],
  report: Report,
): void {
  // After an earlier version has charged, the next service puts that under no key.
  const isWhole = tables.batches.get('last')?.isByKey !== undefined
  for (const account of accounts) auditAccount(tables, account, isWhole, report)
  auditHours(tables, report)
  const spent = spentByLineage(tables)
  auditSpending(tables, spent, report)
  for (const passed of passedCaps(allKeys(tables), spent)) report(passed)
}

function auditAccount(
  tables: Tables,
  { number, name }: Account,
  isWhole: boolean,
  report: Report,
): void {
  const byKey = usageByDay(tables, number)
  const range = { start: [number, '', ''], end: [number + 1, '', ''] } as {
    start: [number, string, string]
    end: [number, string, string]
  }
  for (const { key, value } of tables.usage.getRange(range)) {
    const place = `${key[1]} ${key[2]}`
    const sum = byKey.get(place) ?? nothing
    byKey.delete(place)
    const isMore = sum.queries > value.queries || sum.amountMicroUsd > value.amountMicroUsd
    if (isMore || (isWhole && !isSame(sum, value))) {
      report(`account ${name}: usage of ${place} is ${textOf(value)}, its keys have ${textOf(sum)}`)
    }
  }
  for (const [place, sum] of byKey) {
    report(`account ${name}: its keys have usage of ${place}, ${textOf(sum)}, and it has none`)
  }
}

function auditHours(tables: Tables, report: Report): void {
  const firstHour = hoursRemoved(tables)
  const sums = new Map<string, Sale>()
  for (const { key, value } of tables.hourUsage.getRange()) {
    const [hour, number, lineage, route] = key
    const day = periodName('day', hour * hourMs)
    const place = `${number} ${lineage} ${day} ${route}`
    sums.set(place, withSale(sums.get(place), value))
  }
  for (const { key, value } of tables.keyUsage.getRange()) {
    const [number, lineage, day, route] = key
    const isKept = Date.parse(day) >= firstHour * hourMs
    const place = `${number} ${lineage} ${day} ${route}`
    const sum = sums.get(place) ?? nothing
    sums.delete(place)
    if (!isKept || lineage === unknownLineage || isSame(sum, value)) continue
    report(
      `account ${number}, key ${lineage}: usage of ${day} ${route} is ${textOf(value)}, its hours have ${textOf(sum)}`,
    )
  }
  for (const place of sums.keys()) report(`usage by hour of ${place} has no day`)
}

/** Sums the sales to lineages, each with those below it, by period. */
function spentByLineage(tables: Tables) {
  const parents = Array.from(tables.lineages.getRange(), ({ key, value }) => [key, value.parent])
  const known = parents.filter((each): each is [string, string] => each[1] !== undefined)
  const sold = Array.from(tables.keyUsage.getRange(), ({ key: [, lineage, day], value }) => {
    return { lineage, day, amount: value.amountMicroUsd }
  })
  return spentByPeriod(
    sold.filter(({ lineage }) => lineage !== unknownLineage),
    new Map(known),
  )
}

function auditSpending(tables: Tables, spent: Spent, report: Report): void {
  const missing = new Set(spent.keys())
  for (const { key: lineage, value } of tables.lineages.getRange()) {
    missing.delete(lineage)
    for (const [period, amount] of Object.entries(value.spent)) {
      const sum = spent.get(lineage)?.get(period) ?? 0
      if (sum === amount) continue
      const [written, summed] = [formatUsd(amount), formatUsd(sum)]
      report(
        `key ${lineage} has spent ${written} USD of ${period}, its usage sums to ${summed} USD`,
      )
    }
  }
  for (const lineage of missing) report(`key ${lineage} has usage, and nothing is known of it`)
}

function isSame(one: Sale, other: Sale): boolean {
  return one.queries === other.queries && one.amountMicroUsd === other.amountMicroUsd
}

function textOf({ queries, amountMicroUsd }: Sale): string {
  return `${queries} queries for ${formatUsd(amountMicroUsd)} USD`
}
