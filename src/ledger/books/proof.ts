/**
 * The proof that the books balance: the database computes every total again from credits and
 * charges. All of one moment, so it may run while services charge. Finds, repairs nothing.
 */
import { capPeriods, formatUsd } from '../../money.ts'
import type { RunStatement } from '../sql/port.ts'
import { dayName } from './account-records.ts'
import { contradictionsOfAdminKeys } from './admin-key-rows.ts'
import { spentSql } from './caps/cap-rows.ts'
import { periodName } from './caps/spending-periods.ts'

export interface Audit {
  readonly accounts: number
  readonly rows: number
  readonly keys: number
  /** Sum over all accounts, which may be more than a double holds exactly. */
  readonly balanceMicroUsd: bigint
  readonly contradictions: readonly string[]
}

/** Rows that contradict, and what is said of one: its columns stand in braces, in USD where that stands with them. */
type Check = readonly [text: string, says: string]

type Found = Readonly<Record<string, number | string>>

/** Of accounts; and of keys that have, or had, a cap, with the name of the period in which each day is. */
const parts = `credits as (select account, cast(sum(amount) as bigint) as amount, count(*) as rows, max(n) as last
    from credit group by account),
  charges as (select account, cast(sum(amount) as bigint) as amount from charge group by account),
  leased as (select account, cast(sum(granted - spent) as bigint) as unspent, cast(sum(spent) as bigint) as spent
    from lease where key_id = '' group by account),
  sums as (select 'account ' || name as place, credited, charged, free, credit_count,
      coalesce(credits.amount, 0) as credits, coalesce(charges.amount, 0) as charges,
      coalesce(credits.rows, 0) as rows, coalesce(last, 0) as last,
      coalesce(unspent, 0) as unspent, coalesce(leased.spent, 0) as spent
    from account left join credits on credits.account = account.id
      left join charges on charges.account = account.id
      left join leased on leased.account = account.id),
  span as (select day, period, name from rows($1 as day bigint, period text, name text) as given),
  sales as (select key_id, day, sum(amount) as amount from charge
    where key_id in (select key_id from key_cap) group by key_id, day),
  caps as (select 'key ' || key_id as place, name as span, key_cap.*, ${spentSql} +
      (select coalesce(sum(granted - lease.spent), 0) from lease where lease.key_id = key_cap.key_id) as used
    from key_cap join span on span.day = from_day and span.period = key_cap.period)`

const checks: readonly Check[] = [
  [
    'select place, credited as written, credits as summed from sums where credited <> credits',
    '{place}: credits is {written USD}, its parts sum to {summed USD}',
  ],
  [
    'select place, charged as written, charges as summed from sums where charged <> charges',
    '{place}: charges is {written USD}, its parts sum to {summed USD}',
  ],
  [
    `select place, credits - charges as written, free + unspent as summed from sums
      where credits - charges <> free + unspent`,
    '{place}: the balance of its journal, against what is free and what is leased, is {written USD}, its parts sum to {summed USD}',
  ],
  [
    `select place, rows as written, credit_count as summed from sums
      where rows <> credit_count or last <> credit_count`,
    '{place}: {written} credits, where {summed} were written',
  ],
  [
    'select place, spent as written, charges as summed from sums where spent > charges',
    '{place}: {written USD} were spent of its leases, and {summed USD} are charged',
  ],
  [
    `select 'session ' || lease.session || ', account ' || lease.account as place,
      lease.granted as written, lease.spent as summed
      from lease join session on session.id = lease.session where session.closed_ms is not null`,
    '{place}: a session that has ended has a lease',
  ],
  [
    `select 'key ' || id as place, 1 as written, count(hash) as summed
      from api_key left join key_secret on key_secret.key_id = api_key.id and ends_ms is null
      group by id having count(hash) <> 1`,
    '{place} has {summed} secrets without an end, and not one',
  ],
  [
    `select 'audit log' as place, n - 1 as written, n as summed from audit_entry as entry
      where n > 1 and not exists (select 1 from audit_entry as earlier where earlier.n = entry.n - 1)`,
    '{place}: entry {written} is not there, and entry {summed} is',
  ],
  [
    `select 'audit log' as place, n as written, last as summed
      from audit_head cross join (select coalesce(max(n), 0) as last from audit_entry) as entries where n <> last`,
    '{place}: entry {written} was written last, and entry {summed} is the last that is there',
  ],
]

const checksOfCaps: readonly Check[] = [
  [
    `select place, caps.spent as written, cast(coalesce(sum(sales.amount), 0) as bigint) as summed, span
      from caps left join sales on sales.key_id = caps.key_id and day >= from_day and day < until_day
      group by place, caps.spent, span having caps.spent <> coalesce(sum(sales.amount), 0)`,
    '{place} has spent {written USD} of {span}, its usage sums to {summed USD}',
  ],
  [
    `select caps.place, caps.amount as written, cast(sum(sales.amount) as bigint) as summed, span.name as span
      from caps join sales on sales.key_id = caps.key_id and sales.day >= held_day
        join span on span.day = sales.day and span.period = caps.period
      group by caps.place, caps.amount, span.name having sum(sales.amount) > caps.amount`,
    '{place} has spent {summed USD} of {span}, above its cap of {written USD}',
  ],
  // One that was lowered may have more, until services have given it back.
  [
    `select place, amount as written, cast(used as bigint) as summed, span
      from caps where used > amount and from_day >= held_day`,
    '{place}: {summed USD} of {span} are spent or leased, above its cap of {written USD}',
  ],
]

const allChecks = checks
  .map(([text, says]): Check => [`select found.*, '' as span from (${text}) as found`, says])
  .concat(checksOfCaps)

/** Maximum number of contradictions a check reports; one row may break many sums. */
const contradictionsMax = 100

/** Audits the whole ledger; must run in a transaction that sees one moment. */
export async function prove(query: RunStatement): Promise<Audit> {
  const [counts] = await query<{ accounts: number; rows: number; keys: number; balance: string }>(
    `select (select count(*) from account) as accounts, (select count(*) from credit) + (select count(*) from charge) as rows,
      (select count(*) from api_key) as keys,
      (select cast(coalesce(sum(credited - charged), 0) as text) from account) as balance`,
  )
  const contradictions = [
    ...(await contradictionsOf(query)),
    ...(await contradictionsOfAdminKeys(query)).slice(0, contradictionsMax),
  ]
  const { accounts, rows, keys, balance } = counts!
  return { accounts, rows, keys, balanceMicroUsd: BigInt(balance), contradictions }
}

/** The name of every period in which something was sold under a cap, by day. */
async function spansOf(query: RunStatement) {
  const days = await query<{ day: number }>(
    `select day from charge where key_id in (select key_id from key_cap)
     union select from_day from key_cap`,
  )
  return days.flatMap(({ day }) => {
    const atMs = Date.parse(dayName(day))
    return capPeriods.map((period) => [day, period, periodName(period, atMs)])
  })
}

async function contradictionsOf(query: RunStatement): Promise<string[]> {
  const texts = allChecks.map(
    ([text], index) =>
      `select * from (select ${index} as nth, found.* from (${text}) as found
        limit ${contradictionsMax}) as found`,
  )
  const found = await query<Found & { readonly nth: number }>(
    `with ${parts} ${texts.join(' union all ')}`,
    [await spansOf(query)],
  )
  return found.map((row) =>
    allChecks[row.nth]![1].replace(/\{(\w+)( USD)?\}/g, (_, column: string, unit?: string) =>
      unit === undefined ? String(row[column]) : `${formatUsd(Number(row[column]))} USD`,
    ),
  )
}
