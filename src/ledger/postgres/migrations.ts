/**
 * The tables of a ledger in a database, and how they come to be. Amounts are micro-USD. The database itself
 * enforces the rules for one row; the rule for all rows together is
 *
 *     sum of journal.amount = sum of account.free + sum of (lease.granted - lease.spent)
 *
 * for every account, which `proof.ts` proves. Migrations are only ever added. The first program that connects
 * runs them, under the lock of the rows of versions, because not every database has advisory locks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../problems.ts'
import { capTables } from './caps/cap-rows.ts'
import { type Database, DatabaseAway, type RunStatement } from './database.ts'
import { digestExisting, digestTables } from './database-digests.ts'
import { onceTables } from './grants/once-rows.ts'
import { heldIndexes } from './held/held-rows.ts'
import { selectKeyRecords } from './key-rows.ts'
import { keyUsageTables } from './usage/usage-rows.ts'

/** The first tables. A change of accounts or keys is noted in its row of `ledger_change`, locked until it ends. */
const first = [
  `create table ledger_change (
    topic text primary key check (topic in ('accounts', 'keys')),
    n bigint not null)`,
  `insert into ledger_change (topic, n) values ('accounts', 0), ('keys', 0)`,
  `create table account (
    id integer primary key check (id > 0),
    name text not null unique,
    created_at timestamptz not null,
    credited bigint not null check (credited >= 0),
    charged bigint not null check (charged >= 0),
    free bigint not null check (free >= 0),
    row_count bigint not null,
    suspended_at timestamptz,
    changed bigint not null,
    recalled bigint not null,
    check (free <= credited - charged))`,
  `create table session (
    id uuid primary key,
    node text not null,
    opened_at timestamptz not null,
    expires_at timestamptz not null,
    closed_at timestamptz,
    last_batch bigint not null)`,
  'create index session_open on session (expires_at) where closed_at is null',
  `create table lease (
    session uuid not null references session,
    account integer not null references account,
    granted bigint not null,
    spent bigint not null,
    primary key (session, account),
    check (0 <= spent and spent <= granted))`,
  `create table journal (
    account integer not null references account,
    n bigint not null check (n > 0),
    at timestamptz not null,
    kind text not null check (kind in ('opening', 'top-up', 'adjustment', 'charge')),
    amount bigint not null,
    balance bigint not null check (balance >= 0),
    reference text,
    reason text,
    sales jsonb,
    session uuid,
    batch bigint,
    primary key (account, n),
    unique (account, reference),
    unique (account, session, batch),
    check ((kind = 'opening') = (n = 1)),
    check ((kind = 'charge') = (sales is not null)),
    check ((kind = 'charge') = (session is not null and batch is not null)),
    check ((kind in ('top-up', 'adjustment')) = (reference is not null)),
    check (case kind when 'charge' then amount <= 0 when 'adjustment' then amount <> 0 else amount > 0 end))`,
  `create table usage (
    account integer not null references account,
    day date not null,
    route text not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (account, day, route))`,
  `create table api_key (
    id text primary key,
    account integer not null references account,
    hash text not null unique,
    label text,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    replaced_by text references api_key,
    unshown boolean not null default false)`,
  `create table given_away (
    session uuid not null,
    batch bigint not null,
    account integer not null references account,
    at timestamptz not null,
    queries bigint not null check (queries > 0),
    amount bigint not null check (amount >= 0),
    primary key (session, batch, account))`,
]

/** A charge may stand for several that were folded into it; see `folding.ts`. */
const second = [
  `alter table journal add column stands_for bigint not null default 1
    check (stands_for = 1 or (stands_for > 1 and kind = 'charge'))`,
]

/** Keys that services need and no client sees, in hexadecimal: that of cursors; see `secret-rows.ts`. */
const secrets = [
  `create table service_secret (
    name text primary key,
    value text not null)`,
]

/** The identity of a database, for outboxes. PostgreSQL 12 makes no UUID by itself. */
const identity = [
  `create table ledger_identity (
    id integer primary key check (id = 1),
    identity uuid not null)`,
  `insert into ledger_identity (id, identity)
    values (1, md5(random()::text || clock_timestamp()::text || pg_backend_pid()::text)::uuid)`,
]

/** Rows, accounts and keys carry digests; see `../chain/digests.ts`. */
const digests = [...digestTables, (query: RunStatement) => digestExisting(query, selectKeyRecords)]

/**
 * Payments under keys of clients, until they are forgotten: `queries` of the question, by whichever session
 * charged them first. The session and the number of its settlement say what is news; see `questions/`.
 */
const paidQuestions = [
  `create table paid_question (
    account integer not null references account,
    key text not null,
    question text not null,
    queries bigint not null check (queries > 0),
    until timestamptz not null,
    session uuid not null,
    batch bigint not null,
    primary key (account, key))`,
  'create index paid_question_news on paid_question (session, batch, account, key)',
  'create index paid_question_until on paid_question (until)',
]

/**
 * An account may start with nothing. The constraint that forbade it got its name from the database.
 * Earlier rows satisfy the new one, so they are not read.
 */
const emptyOpening: Step = async (query) => {
  const [old] = await query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = 'journal'::regclass
     and contype = 'c' and pg_get_constraintdef(oid) like '%amount > 0%'`,
  )
  if (old !== undefined) await query(`alter table journal drop constraint "${old.name}"`)
  await query(`alter table journal add constraint journal_amount_of_kind check (case kind
    when 'charge' then amount <= 0 when 'adjustment' then amount <> 0
    when 'opening' then amount >= 0 else amount > 0 end) not valid`)
}

/** The audit log and the keys of the admin API; see `trail/recording-rows.ts`. The row of the head locks changes. */
const trail = [
  `create table audit_entry (
    n bigint primary key check (n > 0),
    at_ms bigint not null,
    actor text not null,
    origin text not null,
    action text not null,
    subject text not null,
    facts text not null,
    digest text not null)`,
  'create index audit_entry_subject on audit_entry (subject, n)',
  `create table audit_head (
    id integer primary key check (id = 1),
    n bigint not null,
    digest text not null)`,
  "insert into audit_head (id, n, digest) values (1, 0, '')",
  'create table admin_key (id text primary key, hash text not null unique, record text not null)',
  `create table admin_request (
    id text primary key,
    question text not null,
    made text not null)`,
]

/** A statement, or work of several. */
type Step = string | ((query: RunStatement) => Promise<void>)

/** By the version they lead to, from 1. A program refuses a ledger of a later version than it knows. */
const migrations: readonly (readonly Step[])[] = [first, second, secrets, identity, digests]

/** Steps that an earlier program does without: it works on a ledger that has them. Counted by themselves. */
const additions: readonly (readonly Step[])[] = [
  paidQuestions,
  [emptyOpening],
  keyUsageTables,
  trail,
  capTables,
  onceTables,
  heldIndexes,
]

/** The rows of `ledger_version`; earlier programs read and write the first alone. */
const counted = [
  { id: 1, steps: migrations },
  { id: 2, steps: additions },
] as const

/** Maximum number of attempts to make the version table, if two programs make it at once, and pause between them. */
const attemptsMax = 5
const pauseMs = 200

/**
 * Brings the tables to the version that this program knows; does nothing where they are.
 * @throws Refusal `ledger-refused` when the database refuses, or is of a later program.
 */
export async function migrate(database: Database): Promise<void> {
  await makeVersionTable(database)
  await database.transaction(async (query) => {
    // The lock of all; an earlier program takes that of the first row.
    const versions = await versionsOf(query, 'for update')
    const version = versions.get(1) ?? 0
    if (version > migrations.length) {
      const known = `this program knows version ${migrations.length}`
      const reason = `the ledger in ${database.place} is of version ${version}, ${known}`
      throw new Refusal('ledger-refused', reason)
    }
    // Some of them look at every row; to wait for the lock of another who migrates has its end.
    await query('set local statement_timeout = 0')
    for (const { id, steps } of counted) {
      const done = versions.get(id) ?? 0
      for (const step of steps.slice(done).flat()) {
        await (typeof step === 'string' ? query(step) : step(query))
      }
      if (done >= steps.length) continue
      await query('update ledger_version set version = $2 where id = $1', [id, steps.length])
    }
  })
}

/**
 * Whether the tables are of the version that this program knows, without a lock.
 * @throws Refusal `ledger-refused` when the database is away.
 */
export async function isMigrated(database: Database): Promise<boolean> {
  try {
    const versions = await versionsOf((text) => database.query(text))
    return versions.get(1) === migrations.length && (versions.get(2) ?? 0) >= additions.length
  } catch (error) {
    if (error instanceof DatabaseAway) throw error
    return false
  }
}

async function versionsOf(query: RunStatement, lock = ''): Promise<ReadonlyMap<number, number>> {
  const rows = await query<{ id: number; version: number }>(
    `select id, version from ledger_version order by id ${lock}`,
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** `if not exists` looks before it makes, so that two at once may both try: one of them again. */
async function makeVersionTable(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.query(
        'create table if not exists ledger_version (id integer primary key, version integer not null)',
      )
      await database.query(
        'insert into ledger_version (id, version) values (1, 0), (2, 0) on conflict (id) do nothing',
      )
      return
    } catch (error) {
      if (attempt === attemptsMax || error instanceof DatabaseAway) throw error
      await sleep(pauseMs)
    }
  }
}
