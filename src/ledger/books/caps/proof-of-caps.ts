/**
 * The proof of caps: a cap's spending is the usage of its key; no period that began after a cap was
 * set passed it; what is spent and leased of a cap never exceeds it.
 */
import { type CapPeriod, formatUsd } from '../../../money.ts'
import type { RunStatement } from '../../sql/port.ts'
import { dayName, type KeyRecord } from '../account-records.ts'
import type { KeyCap } from '../port.ts'
import { grouped } from '../sales.ts'
import { spentSql } from './cap-rows.ts'
import { periodName } from './spending-periods.ts'

const spendingText = `select key_id as "keyId", period, from_day, spent, amount from (
    select key_cap.key_id, period, from_day, spent, coalesce(sold.amount, 0) as amount
    from key_cap left join (
      select charge.key_id, cast(sum(charge.amount) as bigint) as amount
      from charge cross join key_cap
      where key_cap.key_id = charge.key_id and key_cap.account = charge.account
        and day >= from_day and day < until_day
      group by charge.key_id) as sold on sold.key_id = key_cap.key_id) as sums
  where spent <> amount`

const leasesText = `select key_id as "keyId", period, from_day, cap, used from (
    select key_cap.key_id, key_cap.period, key_cap.from_day, key_cap.amount as cap, cast(${spentSql} + (
      select coalesce(sum(granted - lease.spent), 0) from lease where lease.key_id = key_cap.key_id) as bigint) as used
    from key_cap) as caps
  where used > cap`

interface PeriodRow {
  readonly keyId: string
  readonly period: CapPeriod
  readonly from_day: number
}

function nameOf({ period, from_day }: PeriodRow): string {
  return periodName(period, Date.parse(dayName(from_day)))
}

/** Returns the contradictions of caps. O(usage by key), if there are any caps. @param keys all keys of the ledger. */
export async function contradictionsOfCaps(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const some = await query('select 1 from key_cap limit 1')
  if (some.length === 0) return []
  const sales = await query<KeySale>(
    `select key_id as "keyId", day, cast(sum(amount) as bigint) as amount
     from charge group by key_id, day`,
  )
  return [
    ...(await contradictionsOfTerms(query, keys)),
    ...(await contradictionsOfSpending(query)),
    ...passedCaps(keys, sales),
    ...(await contradictionsOfLeases(query, keys)),
  ]
}

async function contradictionsOfTerms(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const rows = await query<{ keyId: string; amount: number | null; period: string }>(
    'select key_id as "keyId", amount, period from key_cap',
  )
  const held = new Map(rows.map((row) => [row.keyId, row]))
  return keys.flatMap(({ id, terms }) => {
    const { amount = null, period } = held.get(id) ?? {}
    const cap = terms?.cap
    const isSame = cap === undefined ? amount === null : amount === cap.amountMicroUsd
    if (isSame && (cap?.period ?? period) === period) return []
    return `key ${id}: the cap that services hold it to is not that of the key`
  })
}

async function contradictionsOfSpending(query: RunStatement): Promise<string[]> {
  const rows = await query<PeriodRow & { spent: number; amount: number }>(spendingText)
  return rows.map((row) => {
    const [written, summed] = [formatUsd(row.spent), formatUsd(row.amount)]
    return `key ${row.keyId} has spent ${written} USD of ${nameOf(row)}, its usage sums to ${summed} USD`
  })
}

async function contradictionsOfLeases(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const known = new Map(keys.map((key) => [key.id, key]))
  const rows = await query<PeriodRow & { cap: number; used: number }>(leasesText)
  return rows.flatMap((row) => {
    const { keyId, cap, used } = row
    const span = nameOf(row)
    const { terms, createdAtMs = 0 } = known.get(keyId) ?? {}
    // One that was lowered may have more, until services have given it back.
    if (terms?.cap !== undefined && !isUnder(span, terms.cap, createdAtMs)) return []
    const [sum, most] = [formatUsd(used), formatUsd(cap)]
    return `key ${keyId}: ${sum} USD of ${span} are spent or leased, above its cap of ${most} USD`
  })
}

interface KeySale {
  readonly keyId: string
  readonly day: number
  readonly amount: number
}

function passedCaps(keys: readonly KeyRecord[], sales: readonly KeySale[]): string[] {
  const salesTo = grouped(sales, ({ keyId }) => keyId)
  return keys.flatMap(({ id, terms, createdAtMs }) => {
    const cap = terms?.cap
    if (cap === undefined) return []
    const nameOf = ({ day }: KeySale) => periodName(cap.period, Date.parse(dayName(day)))
    return [...grouped(salesTo.get(id) ?? [], nameOf)].flatMap(([name, ofPeriod]) => {
      const spent = ofPeriod.reduce((sum, { amount }) => sum + amount, 0)
      if (spent <= cap.amountMicroUsd || !isUnder(name, cap, createdAtMs)) return []
      const [sum, most] = [formatUsd(spent), formatUsd(cap.amountMicroUsd)]
      return `key ${id} has spent ${sum} USD of ${name}, above its cap of ${most} USD`
    })
  })
}

/** Whether the cap held from the beginning of the period with this name on. */
function isUnder(name: string, { period, sinceMs }: KeyCap, createdAtMs: number): boolean {
  if (period === 'total') return name === period && sinceMs <= createdAtMs
  const ofCap = periodName(period, sinceMs)
  return name.length === ofCap.length && name > ofCap
}
