/**
 * Usage by tag in a database: sales to an account under each tag, by day and route. Written with the row of the
 * journal that it is a part of, whose sales hold the same parts. Sales without a tag are the rest of the usage of the
 * account. Nodes learn the tags of an account from each other, so that all of them together take a hundred.
 */
import type { DayRange, TagUsage } from '../../administration.ts'
import type { AccountTag } from '../../port.ts'
import { untaggedOf } from '../../sales.ts'
import type { Database, RunStatement } from '../database.ts'

/** The tables. A tag has a number, so that nodes read those that are new. */
export const tagTables = [
  `create table account_tag (
    account integer not null references account,
    tag text not null,
    n bigint generated always as identity unique,
    primary key (account, tag))`,
  `create table tag_usage (
    account integer not null references account,
    day date not null,
    tag text not null,
    route text not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (account, day, tag, route))`,
]

/** Sales on one route: a part of the row `n` of the journal of its account. */
export interface SoldPart {
  readonly accountNumber: number
  readonly n: number
  readonly lineage: string
  readonly route: string
  readonly queries: number
  readonly amountMicroUsd: number
  readonly tag: string | undefined
}

/** Adds what was sold under tags; behind the rows of the journal, in their transaction. */
export async function addTagUsage(query: RunStatement, parts: readonly SoldPart[]): Promise<void> {
  const tagged = parts.filter(({ tag }) => tag !== undefined)
  if (tagged.length === 0) return
  const names = [tagged.map(({ accountNumber }) => accountNumber), tagged.map(({ tag }) => tag)]
  await Promise.all([
    query(
      `insert into account_tag (account, tag)
       select distinct account, tag from unnest($1::integer[], $2::text[]) as used (account, tag)
       where not exists (select from account_tag as known
         where known.account = used.account and known.tag = used.tag)
       on conflict do nothing`,
      names,
    ),
    query(
      `insert into tag_usage (account, day, tag, route, queries, amount)
       select sold.account, (journal.at at time zone 'UTC')::date, sold.tag, sold.route,
         sum(sold.queries)::bigint, sum(sold.amount)::bigint
       from unnest($1::integer[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
         as sold (account, tag, n, route, queries, amount)
         join journal on journal.account = sold.account and journal.n = sold.n
       group by 1, 2, 3, 4
       on conflict (account, day, tag, route) do update
       set queries = tag_usage.queries + excluded.queries, amount = tag_usage.amount + excluded.amount`,
      [
        ...names,
        tagged.map(({ n }) => n),
        tagged.map(({ route }) => route),
        tagged.map(({ queries }) => queries),
        tagged.map(({ amountMicroUsd }) => amountMicroUsd),
      ],
    ),
  ])
}

/** A sum as it is read. */
interface UsageRow {
  readonly day: string
  readonly tag: string
  readonly route: string
  readonly queries: number
  readonly amount: number
}

/** Sales to an account by day, tag and route, from one day to another; without a tag under ''. */
export async function selectTagUsage(
  query: RunStatement,
  account: number,
  { fromDay, toDay }: DayRange,
): Promise<TagUsage[]> {
  const values = [account, fromDay, toDay]
  const within = 'account = $1 and day between $2::date and $3::date'
  const tagged = await query<UsageRow>(
    `select day::text as day, tag, route, queries, amount from tag_usage where ${within}`,
    values,
  )
  const all = await query<UsageRow>(
    `select day::text as day, '' as tag, route, queries, amount from usage where ${within}`,
    values,
  )
  return untaggedOf(all.map(usageOf), tagged.map(usageOf))
}

function usageOf({ amount, ...rest }: UsageRow): TagUsage {
  return { ...rest, amountMicroUsd: amount }
}

const journalByTag = `select account, (at at time zone 'UTC')::date as day, part ->> 'tag' as tag, sale.key as route,
    sum((part ->> 'queries')::bigint)::bigint as queries,
    sum((part ->> 'amountMicroUsd')::bigint)::bigint as amount
  from journal, jsonb_each(sales) as sale, jsonb_array_elements(sale.value -> 'tags') as part
  where kind = 'charge' and sale.value ? 'tags' group by 1, 2, 3, 4`

/** Usage by tag that differs from the journal: where, what is written and what the journal sums to. */
export const usageByTagText = `select 'account ' || coalesce(tags.account, sold.account) || ', usage by tag of '
    || coalesce(tags.day, sold.day) || ' ' || coalesce(tags.tag, sold.tag) || ' '
    || coalesce(tags.route, sold.route) as place,
    coalesce(tags.amount, 0) as written, coalesce(sold.amount, 0) as summed
  from tag_usage as tags full join (${journalByTag}) as sold
    on tags.account = sold.account and tags.day = sold.day and tags.tag = sold.tag
      and tags.route = sold.route
  where tags.queries is distinct from sold.queries or tags.amount is distinct from sold.amount`

/** Usage by tag that is more than all usage. */
export const usageOverText = `select 'account ' || tags.account || ', usage by tag of ' || tags.day || ' '
    || tags.route as place, tags.amount as written, coalesce(usage.amount, 0) as summed
  from (select account, day, route, sum(queries)::bigint as queries, sum(amount)::bigint as amount
      from tag_usage group by 1, 2, 3) as tags
    left join usage on usage.account = tags.account and usage.day = tags.day
      and usage.route = tags.route
  where usage.account is null or tags.queries > usage.queries or tags.amount > usage.amount`

/** Reads the tags that accounts have come to use. */
export class TagFollower {
  readonly #database: Database
  #connectionsSeen = 0
  #seen = 0
  #waiting: AccountTag[] = []

  constructor(database: Database) {
    this.#database = database
  }

  /** Takes the tags found since the last call; tags of accounts that are not known wait. */
  take(isKnown: (accountNumber: number) => boolean): readonly AccountTag[] {
    const isTaken = ({ accountNumber }: AccountTag) => isKnown(accountNumber)
    const taken = this.#waiting.filter(isTaken)
    if (taken.length > 0) this.#waiting = this.#waiting.filter((each) => !isTaken(each))
    return taken
  }

  /**
   * Reads what is new; everything at the first look of a connection.
   * @param accounts whose tags; those of all accounts where it is absent.
   * @throws Refusal `ledger-refused`.
   */
  async look(accounts?: readonly number[]): Promise<void> {
    const { connections } = this.#database
    if (this.#connectionsSeen !== connections) this.#seen = 0
    this.#connectionsSeen = connections
    const [last] = await this.#database.query<{ n: number }>(
      'select coalesce(max(n), 0) as n from account_tag',
    )
    if (last!.n > this.#seen) await this.#read(accounts, this.#seen)
    this.#seen = last!.n
  }

  /** Reads the tags of accounts whose tags were not read so far. @throws Refusal `ledger-refused`. */
  async lookAt(accounts: readonly number[]): Promise<void> {
    if (accounts.length > 0) await this.#read(accounts, 0)
  }

  async #read(accounts: readonly number[] | undefined, after: number): Promise<void> {
    const whose = accounts === undefined ? '' : 'and account = any($2::integer[])'
    const found = await this.#database.query<AccountTag>(
      `select account as "accountNumber", tag from account_tag where n > $1 ${whose} order by n`,
      accounts === undefined ? [after] : [after, accounts],
    )
    this.#waiting.push(...found)
  }
}
