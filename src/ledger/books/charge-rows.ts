/**
 * What was sold with each key on each route, added up by UTC day: all that an account was charged,
 * and its usage.
 */
import type { RunStatement } from '../sql/port.ts'
import { dayName, dayNumber } from './account-records.ts'
import type { Charge, ChargeBatch, DailySale } from './port.ts'
import { grouped, sumOfCharges } from './sales.ts'

export async function addCharges(
  query: RunStatement,
  charges: readonly Charge[],
  atMs: number,
): Promise<void> {
  const rows = charges.flatMap(({ accountNumber, keyId, sales }) =>
    Object.entries(sales).map(([route, { queries, amountMicroUsd }]) => {
      return [accountNumber, keyId, route, queries, amountMicroUsd]
    }),
  )
  if (rows.length === 0) return
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
  const ofAccounts = grouped(charges, ({ accountNumber }) => accountNumber)
  const rows = [...ofAccounts].map(([account, ofAccount]) => {
    const { queries, costMicroUsd } = sumOfCharges(ofAccount)
    return [account, queries, costMicroUsd]
  })
  await query(
    `insert into given_away (session, batch, account, at_ms, queries, amount)
     select $1, $2, account, now_ms(), given.queries, given.amount
     from rows($3 as account integer, queries bigint, amount bigint) as given
       join account on account.id = given.account`,
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

/** UTC days, the first and the last, as `2026-07-28`. */
export interface UsageRange {
  readonly fromDay: string
  readonly toDay: string
}

/** Sales to one key on one route on one UTC day. */
export interface KeyUsage extends DailySale {
  readonly keyId: string
}

interface SaleRow {
  readonly day: number
  readonly route: string
  readonly queries: number
  readonly amount: number
}

function saleOf<R extends SaleRow>({ day, amount, ...rest }: R) {
  return { ...rest, day: dayName(day), amountMicroUsd: amount }
}

/** Sales to an account since a day, a number, by day and route, in that order. @param keyId of one key alone. */
export async function selectSales(
  query: RunStatement,
  account: number,
  { since = 0, keyId = null }: { readonly since?: number; readonly keyId?: string | null },
): Promise<DailySale[]> {
  const rows = await query<SaleRow>(
    `select day, route, cast(sum(queries) as bigint) as queries, cast(sum(amount) as bigint) as amount
     from charge where account = $1 and day >= $2 and (cast($3 as text) is null or key_id = $3)
     group by day, route order by day, route`,
    [account, since, keyId],
  )
  return rows.map((row) => saleOf(row))
}

export async function selectKeyUsage(
  query: RunStatement,
  account: number,
  { fromDay, toDay }: UsageRange,
): Promise<KeyUsage[]> {
  const rows = await query<SaleRow & { readonly keyId: string }>(
    `select key_id as "keyId", day, route, queries, amount from charge
     where account = $1 and day between $2 and $3 order by day, key_id, route`,
    [account, dayNumber(Date.parse(fromDay)), dayNumber(Date.parse(toDay))],
  )
  return rows.map((row) => saleOf(row))
}
