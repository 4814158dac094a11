/**
 * The proof of usage by key: for every account, day and route the keys add up to the usage that the journal
 * proves; the spending of a key is the sales to it; and no cap was passed in a period that began after it was set. Finds, repairs nothing.
 */
import { formatUsd } from '../../../money.ts'
import type { Account } from '../../account-records.ts'
import { passedCaps, spentByPeriod } from '../../keys/spending-periods.ts'
import type { Sale } from '../../port.ts'
import type { Tables } from '../tables.ts'
import { allKeys } from './stored-keys.ts'
import { usageByDay } from './usage-by-key.ts'

/** Receives each contradiction that a check finds. */
type Report = (contradiction: string) => void

/** Amounts by key and period. */
type Spent = ReturnType<typeof spentByPeriod>

const nothing: Sale = { queries: 0, amountMicroUsd: 0 }

/** Proves the usage by key of a whole ledger; one pass over each of its tables. */
export function auditUsageByKey(
  tables: Tables,
  accounts: readonly Account[],
  report: Report,
): void {
  for (const account of accounts) auditAccount(tables, account, report)
  const spent = spentByKey(tables)
  auditSpending(tables, spent, report)
  for (const passed of passedCaps(allKeys(tables), spent)) report(passed)
}

function auditAccount(tables: Tables, { number, name }: Account, report: Report): void {
  const byKey = usageByDay(tables, number)
  const range = { start: [number, '', ''], end: [number + 1, '', ''] } as {
    start: [number, string, string]
    end: [number, string, string]
  }
  for (const { key, value } of tables.usage.getRange(range)) {
    const place = `${key[1]} ${key[2]}`
    const sum = byKey.get(place) ?? nothing
    byKey.delete(place)
    if (!isSame(sum, value)) {
      report(`account ${name}: usage of ${place} is ${textOf(value)}, its keys have ${textOf(sum)}`)
    }
  }
  for (const [place, sum] of byKey) {
    report(`account ${name}: its keys have usage of ${place}, ${textOf(sum)}, and it has none`)
  }
}

/** Sums the sales to keys, by period. */
function spentByKey(tables: Tables) {
  const sold = Array.from(tables.keyUsage.getRange(), ({ key: [, keyId, day], value }) => {
    return { keyId, day, amount: value.amountMicroUsd }
  })
  return spentByPeriod(sold)
}

function auditSpending(tables: Tables, spent: Spent, report: Report): void {
  const missing = new Set(spent.keys())
  for (const { key: keyId, value } of tables.spending.getRange()) {
    missing.delete(keyId)
    for (const [period, amount] of Object.entries(value.spent)) {
      const sum = spent.get(keyId)?.get(period) ?? 0
      if (sum === amount) continue
      const [written, summed] = [formatUsd(amount), formatUsd(sum)]
      report(`key ${keyId} has spent ${written} USD of ${period}, its usage sums to ${summed} USD`)
    }
  }
  for (const keyId of missing) report(`key ${keyId} has usage, and nothing is known of it`)
}

function isSame(one: Sale, other: Sale): boolean {
  return one.queries === other.queries && one.amountMicroUsd === other.amountMicroUsd
}

function textOf({ queries, amountMicroUsd }: Sale): string {
  return `${queries} queries for ${formatUsd(amountMicroUsd)} USD`
}
