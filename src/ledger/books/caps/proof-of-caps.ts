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

interface HeldCap {
  readonly keyId: string
  readonly amount: number | null
  readonly period: CapPeriod
  readonly fromDay: number
  readonly untilDay: number
  readonly spent: number
  /** What is spent of it now, or leased. */
  readonly used: number
}

interface KeySale {
  readonly keyId: string
  readonly day: number
  readonly amount: number
}

/** Returns the contradictions of caps. O(usage by key), if there are any caps. @param keys all keys of the ledger. */
export async function contradictionsOfCaps(
  query: RunStatement,
  keys: readonly KeyRecord[],
): Promise<string[]> {
  const caps = await query<HeldCap>(
    `select key_id as "keyId", amount, period, from_day as "fromDay", until_day as "untilDay", spent,
       cast(${spentSql} + (select coalesce(sum(granted - lease.spent), 0) from lease
         where lease.key_id = key_cap.key_id) as bigint) as used
     from key_cap`,
  )
  if (caps.length === 0) return []
  const sales = await query<KeySale>(
    `select key_id as "keyId", day, cast(sum(amount) as bigint) as amount
     from charge group by key_id, day`,
  )
  const known = new Map(keys.map((key) => [key.id, key]))
  const held = new Map(caps.map((cap) => [cap.keyId, cap]))
  const salesTo = grouped(sales, ({ keyId }) => keyId)
  return [
    ...keys.flatMap((key) => otherCaps(key, held.get(key.id))),
    ...caps.flatMap((cap) => otherSpending(cap, salesTo.get(cap.keyId) ?? [])),
    ...keys.flatMap((key) => passedCaps(key, salesTo.get(key.id) ?? [])),
    ...caps.flatMap((cap) => passedLeases(cap, known.get(cap.keyId))),
  ]
}

function otherCaps({ id, terms }: KeyRecord, held: HeldCap | undefined): string[] {
  const cap = terms?.cap
  const isSame = (cap?.amountMicroUsd ?? null) === (held?.amount ?? null)
  if (isSame && (cap === undefined || cap.period === held?.period)) return []
  return [`key ${id}: the cap that services hold it to is not that of the key`]
}

function otherSpending(
  { keyId, period, fromDay, untilDay, spent }: HeldCap,
  sales: readonly KeySale[],
): string[] {
  const sum = sumOf(sales.filter(({ day }) => fromDay <= day && day < untilDay))
  if (spent === sum) return []
  const [written, summed] = [formatUsd(spent), formatUsd(sum)]
  const span = nameOf(period, fromDay)
  return [`key ${keyId} has spent ${written} USD of ${span}, its usage sums to ${summed} USD`]
}

function passedCaps({ id, terms, createdAtMs }: KeyRecord, sales: readonly KeySale[]): string[] {
  const cap = terms?.cap
  if (cap === undefined) return []
  const ofPeriods = grouped(sales, ({ day }) => nameOf(cap.period, day))
  return [...ofPeriods].flatMap(([span, ofPeriod]) => {
    const spent = sumOf(ofPeriod)
    if (spent <= cap.amountMicroUsd || !isUnder(span, cap, createdAtMs)) return []
    const [sum, most] = [formatUsd(spent), formatUsd(cap.amountMicroUsd)]
    return `key ${id} has spent ${sum} USD of ${span}, above its cap of ${most} USD`
  })
}

/** One that was lowered may have more, until services have given it back. */
function passedLeases(
  { keyId, amount, period, fromDay, used }: HeldCap,
  { terms, createdAtMs = 0 }: Partial<KeyRecord> = {},
): string[] {
  const span = nameOf(period, fromDay)
  if (amount === null || used <= amount) return []
  if (terms?.cap !== undefined && !isUnder(span, terms.cap, createdAtMs)) return []
  const [sum, most] = [formatUsd(used), formatUsd(amount)]
  return [`key ${keyId}: ${sum} USD of ${span} are spent or leased, above its cap of ${most} USD`]
}

function sumOf(sales: readonly KeySale[]): number {
  return sales.reduce((sum, { amount }) => sum + amount, 0)
}

function nameOf(period: CapPeriod, day: number): string {
  return periodName(period, Date.parse(dayName(day)))
}

/** Whether the cap held from the beginning of the period with this name on. */
function isUnder(name: string, { period, sinceMs }: KeyCap, createdAtMs: number): boolean {
  if (period === 'total') return name === period && sinceMs <= createdAtMs
  const ofCap = periodName(period, sinceMs)
  return name.length === ofCap.length && name > ofCap
}
