/**
 * The proof that the books in a database balance: every total is computed again from the journal, by
 * the database itself, and compared. All of one moment, so it may run while services charge. Finds,
 * repairs nothing.
 */
import { formatUsd } from '../../money.ts'
import { openingMicroUsd } from '../account-records.ts'
import type { Audit } from '../administration.ts'
import {
  contradictionsOfHead,
  contradictionsOfKeys,
  noDigest,
  otherDigest,
} from '../chain/proof-of-digests.ts'
import { selectAccounts } from './account-rows.ts'
import type { RunStatement } from './database.ts'
import { selectKeyRecords } from './key-rows.ts'
import { rowDigestSql, rowSealSql } from './row-digest-sql.ts'

/** A question whose every row is a contradiction, and what that says. */
interface Check {
  readonly text: string
  readonly values?: readonly unknown[]
  readonly says: (row: Found) => string
}

/** What a question finds: what is written in one place, and what it should be by another. */
interface Found {
  readonly place: string
  readonly written: number
  readonly summed: number
}

const differs = (what: string) => (row: Found) =>
  `${row.place}: ${what} is ${formatUsd(row.written)} USD, its parts sum to ${formatUsd(row.summed)} USD`

/** The sums of the journal by account; accounts without rows have none. */
const sums = `with sums as (select account.id, 'account ' || account.name as place, account.credited,
    account.charged, account.free, account.row_count,
    coalesce(sum(journal.amount) filter (where kind <> 'charge'), 0)::bigint as credits,
    coalesce(sum(0 - journal.amount) filter (where kind = 'charge'), 0)::bigint as charges,
    coalesce(max(journal.n), 0) as last, coalesce(sum(journal.stands_for), 0)::bigint as entries
  from account left join journal on journal.account = account.id group by account.id)`

const checks: readonly Check[] = [
  {
    text: `${sums} select place, credited as written, credits as summed from sums where credited <> credits`,
    says: differs('credits'),
  },
  {
    text: `${sums} select place, charged as written, charges as summed from sums where charged <> charges`,
    says: differs('charges'),
  },
  {
    text: `${sums}, leased as (select account, sum(granted - spent)::bigint as unspent from lease group by account)
      select place, credits - charges as written, free + coalesce(unspent, 0) as summed
      from sums left join leased on leased.account = sums.id
      where credits - charges <> free + coalesce(unspent, 0)`,
    says: differs('the balance of its journal, against what is free and what is leased,'),
  },
  {
    text: `${sums} select place, entries as written, row_count as summed from sums
      where entries <> row_count or last <> row_count`,
    says: ({ place, written, summed }) => `${place}: ${written} rows, where ${summed} were written`,
  },
  {
    text: `select 'account ' || account || ', row ' || n as place, balance as written, summed from (
        select account, n, balance, sum(amount) over (partition by account order by n)::bigint as summed
        from journal) as rows_so_far
      where balance <> summed`,
    says: differs('balance'),
  },
  {
    text: `select 'account ' || account || ', row ' || n as place, amount as written, $1::bigint as summed
      from journal where kind = 'opening' and amount <> $1::bigint`,
    values: [openingMicroUsd],
    says: differs('opening credit'),
  },
  {
    text: `select 'account ' || account || ', row ' || n as place, 0 - amount as written, summed from (
        select account, n, amount, (select coalesce(sum((value ->> 'amountMicroUsd')::bigint), 0)::bigint
          from jsonb_each(sales)) as summed
        from journal where kind = 'charge') as charges
      where 0 - amount <> summed`,
    says: differs('charge'),
  },
  {
    text: `with sold as (select account, (at at time zone 'UTC')::date as day, key as route,
          sum((value ->> 'queries')::bigint)::bigint as queries,
          sum((value ->> 'amountMicroUsd')::bigint)::bigint as amount
        from journal, jsonb_each(sales) where kind = 'charge' group by 1, 2, 3)
      select 'account ' || coalesce(usage.account, sold.account) || ', usage of '
          || coalesce(usage.day, sold.day) || ' ' || coalesce(usage.route, sold.route) as place,
        coalesce(usage.amount, 0) as written, coalesce(sold.amount, 0) as summed
      from usage full join sold
        on usage.account = sold.account and usage.day = sold.day and usage.route = sold.route
      where usage.queries is distinct from sold.queries or usage.amount is distinct from sold.amount`,
    says: differs('what was sold'),
  },
  {
    text: `select 'session ' || lease.session || ', account ' || lease.account as place,
        lease.spent as written, coalesce(charged, 0) as summed
      from lease left join (select session, account, sum(0 - amount)::bigint as charged from journal
        where kind = 'charge' group by session, account) as charges
        on charges.session = lease.session and charges.account = lease.account
      where lease.spent <> coalesce(charged, 0)`,
    says: differs('what was spent of its lease'),
  },
  {
    text: `select 'session ' || lease.session || ', account ' || lease.account as place,
        lease.granted as written, lease.spent as summed
      from lease join session on session.id = lease.session
      where session.closed_at is not null and lease.granted <> lease.spent`,
    says: differs('the lease of a session that has ended'),
  },
]

/** Rows that are not what was written, in one pass in their order; the database keeps no digest twice. */
const rowCheck = `select 'account ' || name || ', row ' || n as place, digest is null as is_missing
  from (select r.*, account.name, case when r.digest is null then null
      when r.seal is null then r.digest = ${rowDigestSql('previous')}
      else r.seal = ${rowSealSql('previous')} end as is_right
    from (select journal.*, lag(journal.digest) over (partition by account order by n) as before
      from journal) as r
    join account on account.id = r.account
    cross join lateral (select coalesce(r.before, account.origin, '') as previous) as chain) as checked
  where is_right is not true`

/**
 * 64 MiB for each sort of the journal, as sorting on the disk took a third of the proof of 200,000 rows.
 * Not every database has this setting.
 */
const workMemory = `select set_config(name, '64MB', true) from pg_settings
  where name = 'work_mem' and setting::bigint < 65536`

/** Of each check, so many are told; one row may break many sums. */
const contradictionsMax = 100

/** Audits the whole ledger; must run in a transaction that sees one moment. */
export async function prove(query: RunStatement): Promise<Audit> {
  // A pass over the journal may take longer than a service may wait.
  await query('set local statement_timeout = 0')
  await query(workMemory)
  const [counts] = await query<{ accounts: number; rows: number; keys: number; balance: string }>(
    `select (select count(*) from account) as accounts, (select count(*) from journal) as rows,
      (select count(*) from api_key) as keys,
      (select coalesce(sum(credited - charged), 0)::text from account) as balance`,
  )
  const contradictions: string[] = []
  for (const { text, values = [], says } of checks) {
    const found = await query<Found>(`${text} limit ${contradictionsMax}`, values)
    contradictions.push(...found.map(says))
  }
  contradictions.push(...(await contradictionsOfDigests(query)))
  const { accounts, rows, keys, balance } = counts!
  const balanceMicroUsd = BigInt(balance)
  return {
    ...{ accounts, rows, keys, balanceMicroUsd },
    chainedFrom: await query<{ account: string; row: number }>(
      'select name as account, rows_before + 1 as row from account where rows_before > 0 order by id',
    ),
    holdings: undefined,
    contradictions,
  }
}

async function contradictionsOfDigests(query: RunStatement): Promise<string[]> {
  const rows = await query<{ place: string; is_missing: boolean }>(
    `${rowCheck} limit ${contradictionsMax}`,
  )
  const accounts = await selectAccounts(query)
  const lasts = await query<{ digest: string | null }>(
    `select (select digest from journal where account = account.id order by n desc limit 1) as digest
     from account order by id`,
  )
  const heads = accounts.flatMap((account, index) =>
    contradictionsOfHead(account, lasts[index]!.digest ?? account.chain!.origin).map(
      (what) => `account ${account.name}: ${what}`,
    ),
  )
  const keys = contradictionsOfKeys(accounts, await selectKeyRecords(query))
  const ofRows = rows.map(
    ({ place, is_missing }) => `${place}: ${is_missing ? noDigest : otherDigest}`,
  )
  return [...ofRows, ...heads.slice(0, contradictionsMax), ...keys.slice(0, contradictionsMax)]
}
