/** The state of a session in a database: the identity of the database, and the last settlement that it has. */
import type { RunStatement } from '../sql/port.ts'

/** Returns the identity of this database; a copy of it has the same. */
export async function databaseIdentityOf(query: RunStatement): Promise<string> {
  const [row] = await query<{ identity: string }>('select identity from ledger_identity')
  return row!.identity
}

/** Progress of a session. */
export interface SessionState {
  /** The number of the last settlement that the database has. */
  readonly last: number
  /** Whether it was ended, so that nothing later is charged. */
  readonly isClosed: boolean
}

/** The state of a session; one that the database does not have is closed, with no settlement. */
export async function sessionStateOf(
  query: RunStatement,
  session: string,
  lock = '',
): Promise<SessionState> {
  const [row] = await query<{ last_batch: number; closed_ms: number | null }>(
    `select last_batch, closed_ms from session where id = $1 ${lock}`,
    [session],
  )
  return { last: row?.last_batch ?? 0, isClosed: row === undefined || row.closed_ms !== null }
}

/** Returns the identity of this database, and the lead of its clock over that of this service. */
export async function momentOf(query: RunStatement, clock: () => number) {
  const askedAtMs = clock()
  const [row] = await query<{ identity: string; at: number }>(
    'select identity, now_ms() as at from ledger_identity',
  )
  return { identity: row!.identity, aheadMs: row!.at - (askedAtMs + clock()) / 2 }
}

/** Amounts for which the leases of a session still pay; only a settlement of the session changes them. */
export async function roomsOf(query: RunStatement, session: string, numbers: readonly number[]) {
  if (numbers.length === 0) return new Map<number, number>()
  const rows = await query<{ account: number; room: number }>(
    `select account, granted - spent as room from lease
     where session = $1 and account in list($2 as integer)`,
    [session, numbers],
  )
  return new Map(rows.map(({ account, room }) => [account, room]))
}
