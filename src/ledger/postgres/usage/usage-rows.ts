/**
 * Usage in a database: by account, day and route, and by lineage of keys, day and route. Both are written with
 * the row of the journal that they are a part of, and take their day from it.
 */
import type { KeyUsage, UsageRange } from '../../administration.ts'
import type { Charge } from '../../port.ts'
import type { RunStatement } from '../database.ts'

/** The charges that one row of the journal stands for. */
interface SoldRow {
  readonly n: number
  readonly charges: readonly Charge[]
}

const sold = `(select part.*, journal.at_ms from
    unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
      as part (account, n, lineage, route, queries, amount)
    join journal on journal.account = part.account and journal.n = part.n) as sold`

const sums = 'sum(sold.queries)::bigint, sum(sold.amount)::bigint'
const day = "(to_timestamp(sold.at_ms / 1000.0) at time zone 'UTC')::date"

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
  return charges.flatMap(({ accountNumber, lineage, sales }) =>
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
  const rows = await query<UsageRow>(
    `select lineage, day::text as day, route, queries, amount from key_usage
     where account = $1 and day between $2::date and $3::date order by key_usage.day, lineage, route`,
    [account, fromDay, toDay],
  )
  return rows.map(({ amount, ...rest }) => ({ ...rest, amountMicroUsd: amount }))
}
