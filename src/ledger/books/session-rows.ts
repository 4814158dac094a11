/**
 * Sessions of services. A session that ends gives back its unsold amounts; its row stays for ever,
 * as it says which settlements were carried out: a service may come back with an outbox of it at
 * any time.
 */
import type { RunStatement, Sql } from '../sql/port.ts'

/** Lifetime of a session after its last settlement, by the database's clock; ms. */
export const sessionMs = 5_000

/** Grace period after the end of a session of others, ms: its sales until then have that long to arrive. */
export const settleMs = 5_000

/** After an outage all sessions are late: each is to have time to report before it is ended. */
export const reaperSteadyMs = 5_000

/** Expiry of a session that holds the whole ledger, without leases: it ends when it is closed, or another takes its place. */
export const neverMs = Number.MAX_SAFE_INTEGER

/** One that holds the whole ledger ends those before it. @returns the identity of the database. */
export function openSession(
  sql: Sql,
  { id, node, isWhole = false }: { id: string; node: string; isWhole?: boolean },
): Promise<string> {
  const expiresMs = isWhole ? neverMs : `now_ms() + ${sessionMs}`
  return sql.transaction(async (query, commit) => {
    const [identity] = await Promise.all([
      databaseIdentityOf(query),
      isWhole && query('update session set closed_ms = now_ms() where closed_ms is null'),
      query(
        `insert into session (id, node, opened_ms, expires_ms, closed_ms, last_batch)
         values ($1, $2, now_ms(), ${expiresMs}, null, 0) on conflict (id) do nothing`,
        [id, node],
      ),
      commit(),
    ])
    return identity
  })
}

/** Returns the identity of this database; a copy of it has the same. */
export async function databaseIdentityOf(query: RunStatement): Promise<string> {
  const [row] = await query<{ identity: string }>('select identity from ledger_identity')
  return row!.identity
}

/** The key that the cursors of pages are written with: 32 random bytes, the same for every service of this ledger. */
export async function selectCursorKey(query: RunStatement): Promise<Uint8Array> {
  const [row] = await query<{ key: string }>('select cursor_key as key from ledger_identity')
  return Buffer.from(row!.key, 'hex')
}

export interface SessionState {
  readonly last: number
  /** Whether it was ended, so that nothing later is charged. */
  readonly isClosed: boolean
  readonly isWhole: boolean
}

/** The state of a session; one that the database does not have is closed, with no settlement. */
export async function sessionStateOf(
  query: RunStatement,
  session: string,
  lock = '',
): Promise<SessionState> {
  const [row] = await query<{ last_batch: number; closed_ms: number | null; expires_ms: number }>(
    `select last_batch, closed_ms, expires_ms from session where id = $1 ${lock}`,
    [session],
  )
  return {
    last: row?.last_batch ?? 0,
    isClosed: row === undefined || row.closed_ms !== null,
    isWhole: row?.expires_ms === neverMs,
  }
}

export function closeLeases(sql: Sql, session: string): Promise<boolean> {
  return sql.transaction((query) => close(query, session, ''))
}

/**
 * Any service may, and a command, when it has reached the database for some seconds without a
 * break.
 */
export async function reap(sql: Sql): Promise<number> {
  const overdue = `and expires_ms < now_ms() - ${settleMs}`
  const dead = await sql.snapshot((query) =>
    query<{ id: string }>(`select id from session where closed_ms is null ${overdue}`),
  )
  let ended = 0
  for (const { id } of dead) {
    if (await sql.transaction((query) => close(query, id, overdue))) ended += 1
  }
  return ended
}

async function close(query: RunStatement, session: string, condition: string): Promise<boolean> {
  const closed = await query(
    `update session set closed_ms = now_ms()
     where id = $1 and closed_ms is null ${condition} returning id`,
    [session],
  )
  if (closed.length === 0) return false
  await Promise.all([
    query(
      `select id from account where id in (select account from lease where session = $1 and granted > spent and key_id = '')
       order by id for update`,
      [session],
    ),
    query(
      `update account set free = free + lease.granted - lease.spent from lease
       where lease.session = $1 and lease.account = account.id and lease.granted > lease.spent and key_id = ''`,
      [session],
    ),
    query('delete from lease where session = $1', [session]),
  ])
  return true
}

/** A node that sells from leases of a database. */
interface SellingNode {
  readonly name: string
  readonly sinceMs: number
  /** By the clock of the database; one that is past belongs to a node that was not heard of in time. */
  readonly leasedUntilMs: number
  readonly isLate: boolean
  readonly accounts: number
  readonly leasedMicroUsd: number
}

/** The nodes that sell from leases: the sessions that are open, with what they hold; those that sell longest first. */
export function selectNodes(query: RunStatement): Promise<readonly SellingNode[]> {
  return query<SellingNode>(
    `select node as name, opened_ms as "sinceMs", expires_ms as "leasedUntilMs", expires_ms < now_ms() as "isLate",
       count(account) as accounts, cast(coalesce(sum(granted - spent), 0) as bigint) as "leasedMicroUsd"
     from session left join lease on lease.session = session.id and granted > spent and key_id = ''
     where closed_ms is null and expires_ms < ${neverMs}
     group by session.id order by opened_ms, node`,
  )
}
