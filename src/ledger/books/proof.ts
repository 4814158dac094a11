/**
 * The proof that the books balance: every total is computed again from the journal, by the database itself, and
 * compared. All of one moment, so it may run while services charge. Finds,
 * repairs nothing.
 */
import { formatUsd } from '../../money.ts'
import { dayName } from '../account-records.ts'
import type { Audit } from '../administration.ts'
import type { RunStatement } from '../sql/port.ts'
import { contradictionsOfCaps } from './caps/proof-of-caps.ts'
import { selectKeyRecords } from './key-rows.ts'
import { proveHoldings } from './proof-of-holdings.ts'
import { contradictionsOfTrailRows } from './trail/proof-rows.ts'
import { usageByKeyText } from './usage/proof-of-usage.ts'

/** A question whose every row is a contradiction, and what that says. */
interface Check {
  /** Query for `place`, and for `written` and `summed` if the check compares amounts or counts, and `day` and `route` if of sales. */
  readonly text: string
  readonly says: (row: Found) => string
}

/** Checks that one pass over the journal answers. */
interface Pass {
  /** The common table expressions that the checks share; undefined without any. */
  readonly shared?: string
  readonly checks: readonly Check[]
}

/** A row that a check finds: the value written in one place, and the value that it should be by another. */
interface Found {
  readonly place: string
  /** Where it is of sales: their day and route. */
  readonly day?: number
  readonly route?: string
  readonly written: number
  readonly summed: number
}

const differs = (what: string) => (row: Found) =>
  `${row.place}: ${what} is ${formatUsd(row.written)} USD, its parts sum to ${formatUsd(row.summed)} USD`

const differsOnDay = (what: string) => (row: Found) =>
  differs(what)({ ...row, place: `${row.place} ${dayName(row.day!)} ${row.route}` })

/** The totals of accounts; accounts without rows have sums of zero. */
const totals: Pass = {
  shared: `sums as (select account.id, 'account ' || account.name as place, account.credited,
      account.charged, account.free, account.row_count,
      cast(coalesce(sum(journal.amount) filter (where kind <> 'charge'), 0) as bigint) as credits,
      cast(coalesce(sum(0 - journal.amount) filter (where kind = 'charge'), 0) as bigint) as charges,
      coalesce(max(journal.n), 0) as last,
      cast(coalesce(sum(journal.stands_for), 0) as bigint) as entries
    from account left join journal on journal.account = account.id group by account.id),
    leased as (select account, cast(sum(granted - spent) as bigint) as unspent
      from lease group by account)`,
  checks: [
    {
      text: 'select place, credited as written, credits as summed from sums where credited <> credits',
      says: differs('credits'),
    },
    {
      text: 'select place, charged as written, charges as summed from sums where charged <> charges',
      says: differs('charges'),
    },
    {
      text: `select place, credits - charges as written, free + coalesce(unspent, 0) as summed
        from sums left join leased on leased.account = sums.id
        where credits - charges <> free + coalesce(unspent, 0)`,
      says: differs('the balance of its journal, against what is free and what is leased,'),
    },
    {
      text: `select place, entries as written, row_count as summed from sums
        where entries <> row_count or last <> row_count`,
      says: ({ place, written, summed }) =>
        `${place}: ${written} rows, where ${summed} were written`,
    },
  ],
}

/** Each row in its order: the balance after it. */
const rowsInOrder: Pass = {
  checks: [
    {
      text: `select 'account ' || account || ', row ' || n as place, balance as written, summed
        from (select account, n, balance,
          cast(sum(amount) over (partition by account order by n) as bigint) as summed
          from journal) as rows_so_far
        where balance <> summed`,
      says: differs('balance'),
    },
  ],
}

/** The parts of each charge. A pass of its own, which the database may divide among its workers. */
const charges: Pass = {
  checks: [
    {
      text: `select 'account ' || account || ', row ' || n as place, 0 - amount as written, summed from (
          select account, n, amount,
            (select cast(coalesce(sum(cast(value ->> 'amountMicroUsd' as bigint)), 0) as bigint)
              from each_of(sales)) as summed
          from journal where kind = 'charge') as charges
        where 0 - amount <> summed`,
      says: differs('charge'),
    },
  ],
}

/** Sales by day and route; a pass of its own, too. */
const usage: Pass = {
  checks: [
    {
      text: `select 'account ' || coalesce(usage.account, sold.account) || ', usage of' as place,
        coalesce(usage.day, sold.day) as day, coalesce(usage.route, sold.route) as route,
        coalesce(usage.amount, 0) as written, coalesce(sold.amount, 0) as summed
        from usage full join (select account, at_ms / 86400000 as day, key as route,
            cast(sum(cast(value ->> 'queries' as bigint)) as bigint) as queries,
            cast(sum(cast(value ->> 'amountMicroUsd' as bigint)) as bigint) as amount
          from journal, each_of(sales) where kind = 'charge' group by 1, 2, 3) as sold
          on usage.account = sold.account and usage.day = sold.day and usage.route = sold.route
        where usage.queries is distinct from sold.queries or usage.amount is distinct from sold.amount`,
      says: differsOnDay('what was sold'),
    },
    { text: usageByKeyText, says: differsOnDay('what was sold by key') },
  ],
}

/** Checks that need few rows of the journal, or none of it. */
const others: Pass = {
  shared: `charges as (select session, account, cast(sum(0 - amount) as bigint) as charged from journal
    where kind = 'charge' group by session, account)`,
  checks: [
    {
      text: `select 'session ' || lease.session || ', account ' || lease.account as place,
        lease.spent as written, coalesce(charged, 0) as summed
        from lease left join charges
          on charges.session = lease.session and charges.account = lease.account
        where lease.spent <> coalesce(charged, 0)`,
      says: differs('what was spent of its lease'),
    },
    {
      text: `select 'session ' || lease.session || ', account ' || lease.account as place,
        lease.granted as written, lease.spent as summed
        from lease join session on session.id = lease.session
        where session.closed_ms is not null and lease.granted <> lease.spent`,
      says: differs('the lease of a session that has ended'),
    },
    {
      text: `select 'key ' || id as place, 1 as written, count(hash) as summed
        from api_key left join key_secret on key_secret.key_id = api_key.id and ends_ms is null
        group by id having count(hash) <> 1`,
      says: ({ place, summed }) => `${place} has ${summed} secrets without an end, and not one`,
    },
  ],
}

/** Maximum number of contradictions a check reports; one row may break many sums. */
const contradictionsMax = 100

/** Audits the whole ledger; must run in a transaction that sees one moment. */
export async function prove(query: RunStatement): Promise<Audit> {
  const [counts] = await query<{ accounts: number; rows: number; keys: number; balance: string }>(
    `select (select count(*) from account) as accounts, (select count(*) from journal) as rows,
      (select count(*) from api_key) as keys,
      (select cast(coalesce(sum(credited - charged), 0) as text) from account) as balance`,
  )
  const contradictions: string[] = []
  for (const pass of [totals, rowsInOrder, charges, usage, others]) {
    contradictions.push(...(await contradictionsOf(query, pass)))
  }
  const records = await selectKeyRecords(query)
  contradictions.push(...(await contradictionsOfCaps(query, records)).slice(0, contradictionsMax))
  contradictions.push(...(await contradictionsOfTrailRows(query)).slice(0, contradictionsMax))
  const held = await proveHoldings(query)
  contradictions.push(...held.contradictions)
  const { accounts, rows, keys, balance } = counts!
  const balanceMicroUsd = BigInt(balance)
  return {
    ...{ accounts, rows, keys, balanceMicroUsd },
    holdings: held.holdings,
    contradictions,
  }
}

/** Contradictions that the checks of a pass find; a maximum of each, because one row may break many sums. */
async function contradictionsOf(query: RunStatement, { shared, checks }: Pass): Promise<string[]> {
  const texts = checks.map(
    ({ text }, index) =>
      `select * from (select ${index} as nth, found.* from (${text}) as found
        limit ${contradictionsMax}) as found`,
  )
  const before = shared === undefined ? '' : `with ${shared} `
  const found = await query<Found & { readonly nth: number }>(before + texts.join(' union all '))
  return found.map((row) => checks[row.nth]!.says(row))
}
