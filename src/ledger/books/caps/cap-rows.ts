/**
 * Caps. A key that has, or had, a cap has a row with its spending in one period, which is of the days
 * from `from_day` until `until_day`; sessions hold leases of it as of accounts. For every cap, in the period of its row,
 *
 *     spent + sum of (granted - spent) of its leases <= amount
 *
 * unless it was set below that. A lease outlives the end of a period: its later sales count in the next period. A
 * writer of these tables has locked the account.
 */
import { balanceMicroUsdMax } from '../../../money.ts'
import { dayName } from '../../account-records.ts'
import { periodDays } from '../../keys/spending-periods.ts'
import type { KeyCap } from '../../port.ts'
import type { RunStatement } from '../../sql/port.ts'

/** Spending of a cap in its current period. A clock that goes back over the end of the period does not reset it. */
export const spentSql = `case when now_ms() < key_cap.until_day * 86400000
  then key_cap.spent else 0 end`

/** Amount of a cap; a cap that was removed restricts nothing. */
export const amountSql = `coalesce(key_cap.amount, ${balanceMicroUsdMax})`

/**
 * Sets the cap of a key, or removes it: services give back what they hold of a lower cap. Earlier spending is
 * counted from the usage of the key. The account is locked.
 * @param change the number of the change of accounts, and the time of the database.
 */
export async function writeCap(
  query: RunStatement,
  { keyId, account }: { readonly keyId: string; readonly account: number },
  cap: Pick<KeyCap, 'amountMicroUsd' | 'period'> | undefined,
  { change, nowMs }: { readonly change: number; readonly nowMs: number },
): Promise<void> {
  if (cap === undefined) {
    await query('update key_cap set amount = null, changed = $2, recalled = $2 where key_id = $1', [
      keyId,
      change,
    ])
    return
  }
  const { fromDay, untilDay } = periodDays(cap.period, nowMs)
  await query(
    `insert into key_cap
       (key_id, account, amount, period, from_day, until_day, spent, changed, recalled)
     values ($1, $2, $3, $4, $6, $7,
       (select cast(coalesce(sum(amount), 0) as bigint) from charge
          where account = $2 and key_id = $1 and day >= $6 and day < $7),
       $5, $5)
     on conflict (key_id) do update set amount = excluded.amount, period = excluded.period,
       from_day = excluded.from_day, until_day = excluded.until_day, spent = excluded.spent, changed = excluded.changed, reached_day = null,
       recalled = case when key_cap.amount <= excluded.amount and key_cap.period = excluded.period
         then key_cap.recalled else excluded.recalled end`,
    [keyId, account, cap.amountMicroUsd, cap.period, change, fromDay, untilDay],
  )
  await query('update account set capped = true where id = $1 and not capped', [account])
}

/** Spending of keys in the periods of their caps. */
export async function spentOfCaps(query: RunStatement): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ keyId: string; spent: number }>(
    `select key_id as "keyId", ${spentSql} as spent from key_cap where amount is not null`,
  )
  return new Map(rows.map(({ keyId, spent }) => [keyId, spent]))
}

/** Sales to keys, by day. */
export async function usageOfKeys(
  query: RunStatement,
): Promise<{ keyId: string; day: string; amount: number }[]> {
  const rows = await query<{ keyId: string; day: number; amount: number }>(
    `select key_id as "keyId", day, cast(sum(amount) as bigint) as amount
     from charge group by key_id, day`,
  )
  return rows.map(({ day, ...rest }) => ({ ...rest, day: dayName(day) }))
}

/** A cap, as services hear of it. */
interface CapNews {
  readonly keyId: string
  readonly account: number
  /** Amount that it has left, leased or free. */
  readonly balance: number
  /** Number of the change by which all services were to give back. */
  readonly recalled: number
}

/** Those of the caps of some keys that changed after a change. */
export function capNews(
  query: RunStatement,
  keyIds: readonly string[],
  change: number,
): Promise<CapNews[]> {
  return query<CapNews>(
    `select key_id as "keyId", account, ${amountSql} - (${spentSql}) as balance, recalled from key_cap
     where changed > $1 and key_id in list($2 as text)`,
    [change, keyIds],
  )
}
