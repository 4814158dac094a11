/**
 * Usage in a database: by account, day and route, and by lineage of keys, day and route. Both are written with
 * the row of the journal that they are a part of, and take their day from it. Sales by a node of an earlier
 * version have no lineage: they are the rest of the usage of their account, and are read under the lineage ''.
 */
import type { KeyUsage, UsageRange } from '../../administration.ts'
import type { Charge } from '../../port.ts'
import type { RunStatement } from '../database.ts'

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

/** A row of usage as it is read. */
interface UsageRow {
  readonly lineage: string
  readonly day: string
  readonly route: string
  readonly queries: number
  readonly amount: number
}

/** Sales to an account by day, lineage and route, in that order. */
export async function selectKeyUsage(
  query: RunStatement,
  account: number,
  { fromDay, toDay }: UsageRange,
): Promise<KeyUsage[]> {
  const rows = await query<UsageRow>(days, [account, fromDay, toDay])
  return rows.map(({ amount, ...rest }) => ({ ...rest, amountMicroUsd: amount }))
}

const days = `select lineage, day::text as day, route, queries, amount from (
    select lineage, day, route, queries, amount from key_usage where account = $1
    union all
    select '', usage.day, usage.route, usage.queries - coalesce(known.queries, 0),
      usage.amount - coalesce(known.amount, 0)
    from usage left join (select day, route, sum(queries)::bigint as queries, sum(amount)::bigint as amount
        from key_usage where account = $1 group by day, route) as known
      on known.day = usage.day and known.route = usage.route
    where usage.account = $1 and usage.queries > coalesce(known.queries, 0)) as all_usage
  where day between $2::date and $3::date order by day, lineage, route`
