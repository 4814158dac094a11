/**
 * The tables of a ledger. Amounts are micro-USD, times are milliseconds since the epoch. The database itself enforces the rules for one row; the
 * rule for all rows together is
 *
 *     sum of credit.amount - sum of charge.amount = account.free + sum of (lease.granted - lease.spent), of its own leases
 *
 * for every account, which `proof.ts` proves. Credits and charges are the journal. The first program that connects makes the tables, under the lock of the
 * row of their form, because not every database has advisory locks.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { ledgerForm, otherForm, otherLedgerAdvice } from '../sql/form.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { cursorKeyBytes } from './port.ts'

const tables = [
  // Accounts, their journal, and what of them is leased to sessions of services; a session that ended keeps its row, and no lease.
  // The number of the last change of accounts, caps or keys, whose row is locked until the change ends. What changed has
  // its number in `changed`.
  `create table ledger_change (
    id integer primary key check (id = 1),
    n bigint not null)`,
  'insert into ledger_change (id, n) values (1, 0)',
  `create table account (
    id integer primary key check (id > 0),
    name text not null unique,
    created_ms bigint not null,
    credited bigint not null check (credited >= 0),
    charged bigint not null check (charged >= 0),
    free bigint not null check (free >= 0),
    credit_count bigint not null,
    suspended_ms bigint,
    changed bigint not null,
    recalled bigint not null,
    capped boolean not null default false,
    check (free <= credited - charged))`,
  'create index account_changed on account (changed)',
  `create table session (
    id uuid primary key,
    node text not null,
    opened_ms bigint not null,
    expires_ms bigint not null,
    closed_ms bigint,
    last_batch bigint not null)`,
  'create index session_open on session (expires_ms) where closed_ms is null',
  // Of an account where there is no key, else of the cap of the key.
  `create table lease (
    session uuid not null references session,
    account integer not null references account,
    granted bigint not null,
    spent bigint not null,
    key_id text not null default '',
    primary key (session, account, key_id),
    check (0 <= spent and spent <= granted))`,
  "create index lease_of_cap on lease (key_id) where key_id <> ''",
  `create table credit (
    account integer not null references account,
    n bigint not null check (n > 0),
    at_ms bigint not null,
    kind text not null check (kind in ('opening', 'top-up', 'adjustment')),
    amount bigint not null,
    reference text,
    reason text,
    primary key (account, n),
    unique (account, reference),
    check ((kind = 'opening') = (n = 1)),
    check ((kind = 'opening') = (reference is null)),
    check (case kind when 'adjustment' then amount <> 0 when 'opening' then amount >= 0 else amount > 0 end))`,
  // All that was sold with one key on one route on one UTC day, which is a number since the epoch.
  `create table charge (
    account integer not null references account,
    day bigint not null,
    key_id text not null,
    route text not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (account, day, key_id, route))`,
  // What a settlement did not charge, as its account did not pay for it, and what came too late for its session.
  `create table given_away (
    session uuid not null,
    batch bigint not null,
    account integer not null references account,
    at_ms bigint not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (session, batch, account))`,
  `create table api_key (
    id text primary key,
    account integer not null references account,
    label text,
    created_ms bigint not null,
    expires_ms bigint,
    revoked_ms bigint,
    unshown boolean not null default false,
    terms text not null,
    changed bigint not null,
    told_ms bigint)`,
  'create index api_key_changed on api_key (changed)',
  'create index api_key_account on api_key (account, created_ms)',
  'create index api_key_expires on api_key (expires_ms) where expires_ms is not null',
  'create index api_key_unshown on api_key (id) where unshown',
  `create table key_secret (
    hash text primary key,
    key_id text not null references api_key on delete cascade,
    created_ms bigint not null,
    ends_ms bigint)`,
  'create index key_secret_key on key_secret (key_id)',
  // Where there is a cap it holds from `held_day` on, with which a period begins: what was sold before may be above it.
  `create table key_cap (
    key_id text primary key,
    account integer not null references account,
    amount bigint check (amount >= 0),
    period text not null check (period in ('total', 'day', 'month')),
    from_day bigint not null,
    until_day bigint not null,
    held_day bigint not null,
    spent bigint not null check (spent >= 0),
    changed bigint not null,
    recalled bigint not null,
    reached_day bigint)`,
  // What services need: the identity of the database, for outboxes, and the key of cursors in hexadecimal, which no client sees.
  `create table ledger_identity (
    id integer primary key check (id = 1),
    identity uuid not null,
    cursor_key text not null)`,
  // The audit log, whose head locks changes; the keys and the requests of the admin API; notes that are good once.
  `create table audit_entry (
    n bigint primary key check (n > 0),
    at_ms bigint not null,
    actor text not null,
    origin text not null,
    action text not null,
    subject text not null,
    facts text not null)`,
  'create index audit_entry_subject on audit_entry (subject, n)',
  `create table audit_head (
    id integer primary key check (id = 1),
    n bigint not null)`,
  'insert into audit_head (id, n) values (1, 0)',
  'create table admin_key (id text primary key, hash text not null unique, record text not null)',
  `create table admin_request (
    id text primary key,
    question text not null,
    made text not null)`,
  // `used_ms` without `key`: used up, and no key came of it.
  `create table once_note (
    id text primary key,
    content text not null,
    whose text not null,
    made_ms bigint not null,
    used_ms bigint,
    key text)`,
  'create index once_note_made on once_note (made_ms)',
  'create index once_note_whose on once_note (whose)',
  // Events, whose head has the number of the last, and the amount below which a balance is low.
  `create table event (
    n bigint primary key,
    at_ms bigint not null,
    kind text not null,
    subject text not null,
    details text not null)`,
  'create index event_at on event (at_ms)',
  `create table event_head (
    id integer primary key check (id = 1),
    n bigint not null,
    low bigint not null)`,
  'insert into event_head (id, n, low) values (1, 0, 0)',
]

const formTable = [
  'create table if not exists ledger_version (id integer primary key, version integer not null)',
  'insert into ledger_version (id, version) values (1, 0) on conflict (id) do nothing',
]

/** @throws Refusal `ledger-refused` also when the database has tables of another form. */
export async function makeTables(sql: Sql): Promise<void> {
  for (const statement of formTable) await sql.transaction((query) => query(statement))
  await sql.transaction(async (query) => {
    const form = await formOf(query, 'for update')
    if (form !== 0) return refuseOther(form, sql.place)
    for (const statement of tables) await query(statement)
    await query('insert into ledger_identity (id, identity, cursor_key) values (1, $1, $2)', [
      ...[randomUUID(), randomBytes(cursorKeyBytes).toString('hex')],
    ])
    await query('update ledger_version set version = $1 where id = 1', [ledgerForm])
  })
}

/** Looks at the form alone. @throws Refusal `ledger-refused` for another than that of this version. */
export async function refuseOtherForm(query: RunStatement, place: string): Promise<void> {
  refuseOther(await formOf(query), place)
}

function refuseOther(form: number, place: string): void {
  if (form !== ledgerForm) throw otherForm(`the ledger in ${place}`, form, otherLedgerAdvice)
}

/** 0 while there are no tables. */
async function formOf(query: RunStatement, lock = ''): Promise<number> {
  const [row] = await query<{ version: number }>(
    `select version from ledger_version where id = 1 ${lock}`,
  )
  return row!.version
}
