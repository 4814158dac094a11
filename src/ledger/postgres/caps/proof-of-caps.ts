/**
 * The proof of caps in a database: services hold keys to their caps; a cap's spending is the usage of its lineage;
 * no period that began after a cap was set passed it; what is spent and leased of a cap never exceeds it.
 */
import { formatUsd } from '../../../money.ts'
import type { KeyRecord } from '../../account-records.ts'
import { isUnder, passedCaps, spentByPeriod } from '../../lineages.ts'
import type { RunStatement } from '../database.ts'
import { isDaySql, spentSql, usageOfLineages } from './cap-rows.ts'

const spendingText = `select key_cap.lineage, key_cap.span, key_cap.spent, sold.amount
  from key_cap cross join lateral (select coalesce(sum(key_usage.amount), 0)::bigint as amount
    from key_usage where key_usage.account = key_cap.account
      and ${isDaySql('key_usage.day', 'key_cap.period', 'key_cap.span')}
      and key_usage.lineage = key_cap.lineage) as sold
  where key_cap.spent <> sold.amount`

const leasesText = `select lineage, span, cap, used from (
    select key_cap.lineage, key_cap.span, key_cap.amount as cap, (${spentSql} + (
      select coalesce(sum(granted - cap_lease.spent), 0) from cap_lease
        where cap_lease.lineage = key_cap.lineage))::bigint as used
    from key_cap) as caps
  where used > cap`

/** Returns the contradictions of caps. O(usage by key), if there are any caps. @param keys all keys of the ledger. */
export async function contradictionsOfCaps(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const some = await query('select 1 from key_cap limit 1')
  if (some.length === 0) return []
  const spent = spentByPeriod(await usageOfLineages(query))
  return [
    ...(await contradictionsOfTerms(query, keys)),
    ...(await contradictionsOfSpending(query)),
    ...passedCaps(keys, spent),
    ...(await contradictionsOfLeases(query, keys)),
  ]
}

/** Whether the caps that are held to are those of the keys. */
async function contradictionsOfTerms(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const rows = await query<{ lineage: string; amount: number | null; period: string }>(
    'select lineage, amount, period from key_cap',
  )
  const held = new Map(rows.map((row) => [row.lineage, row]))
  return keys.flatMap(({ id, lineage, terms }) => {
    const { amount = null, period } = held.get(id) ?? {}
    const cap = terms?.cap
    const isSame = cap === undefined ? amount === null : amount === cap.amountMicroUsd
    if (lineage !== id || (isSame && (cap?.period ?? period) === period)) return []
    return `key ${id}: the cap that services hold it to is not that of the key`
  })
}

async function contradictionsOfSpending(query: RunStatement): Promise<string[]> {
  const rows = await query<{ lineage: string; span: string; spent: number; amount: number }>(
    spendingText,
  )
  return rows.map(({ lineage, span, spent, amount }) => {
    const [written, summed] = [formatUsd(spent), formatUsd(amount)]
    return `key ${lineage} has spent ${written} USD of ${span}, its usage sums to ${summed} USD`
  })
}

async function contradictionsOfLeases(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const known = new Map(keys.map((key) => [key.id, key]))
  const rows = await query<{ lineage: string; span: string; cap: number; used: number }>(leasesText)
  return rows.flatMap(({ lineage, span, cap, used }) => {
    const { terms, createdAtMs = 0 } = known.get(lineage) ?? {}
    // One that was lowered may have more, until services have given it back.
    if (terms?.cap !== undefined && !isUnder(span, terms.cap, createdAtMs)) return []
    const [sum, most] = [formatUsd(used), formatUsd(cap)]
    return `key ${lineage}: ${sum} USD of ${span} are spent or leased, above its cap of ${most} USD`
  })
}
