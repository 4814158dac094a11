/**
 * What a service and the database say to each other, each time in one transaction: what was sold, what
 * is wanted and what is given back on one side; what is leased, in absolute numbers, on the other.
 *
 * A session that was ended sells nothing any more: whoever comes too late finds it closed, and what
 * it sold since its last tick is given away. Every other tick of a session has a number, and one that
 * the database has already is answered without being done again.
 */
import { rowDigestSql } from '../chain/row-digest-sql.ts'
import type { Charge, Sales } from '../port.ts'
import { noteChange } from '../postgres/account-rows.ts'
import type { Database, Query } from '../postgres/database.ts'
import { grantOf, sessionMs, settleMs, type Want } from './lease-policy.ts'

/** One tick of a session. */
export interface Tick {
  readonly session: string
  /** Counts up within a session, beyond the windows that are in it. */
  readonly number: number
  /** At most one for each account. */
  readonly charges: readonly Charge[]
  /** At most one for each account. */
  readonly wants: readonly Want[]
  /** By account: what the service does not sell any more. */
  readonly gives: ReadonlyMap<number, number>
}

/** What the database has of an account, and what of it is this session's. */
export interface Lease {
  readonly accountNumber: number
  /** Sums since the session was opened. */
  readonly grantedMicroUsd: number
  readonly spentMicroUsd: number
  /** All that the account has: what is free and what is leased. */
  readonly balanceMicroUsd: number
}

/** What is sold on a route, of one account in one tick. */
interface Entry {
  readonly accountNumber: number
  readonly sales: Sales | undefined
  readonly queries: number
  readonly costMicroUsd: number
  readonly given: number
  readonly want: Want | undefined
}

interface AccountState {
  readonly id: number
  readonly free: number
  readonly balance: number
  readonly row_count: number
  readonly digest: string
}

const lives = `clock_timestamp() + interval '${sessionMs} milliseconds'`

/** Opens a session. */
export async function openLeases(database: Database, session: string, node: string): Promise<void> {
  await database.query(
    `insert into session (id, node, opened_at, expires_at, closed_at, last_batch)
     values ($1, $2, clock_timestamp(), ${lives}, null, 0) on conflict (id) do nothing`,
    [session, node],
  )
}

/** How far a session has come. */
export interface Standing {
  /** The number of the last tick that the database has. */
  readonly last: number
  /** Whether it was ended, so that nothing later is charged. */
  readonly isClosed: boolean
}

/** Of a session that is not there, nothing was told. */
export async function standingOf(query: Query, session: string, lock = ''): Promise<Standing> {
  const [row] = await query<{ last_batch: number; closed_at: Date | null }>(
    `select last_batch, closed_at from session where id = $1 ${lock}`,
    [session],
  )
  return { last: row?.last_batch ?? 0, isClosed: row === undefined || row.closed_at !== null }
}

/**
 * The number of the last tick of a session that charged one of these accounts, as the journal has it, which
 * outlives the session; 0 for none.
 */
export async function lastChargeOf(
  query: Query,
  session: string,
  accountNumbers: readonly number[],
): Promise<number> {
  const [row] = await query<{ last: number }>(
    `select coalesce(max(batch), 0) as last from journal
     where session = $1 and account = any($2::integer[])`,
    [session, accountNumbers],
  )
  return row!.last
}

/** What became of a tick: the leases of its accounts as they are now, or why there are none. */
export type Reply =
  | { readonly leases: readonly Lease[]; readonly closed?: never }
  | { readonly closed: Standing; readonly leases?: never }

/**
 * Carries out a tick, and lets the session live on.
 * @throws Refusal `ledger-refused`; then it may have been carried out all the same, and is to be sent
 * again as it was.
 */
export function carryOut(database: Database, tick: Tick): Promise<Reply> {
  const entries = entriesOf(tick)
  return database.transaction(async (query) => {
    const standing = await standingOf(query, tick.session, 'for update')
    if (standing.isClosed) return { closed: standing }
    if (standing.last < tick.number) await change(query, tick, entries)
    await query(
      `update session set last_batch = greatest(last_batch, $2), expires_at = ${lives} where id = $1`,
      [tick.session, tick.number],
    )
    return { leases: await leasesOf(query, tick.session, numbersOf(entries)) }
  })
}

/** By account, in the order in which they are locked. */
function entriesOf({ charges, wants, gives }: Tick): Entry[] {
  const sold = new Map(charges.map((charge) => [charge.accountNumber, charge.sales]))
  const wanted = new Map(wants.map((want) => [want.accountNumber, want]))
  const numbers = new Set([...sold.keys(), ...wanted.keys(), ...gives.keys()])
  return [...numbers]
    .sort((a, b) => a - b)
    .map((accountNumber) => {
      const sales = sold.get(accountNumber)
      const given = gives.get(accountNumber) ?? 0
      return { accountNumber, sales, ...sumOf(sales), given, want: wanted.get(accountNumber) }
    })
}

/** What all routes come to. */
export function sumOf(sales: Sales | undefined): { queries: number; costMicroUsd: number } {
  const all = Object.values(sales ?? {})
  return {
    queries: all.reduce((sum, sale) => sum + sale.queries, 0),
    costMicroUsd: all.reduce((sum, sale) => sum + sale.amountMicroUsd, 0),
  }
}

function numbersOf(entries: readonly Entry[]): number[] {
  return entries.map(({ accountNumber }) => accountNumber)
}

async function change(query: Query, tick: Tick, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const states = await lockAccounts(query, numbersOf(entries))
  const grants = entries.map((entry) => {
    const { free } = states.get(entry.accountNumber)!
    return entry.want === undefined ? 0 : grantOf(free + entry.given, entry.want)
  })
  await changeLeases(query, tick.session, entries, grants)
  await writeCharges(query, tick, entries, states)
  await changeAccounts(query, entries, grants)
  await recall(query, entries, grants, states)
}

/** @throws Error when one is not there, which is a bug or damage. */
async function lockAccounts(
  query: Query,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, AccountState>> {
  const rows = await query<AccountState>(
    `select id, free, credited - charged as balance, row_count, digest from account
     where id = any($1::integer[]) order by id for update`,
    [numbers],
  )
  if (rows.length !== numbers.length) throw new Error('there is no account of such a number')
  return new Map(rows.map((row) => [row.id, row]))
}

/** In two steps, because a row that is inserted has to hold by itself. */
async function changeLeases(
  query: Query,
  session: string,
  entries: readonly Entry[],
  grants: readonly number[],
): Promise<void> {
  const numbers = numbersOf(entries)
  await query(
    `insert into lease (session, account, granted, spent)
     select $1::uuid, account, 0, 0 from unnest($2::integer[]) as account
     on conflict (session, account) do nothing`,
    [session, numbers],
  )
  const changed = await query(
    `update lease set granted = lease.granted + moved.granted, spent = lease.spent + moved.spent
     from unnest($2::integer[], $3::bigint[], $4::bigint[]) as moved (account, granted, spent)
     where lease.session = $1 and lease.account = moved.account returning lease.account`,
    [
      session,
      numbers,
      entries.map(({ given }, index) => grants[index]! - given),
      entries.map(({ costMicroUsd }) => costMicroUsd),
    ],
  )
  if (changed.length !== entries.length) throw new Error('a lease was not changed')
}

async function writeCharges(
  query: Query,
  { session, number }: Tick,
  entries: readonly Entry[],
  states: ReadonlyMap<number, AccountState>,
): Promise<void> {
  const sold = entries.filter(({ sales }) => sales !== undefined)
  if (sold.length === 0) return
  const stateOf = ({ accountNumber }: Entry) => states.get(accountNumber)!
  await query(
    `insert into journal (account, n, at, kind, amount, balance, sales, session, batch, digest)
     select account, n, at, kind, amount, balance, sales, session, batch, ${rowDigestSql('r.previous')}
     from (select account, n, clock_timestamp() as at, 'charge' as kind, 0 - cost as amount, balance,
         null::text as reference, null::text as reason, sales::jsonb as sales, $1::uuid as session,
         $2::bigint as batch, 1::bigint as stands_for, previous
       from unnest($3::integer[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
         as sold (account, n, cost, balance, sales, previous)) as r`,
    [
      session,
      number,
      numbersOf(sold),
      sold.map((entry) => stateOf(entry).row_count + 1),
      sold.map(({ costMicroUsd }) => costMicroUsd),
      sold.map((entry) => stateOf(entry).balance - entry.costMicroUsd),
      sold.map(({ sales }) => JSON.stringify(sales)),
      sold.map((entry) => stateOf(entry).digest),
    ],
  )
  await addUsage(query, sold)
}

async function addUsage(query: Query, sold: readonly Entry[]): Promise<void> {
  const rows = sold.flatMap(({ accountNumber, sales }) =>
    Object.entries(sales!).map(([route, sale]) => ({ accountNumber, route, ...sale })),
  )
  await query(
    `insert into usage (account, day, route, queries, amount)
     select account, (clock_timestamp() at time zone 'UTC')::date, route, queries, amount
     from unnest($1::integer[], $2::text[], $3::bigint[], $4::bigint[])
       as sold (account, route, queries, amount)
     on conflict (account, day, route) do update
     set queries = usage.queries + excluded.queries, amount = usage.amount + excluded.amount`,
    [
      rows.map(({ accountNumber }) => accountNumber),
      rows.map(({ route }) => route),
      rows.map(({ queries }) => queries),
      rows.map(({ amountMicroUsd }) => amountMicroUsd),
    ],
  )
}

/** After the charges, whose rows have the digests that follow those of their accounts. */
async function changeAccounts(
  query: Query,
  entries: readonly Entry[],
  grants: readonly number[],
): Promise<void> {
  await query(
    `update account set free = free + moved.freed, charged = charged + moved.cost,
       row_count = row_count + moved.written,
       digest = coalesce((select digest from journal where journal.account = moved.account
         and n = account.row_count + 1 and moved.written = 1), account.digest)
     from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[])
       as moved (account, freed, cost, written)
     where account.id = moved.account`,
    [
      numbersOf(entries),
      entries.map(({ given }, index) => given - grants[index]!),
      entries.map(({ costMicroUsd }) => costMicroUsd),
      entries.map(({ sales }) => (sales === undefined ? 0 : 1)),
    ],
  )
}

/** Has others give back what is needed here, where what they hold would be enough. */
async function recall(
  query: Query,
  entries: readonly Entry[],
  grants: readonly number[],
  states: ReadonlyMap<number, AccountState>,
): Promise<void> {
  const missing = entries.filter(({ accountNumber, costMicroUsd, want }, index) => {
    const needed = want?.neededMicroUsd ?? 0
    const { balance } = states.get(accountNumber)!
    return want?.recalls === true && grants[index]! < needed && balance - costMicroUsd >= needed
  })
  if (missing.length === 0) return
  const n = await noteChange(query, 'accounts')
  await query('update account set changed = $1, recalled = $1 where id = any($2::integer[])', [
    n,
    numbersOf(missing),
  ])
}

async function leasesOf(
  query: Query,
  session: string,
  numbers: readonly number[],
): Promise<readonly Lease[]> {
  if (numbers.length === 0) return []
  const rows = await query<{ account: number; granted: number; spent: number; balance: number }>(
    `select lease.account, lease.granted, lease.spent, account.credited - account.charged as balance
     from lease join account on account.id = lease.account
     where lease.session = $1 and lease.account = any($2::integer[])`,
    [session, numbers],
  )
  return rows.map(({ account, granted, spent, balance }) => ({
    accountNumber: account,
    grantedMicroUsd: granted,
    spentMicroUsd: spent,
    balanceMicroUsd: balance,
  }))
}

/** Ends a session of one's own: what it did not sell is free again. */
export function closeLeases(database: Database, session: string): Promise<boolean> {
  return database.transaction((query) => close(query, session, ''))
}

/**
 * Ends the sessions of services that have not been heard of for long; any service may.
 * @returns how many there were.
 */
export async function reap(database: Database): Promise<number> {
  const overdue = `and expires_at < clock_timestamp() - interval '${settleMs} milliseconds'`
  const dead = await database.query<{ id: string }>(
    `select id from session where closed_at is null ${overdue}`,
  )
  let ended = 0
  for (const { id } of dead) {
    if (await database.transaction((query) => close(query, id, overdue))) ended += 1
  }
  return ended
}

async function close(query: Query, session: string, condition: string): Promise<boolean> {
  const closed = await query(
    `update session set closed_at = clock_timestamp()
     where id = $1 and closed_at is null ${condition} returning id`,
    [session],
  )
  if (closed.length === 0) return false
  await query(
    `select id from account where id in (select account from lease where session = $1 and granted > spent)
     order by id for update`,
    [session],
  )
  await query(
    `update account set free = free + lease.granted - lease.spent from lease
     where lease.session = $1 and lease.account = account.id and lease.granted > lease.spent`,
    [session],
  )
  await query('update lease set granted = spent where session = $1 and granted > spent', [session])
  return true
}

/** What was sold and is not charged, because it came too late. */
export interface Gift extends Charge {
  /** Of the window. */
  readonly number: number
}

/** Writes down what was given away, once. */
export async function noteGifts(
  database: Database,
  session: string,
  gifts: readonly Gift[],
): Promise<void> {
  if (gifts.length === 0) return
  const sums = gifts.map(({ sales }) => sumOf(sales))
  await database.query(
    `insert into given_away (session, batch, account, at, queries, amount)
     select $1::uuid, batch, account, clock_timestamp(), queries, amount
     from unnest($2::bigint[], $3::integer[], $4::bigint[], $5::bigint[])
       as gift (batch, account, queries, amount)
     on conflict (session, batch, account) do nothing`,
    [
      session,
      gifts.map(({ number }) => number),
      gifts.map(({ accountNumber }) => accountNumber),
      sums.map(({ queries }) => queries),
      sums.map(({ costMicroUsd }) => costMicroUsd),
    ],
  )
}
