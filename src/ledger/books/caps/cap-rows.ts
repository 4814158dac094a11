/**
 * Caps. A key that has, or had, a cap has a row with its spending in one period, which is of the days
 * from `from_day` until `until_day`; sessions hold leases of it as of accounts. For every cap, in the period of its row,
 *
 *     spent + sum of (granted - spent) of its leases <= amount
 *
 * unless it was set below that. A lease outlives the end of a period: its later sales count in the next period. A
 * writer of these tables has locked the account.
 */
import { balanceMicroUsdMax, type CapPeriod, usdNumber } from '../../../money.ts'
import type { RunStatement } from '../../sql/port.ts'
import type { KeyRecord } from '../account-records.ts'
import { type FundNews, noteChange } from '../account-rows.ts'
import type { NewEvent } from '../events.ts'
import type { Charge, KeyCap } from '../port.ts'
import { cheapestOf } from '../sales.ts'
import { periodDays } from './spending-periods.ts'

/** Spending of a cap in its current period. A clock that goes back over the end of the period does not reset it. */
export const spentSql = spentAt('now_ms()')

function spentAt(atMs: string): string {
  return `case when ${atMs} < key_cap.until_day * 86400000 then key_cap.spent else 0 end`
}

/** Amount of a cap; a cap that was removed restricts nothing. */
const amountSql = `coalesce(key_cap.amount, ${balanceMicroUsdMax})`

/**
 * Services give back what they hold of a lower cap. Earlier spending is counted from the usage of
 * the key. The account is locked.
 */
export async function writeCap(
  query: RunStatement,
  { id, accountNumber, createdAtMs }: Pick<KeyRecord, 'id' | 'accountNumber' | 'createdAtMs'>,
  cap: KeyCap | undefined,
  nowMs: number,
): Promise<void> {
  const change = await noteChange(query)
  if (cap === undefined) {
    const text = 'update key_cap set amount = null, changed = $2, recalled = $2 where key_id = $1'
    await query(text, [id, change])
    return
  }
  const { fromDay, untilDay } = periodDays(cap.period, nowMs)
  const heldDay = nowMs === createdAtMs ? fromDay : untilDay
  await query(
    `insert into key_cap
       (key_id, account, amount, period, from_day, until_day, held_day, spent, changed, recalled)
     values ($1, $2, $3, $4, $6, $7, $8,
       (select cast(coalesce(sum(amount), 0) as bigint) from charge
          where account = $2 and key_id = $1 and day >= $6 and day < $7),
       $5, $5)
     on conflict (key_id) do update set amount = excluded.amount, period = excluded.period,
       from_day = excluded.from_day, until_day = excluded.until_day, held_day = excluded.held_day,
       spent = excluded.spent, changed = excluded.changed, reached_day = null,
       recalled = case when key_cap.amount <= excluded.amount and key_cap.period = excluded.period
         then key_cap.recalled else excluded.recalled end`,
    [id, accountNumber, cap.amountMicroUsd, cap.period, change, fromDay, untilDay, heldDay],
  )
  await query('update account set capped = true where id = $1 and not capped', [accountNumber])
}

export interface CapState {
  readonly accountNumber: number
  readonly keyId: string
  readonly name: string
  readonly period: CapPeriod
  /** Its amount, and what is spent of it in the period that it is now. */
  readonly granted: number
  readonly spent: number
  /** What no session has leased; below 0 where it was lowered. */
  readonly free: number
  /** First day of the period in which it was reached last, as an event told; null for none. */
  readonly reachedDay: number | null
}

export function selectCaps(
  query: RunStatement,
  keyIds: readonly string[],
  atMs: number,
): Promise<CapState[]> {
  return query<CapState>(
    `select account as "accountNumber", key_id as "keyId", name, period, granted, spent,
       granted - spent - held as free, reached_day as "reachedDay"
     from (select key_cap.account, key_id, name, period, ${amountSql} as granted, ${spentAt('$2')} as spent, reached_day,
       (select cast(coalesce(sum(lease.granted - lease.spent), 0) as bigint) from lease
          where lease.key_id = key_cap.key_id) as held
     from key_cap join account on account.id = key_cap.account where key_id in list($1 as text)) as caps`,
    [keyIds, atMs],
  )
}

interface SoldUnder {
  readonly state: CapState
  readonly charges: readonly Charge[]
  readonly costMicroUsd: number
}

/** Whether a sale takes a cap, which was not reached in its period, to where it does not pay for the cheapest of its charges again. */
function isReachedBy({ state, costMicroUsd, charges }: SoldUnder, atMs: number): boolean {
  const leftMicroUsd = state.granted - state.spent - costMicroUsd
  const isTold = state.reachedDay === periodDays(state.period, atMs).fromDay
  return !isTold && leftMicroUsd < cheapestOf(charges)
}

export function reachedCaps(sold: readonly SoldUnder[], atMs: number): NewEvent[] {
  return sold
    .filter((each) => isReachedBy(each, atMs))
    .map(({ state: { keyId, name, granted, period } }) => {
      const details = { account: name, cap_usd: usdNumber(granted), period }
      return { kind: 'cap.reached', subject: keyId, details }
    })
}

export async function spendCaps(
  query: RunStatement,
  sold: readonly SoldUnder[],
  atMs: number,
): Promise<void> {
  if (sold.length === 0) return
  const rows = sold.map((each) => {
    const { keyId, period, reachedDay } = each.state
    const { fromDay, untilDay } = periodDays(period, atMs)
    const toldDay = isReachedBy(each, atMs) ? fromDay : reachedDay
    return [keyId, each.costMicroUsd, fromDay, untilDay, toldDay]
  })
  await query(
    `update key_cap set
       spent = case when key_cap.from_day >= sold.from_day then key_cap.spent else 0 end + sold.cost,
       from_day = case when key_cap.from_day < sold.from_day then sold.from_day else key_cap.from_day end,
       until_day = case when key_cap.until_day < sold.until_day then sold.until_day else key_cap.until_day end,
       reached_day = sold.reached_day
     from rows($1 as key_id text, cost bigint, from_day bigint, until_day bigint, reached_day bigint) as sold
     where key_cap.key_id = sold.key_id`,
    [rows],
  )
}

export async function capNews(
  query: RunStatement,
  keyIds: readonly string[],
  change: number,
): Promise<FundNews[]> {
  if (keyIds.length === 0) return []
  return query<FundNews>(
    `select account as "accountNumber", key_id as "keyId", 0 as "madeAtMs",
       ${amountSql} as "grantedMicroUsd", ${spentSql} as "spentMicroUsd", recalled
     from key_cap where changed > $1 and key_id in list($2 as text) order by key_id`,
    [change, keyIds],
  )
}
