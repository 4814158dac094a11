/**
 * Usage: by account, day and route, and by key, day and route. Both are written with
 * the row of the journal that they are a part of, and are of its day.
 */
import { dayName, dayNumber } from '../../account-records.ts'
import type { KeyUsage, UsageRange } from '../../administration.ts'
import type { Charge } from '../../port.ts'
import type { RunStatement } from '../../sql/port.ts'

const sold = `rows($2 as account integer, key_id text, route text, queries bigint, amount bigint)
    as sold`

const sums = 'cast(sum(sold.queries) as bigint), cast(sum(sold.amount) as bigint)'

/** Adds what was sold at a time, in one flight, in the transaction of its rows of the journal. */
export async function addUsage(
  query: RunStatement,
  charges: readonly Charge[],
  atMs: number,
): Promise<void> {
  const values = [dayNumber(atMs), charges.flatMap(partsOf)]
  await Promise.all([
    query(adding('usage', 'account, route'), values),
    query(adding('key_usage', 'account, key_id, route'), values),
  ])
}

function adding(table: string, key: string): string {
  return `insert into ${table} (day, ${key}, queries, amount)
    select $1, ${key}, ${sums} from ${sold} group by ${key}
    on conflict (day, ${key}) do update
    set queries = ${table}.queries + excluded.queries, amount = ${table}.amount + excluded.amount`
}

/** Sales on each route. */
function partsOf({ accountNumber, keyId, sales }: Charge) {
  return Object.entries(sales).map(([route, { queries, amountMicroUsd }]) => {
    return [accountNumber, keyId, route, queries, amountMicroUsd]
  })
}

/** A row of usage as it is read. */
interface UsageRow {
  readonly keyId: string
  readonly day: number
  readonly route: string
  readonly queries: number
  readonly amount: number
}

/** Sales to an account by day, key and route, in that order. */
export async function selectKeyUsage(
  query: RunStatement,
  account: number,
  { fromDay, toDay }: UsageRange,
): Promise<KeyUsage[]> {
  const rows = await query<UsageRow>(
    `select key_id as "keyId", day, route, queries, amount from key_usage
     where account = $1 and day between $2 and $3 order by day, key_id, route`,
    [account, dayNumber(Date.parse(fromDay)), dayNumber(Date.parse(toDay))],
  )
  return rows.map(({ day, amount, ...rest }) => {
    return { ...rest, day: dayName(day), amountMicroUsd: amount }
  })
}
