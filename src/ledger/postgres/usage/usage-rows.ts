/**
 * Usage in a database: by account, day and route, and by lineage of keys, day or hour, and route. Both are written with
 * the row of the journal that they are a part of, and take their day and hour from it. Sales by a node of an earlier
 * version have no lineage: they are the rest of the usage of their account, and are read under the lineage ''.
 */
import { limits } from '../../../limits.ts'
import type { KeyUsage, UsageRange } from '../../administration.ts'
import type { Charge } from '../../port.ts'
import type { Database, RunStatement } from '../database.ts'

/** The tables; rows of the journal say whether their parts are in them. */
export const keyUsageTables = [
  'alter table journal add column by_key boolean not null default false',
  `create table key_usage (
    account integer not null references account,
    lineage text not null,
    day date not null,
    route text not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (account, lineage, day, route))`,
  `create table hour_usage (
    account integer not null references account,
    hour timestamptz not null,
    lineage text not null,
    route text not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (account, hour, lineage, route))`,
  'create index hour_usage_hour on hour_usage (hour)',
]

/** The charges that one row of the journal stands for. */
interface SoldRow {
  readonly n: number
  readonly charges: readonly Charge[]
}

const sold = `(select part.*, journal.at from
    unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
      as part (account, n, lineage, route, queries, amount)
    join journal on journal.account = part.account and journal.n = part.n) as sold`

const sums = 'sum(sold.queries)::bigint, sum(sold.amount)::bigint'
const day = "(sold.at at time zone 'UTC')::date"
const hour = "date_trunc('hour', sold.at at time zone 'UTC') at time zone 'UTC'"

/** Adds what was sold, in one flight; behind the rows of the journal, in their transaction. */
export async function addUsage(query: RunStatement, rows: readonly SoldRow[]): Promise<void> {
  const parts = rows.flatMap(partsOf)
  const values = [
    parts.map(({ accountNumber }) => accountNumber),
    parts.map(({ n }) => n),
    parts.map(({ lineage }) => lineage),
    parts.map(({ route }) => route),
    parts.map(({ queries }) => queries),
    parts.map(({ amountMicroUsd }) => amountMicroUsd),
  ]
  await Promise.all([
    query(adding('usage', 'account, day, route', `sold.account, ${day}, sold.route`), values),
    query(
      adding(
        'key_usage',
        'account, lineage, day, route',
        `sold.account, sold.lineage, ${day}, sold.route`,
      ),
      values,
    ),
    query(
      adding(
        'hour_usage',
        'account, hour, lineage, route',
        `sold.account, ${hour}, sold.lineage, sold.route`,
      ),
      values,
    ),
  ])
}

function adding(table: string, key: string, values: string): string {
  return `insert into ${table} (${key}, queries, amount)
    select ${values}, ${sums} from ${sold} group by ${values}
    on conflict (${key}) do update
    set queries = ${table}.queries + excluded.queries, amount = ${table}.amount + excluded.amount`
}

/** Sales on each route. */
function partsOf({ n, charges }: SoldRow) {
  return charges.flatMap(({ accountNumber, lineage = '', sales }) =>
    Object.entries(sales).map(([route, { queries, amountMicroUsd }]) => {
      return { accountNumber, n, lineage, route, queries, amountMicroUsd }
    }),
  )
}

/** Removes the hours of days that ended longer ago than hours are kept. @throws Refusal `ledger-refused`. */
export async function deleteOldHours(database: Database): Promise<void> {
  await database.query(
    `delete from hour_usage where hour < (date_trunc('day', clock_timestamp() at time zone 'UTC')
       - interval '${limits.usageHoursKeptDays} days') at time zone 'UTC'`,
  )
}

/** A row of usage as it is read. */
interface UsageRow {
  readonly lineage: string
  readonly day: string
  readonly hour: number | null
  readonly route: string
  readonly queries: number
  readonly amount: number
}

/** Sales to an account by lineage, day or hour, and route, in that order of time. */
export async function selectKeyUsage(
  query: RunStatement,
  account: number,
  { fromDay, toDay, byHour }: UsageRange,
): Promise<KeyUsage[]> {
  const rows = await query<UsageRow>(byHour ? hours : days, [account, fromDay, toDay])
  return rows.map(({ amount, ...rest }) => ({ ...rest, amountMicroUsd: amount }))
}

const days = `select lineage, day::text as day, null::integer as hour, route, queries, amount from (
    select lineage, day, route, queries, amount from key_usage where account = $1
    union all
    select '', usage.day, usage.route, usage.queries - coalesce(known.queries, 0),
      usage.amount - coalesce(known.amount, 0)
    from usage left join (select day, route, sum(queries)::bigint as queries, sum(amount)::bigint as amount
        from key_usage where account = $1 group by day, route) as known
      on known.day = usage.day and known.route = usage.route
    where usage.account = $1 and usage.queries > coalesce(known.queries, 0)) as all_usage
  where day between $2::date and $3::date order by day, lineage, route`

const hours = `select lineage, (hour at time zone 'UTC')::date::text as day,
    extract(hour from hour at time zone 'UTC')::integer as hour, route, queries, amount
  from hour_usage where account = $1
    and (hour at time zone 'UTC')::date between $2::date and $3::date
  order by hour_usage.hour, lineage, route`
