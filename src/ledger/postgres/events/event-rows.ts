/**
 * Writes the events of webhooks to a database, in the transaction that caused them. The account of an event
 * is locked until the transaction ends, so the events of one account are numbered in their order. Without
 * endpoints nothing is written.
 */
import {
  type AddressedEvent,
  addressedTo,
  alertBelowOf,
  balanceEvents,
  droppedMark,
  needsLastTopUp,
  outgoingEvent,
  pendingPerEndpointMax,
} from '../../webhooks/addressing.ts'
import type { Endpoint, EventDraft, OutgoingEvent } from '../../webhooks/records.ts'
import type { RunStatement } from '../database.ts'

/** Endpoints, events that wait or ended, how far sources were reported, and who delivers. */
export const webhookTables = [
  'create sequence webhook_n',
  `create table webhook_endpoint (
    owner integer not null check (owner >= 0),
    number bigint not null,
    record text not null,
    primary key (owner, number))`,
  `create table webhook_event (
    owner integer not null,
    number bigint not null,
    n bigint not null,
    account integer not null,
    next_at bigint not null,
    ended_at bigint,
    record text not null,
    primary key (owner, number, n),
    foreign key (owner, number) references webhook_endpoint on delete cascade)`,
  'create index webhook_event_waiting on webhook_event (owner, number, n) where ended_at is null',
  'create table webhook_mark (name text primary key, value text not null)',
  `create table webhook_hold (
    id integer primary key check (id = 1),
    holder uuid,
    until timestamptz not null)`,
  "insert into webhook_hold (id, holder, until) values (1, null, 'epoch')",
  'alter table account add column alert_below bigint',
]

/** The endpoints that may hear of some accounts: those of the operator, and their own. */
export async function endpointsOfAccounts(
  query: RunStatement,
  accountNumbers: readonly number[],
): Promise<Endpoint[]> {
  const rows = await query<{ record: string }>(
    'select record from webhook_endpoint where owner = 0 or owner = any($1::integer[]) order by owner, number',
    [accountNumbers],
  )
  return rows.map(({ record }) => JSON.parse(record))
}

/** Writes an event for every endpoint that wants it. The account must be locked. */
export async function insertEvent(query: RunStatement, draft: EventDraft): Promise<void> {
  const endpoints = await endpointsOfAccounts(query, [draft.accountNumber])
  await insertEvents(
    query,
    addressedTo(endpoints, () => [draft]),
  )
}

/** Writes events in their order; those for endpoints whose queue is full are counted as dropped. */
export async function insertEvents(
  query: RunStatement,
  addressed: readonly AddressedEvent[],
): Promise<void> {
  if (addressed.length === 0) return
  const numbers = await query<{ n: number; at: number }>(
    `select nextval('webhook_n') as n, (extract(epoch from clock_timestamp()) * 1000)::bigint as at
     from generate_series(1, $1::integer)`,
    [addressed.length],
  )
  const events = addressed.map(({ place, draft }, index) => {
    const { n, at } = numbers[index]!
    return outgoingEvent(place, n, draft, at)
  })
  const written = await query(
    `insert into webhook_event (owner, number, n, account, next_at, record)
     select owner, number, n, account, next_at, record
     from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::integer[], $5::bigint[], $6::text[])
       as e (owner, number, n, account, next_at, record)
     where (select count(*) from webhook_event w
       where w.owner = e.owner and w.number = e.number and w.ended_at is null) < ${pendingPerEndpointMax}
     returning n`,
    [
      events.map(({ owner }) => owner),
      events.map(({ number }) => number),
      events.map(({ n }) => n),
      events.map(({ accountNumber }) => accountNumber),
      events.map(({ nextAtMs }) => nextAtMs),
      events.map((event: OutgoingEvent) => JSON.stringify(event)),
    ],
  )
  await countDropped(query, events.length - written.length)
}

async function countDropped(query: RunStatement, dropped: number): Promise<void> {
  if (dropped === 0) return
  await query(
    `insert into webhook_mark (name, value) values ($1, $2::text)
     on conflict (name) do update set value = (webhook_mark.value::bigint + $2::bigint)::text`,
    [droppedMark, String(dropped)],
  )
}

/** A change of the balance of an account that is locked. */
interface MovedBalance {
  readonly accountNumber: number
  readonly beforeMicroUsd: number
  readonly afterMicroUsd: number
}

/**
 * Writes the events of the thresholds that some balances crossed, and the next threshold of each account. A
 * change from a balance to itself writes the threshold only. The accounts must be locked.
 */
export async function alertBalances(
  query: RunStatement,
  moved: readonly MovedBalance[],
): Promise<void> {
  const numbers = moved.map(({ accountNumber }) => accountNumber)
  const endpoints = await endpointsOfAccounts(query, numbers)
  const accounts = await query<{ id: number; name: string; alert_below: number | null }>(
    'select id, name, alert_below from account where id = any($1::integer[])',
    [numbers],
  )
  if (endpoints.length === 0 && accounts.every((account) => account.alert_below === null)) return
  const lastTopUps = needsLastTopUp(endpoints) ? await lastTopUpsOf(query, numbers) : new Map()
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  const changes = moved.map((each) => ({
    ...each,
    account: names.get(each.accountNumber) ?? '',
    lastTopUpMicroUsd: lastTopUps.get(each.accountNumber) ?? 0,
  }))
  const addressed = changes.flatMap((change) =>
    addressedTo(endpoints, (endpoint) => balanceEvents(endpoint, change)),
  )
  await insertEvents(query, addressed)
  await query(
    `update account set alert_below = alert.below
     from unnest($1::integer[], $2::bigint[]) as alert (id, below) where account.id = alert.id`,
    [numbers, changes.map((change) => alertBelowOf(endpoints, change) ?? null)],
  )
}

/** By account: the last top-up, else the opening credit. No charge is read: they have no reference. */
async function lastTopUpsOf(query: RunStatement, numbers: readonly number[]) {
  const rows = await query<{ account: number; amount: number }>(
    `select distinct on (account) account, amount from (
       select account, n, amount, kind from journal
       where account = any($1::integer[]) and reference is not null
       union all
       select account, n, amount, kind from journal where account = any($1::integer[]) and n = 1
     ) as credit where kind <> 'adjustment' order by account, n desc`,
    [numbers],
  )
  return new Map(rows.map(({ account, amount }) => [account, amount]))
}
