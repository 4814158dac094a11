/**
 * Ends sessions, and removes those that ended long ago. A session that ends gives back its unsold amounts.
 * Its charges stay in the journal, under its name.
 */
import type { RunStatement, Sql } from '../../sql/port.ts'

/** Grace period after the end of a session of others, ms: its sales until then have that long to arrive. */
export const settleMs = 5_000

/**
 * Time for which a process must have reached the database without a break before it ends the sessions of
 * others, ms: after an outage all of them are late, and each is to have the time to report its sales.
 */
export const reaperSteadyMs = 5_000

/** Ends a session of one's own: its unsold amounts are free again. */
export function closeLeases(sql: Sql, session: string): Promise<boolean> {
  return sql.transaction((query) => close(query, session, ''))
}

/**
 * Ends the sessions of services that have not been heard of for long; any service may, and a command, when
 * they have reached the database for some seconds without a break.
 * @returns the number of sessions ended.
 */
export async function reap(sql: Sql): Promise<number> {
  const overdue = `and expires_ms < now_ms() - ${settleMs}`
  const dead = await sql.query<{ id: string }>(
    `select id from session where closed_ms is null ${overdue}`,
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
      `select id from account where id in (select account from lease where session = $1 and granted > spent)
       order by id for update`,
      [session],
    ),
    query(
      `update account set free = free + lease.granted - lease.spent from lease
       where lease.session = $1 and lease.account = account.id and lease.granted > lease.spent`,
      [session],
    ),
    query('update lease set granted = spent where session = $1 and granted > spent', [session]),
    query('update cap_lease set granted = spent where session = $1 and granted > spent', [session]),
  ])
  return true
}

/**
 * Whether sessions that were not heard of in time hold some of an account; it is not free until they are
 * ended.
 */
export async function isHeldByExpired(
  query: RunStatement,
  accountNumber: number,
): Promise<boolean> {
  const held = await query(
    `select 1 from lease join session on session.id = lease.session
     where lease.account = $1 and lease.granted > lease.spent
       and session.closed_ms is null and session.expires_ms < now_ms() limit 1`,
    [accountNumber],
  )
  return held.length > 0
}

/** Maximum number in one look, so that renewing leases does not have to wait. */
const sessionsMax = 10

/**
 * Removes some of those that ended so long ago, by the clock of the database. Any process may.
 * @param agoMs milliseconds.
 * @returns the number removed; fewer than the maximum do not mean that there are no more.
 * @throws Refusal `ledger-refused` when the database cannot be used.
 */
export async function removeClosed(sql: Sql, agoMs: number): Promise<number> {
  const old = await sql.query<{ id: string }>(
    `select id from session where closed_ms < now_ms() - $1 limit ${sessionsMax}`,
    [agoMs],
  )
  for (const { id } of old) {
    await sql.transaction((query, commit) =>
      Promise.all([
        query('select 1 from session where id = $1 for update', [id]),
        query('delete from lease where session = $1', [id]),
        query('delete from session where id = $1', [id]),
        commit(),
      ]),
    )
  }
  return old.length
}
