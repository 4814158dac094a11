/**
 * Events: what happened that an operator may want to act on. They are read; nothing sends them. Each is written in
 * the transaction that causes it. The head is locked last of all: the numbers are in the order in which the
 * transactions become visible.
 */
import { usdNumber } from '../../money.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { isoTime } from './account-records.ts'

/** Kinds of events, in the order of the documents. */
export const eventKinds = [
  'balance.low',
  'cap.reached',
  'key.expiring',
  'account.suspended',
  'account.resumed',
  'snapshot.announced',
  'snapshot.held-back',
] as const

export interface NewEvent {
  readonly kind: (typeof eventKinds)[number]
  /** Name of an account, id of a key or a snapshot, or fingerprint of a source. */
  readonly subject: string
  /** Plain JSON; never a secret. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface LedgerEvent extends NewEvent {
  /** Counts up: whoever has seen an event has seen all with smaller numbers. */
  readonly number: number
  readonly atMs: number
}

export interface EventRange {
  readonly after: number
  readonly limit: number
}

export const eventsKeptMs = 30 * 86_400_000

/** Time before the end of a key from which on it is expiring, ms. */
export const keyExpiringMs = 7 * 86_400_000

/** Writes events at the end of a transaction, in one flight of statements. */
export async function insertEvents(
  query: RunStatement,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ kind, subject, details }, index) => {
    return [index + 1, kind, subject, JSON.stringify(details)]
  })
  await Promise.all([
    query('update event_head set n = n + $1', [rows.length]),
    query(
      `insert into event (n, at_ms, kind, subject, details)
       select event_head.n - $2 + nth, now_ms(), kind, subject, details
       from event_head, rows($1 as nth bigint, kind text, subject text, details text) as new`,
      [rows, rows.length],
    ),
  ])
}

export async function selectEvents(
  query: RunStatement,
  { after, limit }: EventRange,
): Promise<LedgerEvent[]> {
  const rows = await query<Omit<LedgerEvent, 'details'> & { readonly details: string }>(
    `select n as number, at_ms as "atMs", kind, subject, details
     from event where n > $1 order by n limit $2`,
    [after, limit],
  )
  return rows.map(({ details, ...event }) => ({ ...event, details: JSON.parse(details) }))
}

/** The event of a balance that a change takes below what is low; none where it was low before. */
export function lowBalance(
  account: string,
  lowMicroUsd: number,
  before: number,
  after: number,
): NewEvent[] {
  if (before < lowMicroUsd || after >= lowMicroUsd) return []
  const details = { balance_usd: usdNumber(after), below_usd: usdNumber(lowMicroUsd) }
  return [{ kind: 'balance.low', subject: account, details }]
}

export function setLowMicroUsd(sql: Sql, lowMicroUsd: number): Promise<unknown> {
  return sql.transaction((query) =>
    query('update event_head set low = $1 where low <> $1', [lowMicroUsd]),
  )
}

/** Once, as several services see it. @param isAgain compares with the newest of its kind only. */
export function noteEvent(sql: Sql, event: NewEvent, isAgain: boolean): Promise<void> {
  return sql.transaction(async (query) => {
    await query('select n from event_head for update')
    const known = await query(
      `select 1 from event where kind = $1 and subject = $2 and details = $3
         and (not cast($4 as boolean) or n = (select max(n) from event where kind = $1))`,
      [event.kind, event.subject, JSON.stringify(event.details), isAgain],
    )
    if (known.length === 0) await insertEvents(query, [event])
  })
}

const keysMax = 100

const isUntold = 'told_ms is distinct from expires_ms'

/** Tells of keys that are about to expire, each once, and forgets old events. Any service may. */
export function keepEvents(sql: Sql): Promise<void> {
  return sql.transaction(async (query) => {
    // A key that was issued for a shorter time than that is not told of. One that another service tells of is not, either.
    const keys = await query<{
      id: string
      label: string | null
      expires_ms: number
      name: string
    }>(
      `update api_key set told_ms = expires_ms where ${isUntold} and id in (
         select id from api_key
         where expires_ms > now_ms() and expires_ms <= now_ms() + ${keyExpiringMs} and revoked_ms is null
           and ${isUntold} and created_ms <= expires_ms - ${keyExpiringMs}
         order by expires_ms limit ${keysMax})
       returning id, label, expires_ms, (select name from account where account.id = api_key.account) as name`,
    )
    await query(`delete from event where at_ms < now_ms() - ${eventsKeptMs}`)
    const events = keys.map(({ id, label, expires_ms, name }): NewEvent => {
      const details = { account: name, label, expires: isoTime(expires_ms) }
      return { kind: 'key.expiring', subject: id, details }
    })
    await insertEvents(query, events)
  })
}
