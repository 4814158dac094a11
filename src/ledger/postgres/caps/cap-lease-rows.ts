/** The leases of caps: what sessions hold of them, as rows. The accounts are locked; see `cap-rows.ts`. */
import type { CapPeriod } from '../../../money.ts'
import { periodDays } from '../../keys/spending-periods.ts'
import type { RunStatement } from '../database.ts'
import { amountSql, spentSql } from './cap-rows.ts'

/** A cap, and what of it is leased. */
export interface CapState {
  readonly keyId: string
  readonly account: number
  readonly amount: number
  readonly period: CapPeriod
  /** In the period that it is now. */
  readonly spent: number
  /** By all sessions. */
  readonly held: number
  /** By the session that asks. */
  readonly room: number
}

/** Sales of a settlement under a cap: by all keys, and from its lease; micro-USD. */
export interface CapMoved {
  readonly keyId: string
  readonly state: Pick<CapState, 'account' | 'period'>
  readonly soldMicroUsd: number
  readonly leasedMicroUsd: number
}

/** The caps of some keys, as far as they have any. */
export function selectCaps(
  query: RunStatement,
  session: string,
  keyIds: readonly string[],
): Promise<CapState[]> {
  return query<CapState>(
    `select key_id as "keyId", account, ${amountSql} as amount, period, ${spentSql} as spent,
       (select coalesce(sum(granted - cap_lease.spent), 0)::bigint from cap_lease
          where cap_lease.key_id = key_cap.key_id and granted > cap_lease.spent) as held,
       coalesce((select granted - cap_lease.spent from cap_lease
          where cap_lease.key_id = key_cap.key_id and cap_lease.session = $2::uuid), 0) as room
     from key_cap where key_id = any($1::text[])`,
    [keyIds, session],
  )
}

/** Adds to leases of a session what is granted, less what was given back, and what is spent; in two steps as of accounts. */
export async function changeCapLeases(
  query: RunStatement,
  session: string,
  moved: readonly { readonly keyId: string; readonly granted: number; readonly spent: number }[],
): Promise<void> {
  if (moved.length === 0) return
  const keyIds = moved.map(({ keyId }) => keyId)
  await Promise.all([
    query(
      `insert into cap_lease (session, key_id, granted, spent)
       select $1::uuid, key_id, 0, 0 from unnest($2::text[]) as key_id
       on conflict (session, key_id) do nothing`,
      [session, keyIds],
    ),
    query(
      `update cap_lease set granted = cap_lease.granted + moved.granted, spent = cap_lease.spent + moved.spent
       from unnest($2::text[], $3::bigint[], $4::bigint[]) as moved (key_id, granted, spent)
       where cap_lease.session = $1 and cap_lease.key_id = moved.key_id`,
      [session, keyIds, moved.map(({ granted }) => granted), moved.map(({ spent }) => spent)],
    ),
  ])
}

/** Counts what was sold under caps in the period that the time of the charges is in. */
export async function spendCaps(
  query: RunStatement,
  sold: readonly CapMoved[],
  atMs: number,
): Promise<void> {
  if (sold.length === 0) return
  const days = sold.map(({ state }) => periodDays(state.period, atMs))
  await query(
    `update key_cap set
       spent = case when key_cap.from_day >= sold.from_day then key_cap.spent else 0 end + sold.cost,
       from_day = greatest(key_cap.from_day, sold.from_day),
       until_day = greatest(key_cap.until_day, sold.until_day)
     from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
       as sold (key_id, cost, from_day, until_day)
     where key_cap.key_id = sold.key_id`,
    [
      sold.map(({ keyId }) => keyId),
      sold.map(({ soldMicroUsd }) => soldMicroUsd),
      days.map(({ fromDay }) => fromDay),
      days.map(({ untilDay }) => untilDay),
    ],
  )
}

/** Has services give back what they hold of some caps. */
export async function recallCaps(query: RunStatement, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) return
  await query(
    `with change as (update ledger_change set n = n + 1 where topic = 'accounts' returning n)
     update key_cap set changed = change.n, recalled = change.n from change
     where key_id = any($1::text[])`,
    [keyIds],
  )
}

/** A session's lease of a cap. */
export interface CapLease {
  readonly accountNumber: number
  readonly keyId: string
  readonly grantedMicroUsd: number
  readonly spentMicroUsd: number
  /** Amount that the cap has left, leased or free. */
  readonly balanceMicroUsd: number
}

/** The leases that a session has of some caps. */
export async function selectCapLeases(
  query: RunStatement,
  session: string,
  keyIds: readonly string[],
): Promise<CapLease[]> {
  if (keyIds.length === 0) return []
  return query<CapLease>(
    `select account as "accountNumber", cap_lease.key_id as "keyId", granted as "grantedMicroUsd",
       cap_lease.spent as "spentMicroUsd", ${amountSql} - (${spentSql}) as "balanceMicroUsd"
     from cap_lease join key_cap on key_cap.key_id = cap_lease.key_id
     where session = $1 and cap_lease.key_id = any($2::text[])`,
    [session, keyIds],
  )
}
