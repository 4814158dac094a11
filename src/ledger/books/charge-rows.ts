/**
 * What was sold with each key on each route, added up by UTC day: all that an account was charged,
 * and its usage.
 */
import type { RunStatement } from '../sql/port.ts'
import { dayName, dayNumber } from './account-records.ts'
import type { Charge, ChargeBatch, DailySale, Sale } from './port.ts'

export async function addCharges(
  query: RunStatement,
  charges: readonly Charge[],
  atMs: number,
): Promise<void> {
  if (charges.length === 0) return
  const rows = charges.map(({ accountNumber, keyId, route, queries, amountMicroUsd }) => {
    return [accountNumber, keyId, route, queries, amountMicroUsd]
  })
  await query(
    `insert into charge (day, account, key_id, route, queries, amount)
     select $1, account, key_id, route, cast(sum(queries) as bigint), cast(sum(amount) as bigint)
     from rows($2 as account integer, key_id text, route text, queries bigint, amount bigint) as sold
     group by account, key_id, route
     on conflict (account, day, key_id, route) do update
     set queries = charge.queries + excluded.queries, amount = charge.amount + excluded.amount`,
    [dayNumber(atMs), rows],
  )
}

/** Writes down sales that are not charged, of accounts that there are. They must be of a batch that has none yet. */
export async function insertGivenAway(
  query: RunStatement,
  session: string,
  { number, charges }: ChargeBatch,
): Promise<void> {
  if (charges.length === 0) return
  const rows = charges.map(({ accountNumber, queries, amountMicroUsd }) => {
    return [accountNumber, queries, amountMicroUsd]
  })
  await query(
    `insert into given_away (session, batch, account, at_ms, queries, amount)
     select $1, $2, account, now_ms(), cast(sum(queries) as bigint), cast(sum(amount) as bigint)
     from rows($3 as account integer, queries bigint, amount bigint) as given
       join account on account.id = given.account
     group by account`,
    [session, number, rows],
  )
}

export async function notChargedBy(
  query: RunStatement,
  { session, number }: { readonly session: string; readonly number: number },
): Promise<ReadonlySet<number>> {
  const rows = await query<{ account: number }>(
    'select account from given_away where session = $1 and batch = $2',
    [session, number],
  )
  return new Set(rows.map(({ account }) => account))
}

/** A choice of sales. Without members it is all of them. */
export interface SalesRange {
  /** UTC days, the first and the last, as `2026-07-28`. */
  readonly fromDay?: string
  readonly toDay?: string
  /** Of one key alone. */
  readonly keyId?: string | null
  readonly isByKey?: boolean
}

/** Sales to an account by day and route, or by day, key and route, in that order. */
export async function selectSales(
  query: RunStatement,
  account: number,
  { fromDay = '0001-01-01', toDay = '9999-12-31', keyId = null, isByKey = false }: SalesRange,
): Promise<DailySale[]> {
  const by = isByKey ? 'day, key_id, route' : 'day, route'
  const rows = await query<Sale & { day: number; route: string; key_id?: string }>(
    `select ${by}, cast(sum(queries) as bigint) as queries, cast(sum(amount) as bigint) as "amountMicroUsd"
     from charge where account = $1 and day between $2 and $3 and (cast($4 as text) is null or key_id = $4)
     group by ${by} order by ${by}`,
    [account, dayNumber(Date.parse(fromDay)), dayNumber(Date.parse(toDay)), keyId],
  )
  return rows.map(({ day, key_id, ...sale }) => {
    return { ...sale, day: dayName(day), ...(key_id !== undefined && { keyId: key_id }) }
  })
}
