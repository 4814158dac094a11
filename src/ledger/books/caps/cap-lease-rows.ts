/** The leases of caps: what sessions hold of them, as rows. The accounts are locked; see `cap-rows.ts`. */
import { type CapPeriod, usdNumber } from '../../../money.ts'
import type { NewEvent } from '../../events.ts'
import { periodDays } from '../../keys/spending-periods.ts'
import type { Charge } from '../../port.ts'
import { cheapestOf } from '../../sales.ts'
import type { RunStatement } from '../../sql/port.ts'
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
  /** First day of the period in which it was reached last, as an event told; null for none. */
  readonly reachedDay: number | null
  /** Name of the account. */
  readonly name: string
}

/** Sales of a settlement under a cap: by all keys, and from its lease; micro-USD. */
export interface CapMoved {
  readonly keyId: string
  readonly state: CapState
  readonly charges: readonly Charge[]
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
       (select cast(coalesce(sum(granted - cap_lease.spent), 0) as bigint) from cap_lease
          where cap_lease.key_id = key_cap.key_id and granted > cap_lease.spent) as held,
       coalesce((select granted - cap_lease.spent from cap_lease
          where cap_lease.key_id = key_cap.key_id and cap_lease.session = $2), 0) as room,
       reached_day as "reachedDay", (select name from account where account.id = key_cap.account) as name
     from key_cap where key_id in list($1 as text)`,
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
  const rows = moved.map(({ keyId, granted, spent }) => [keyId, granted, spent])
  const table = 'rows($2 as key_id text, granted bigint, spent bigint) as moved'
  await Promise.all([
    query(
      `insert into cap_lease (session, key_id, granted, spent)
       select $1, key_id, 0, 0 from ${table} where true
       on conflict (session, key_id) do nothing`,
      [session, rows],
    ),
    query(
      `update cap_lease set granted = cap_lease.granted + moved.granted, spent = cap_lease.spent + moved.spent
       from ${table}
       where cap_lease.session = $1 and cap_lease.key_id = moved.key_id`,
      [session, rows],
    ),
  ])
}

/** Whether a sale takes a cap, which was not reached in its period, to where it does not pay for the cheapest of its charges again. */
function isReachedBy({ state, soldMicroUsd, charges }: CapMoved, atMs: number): boolean {
  const leftMicroUsd = state.amount - state.spent - soldMicroUsd
  const isTold = state.reachedDay === periodDays(state.period, atMs).fromDay
  return soldMicroUsd > 0 && !isTold && leftMicroUsd < cheapestOf(charges)
}

/** The events of caps that are reached. @param atMs time of the charges. */
export function reachedCaps(sold: readonly CapMoved[], atMs: number): NewEvent[] {
  return sold
    .filter((each) => isReachedBy(each, atMs))
    .map(({ keyId, state: { name, amount, period } }) => {
      const details = { account: name, cap_usd: usdNumber(amount), period }
      return { kind: 'cap.reached', subject: keyId, details }
    })
}

/** Counts what was sold under caps in the period that the time of the charges is in. */
export async function spendCaps(
  query: RunStatement,
  sold: readonly CapMoved[],
  atMs: number,
): Promise<void> {
  if (sold.length === 0) return
  const rows = sold.map((each) => {
    const { fromDay, untilDay } = periodDays(each.state.period, atMs)
    const reachedDay = isReachedBy(each, atMs) ? fromDay : each.state.reachedDay
    return [each.keyId, each.soldMicroUsd, fromDay, untilDay, reachedDay]
  })
  await query(
    `update key_cap set
       spent = case when key_cap.from_day >= sold.from_day then key_cap.spent else 0 end + sold.cost,
       from_day = case when key_cap.from_day < sold.from_day then sold.from_day else key_cap.from_day end,
       until_day = case when key_cap.until_day < sold.until_day then sold.until_day else key_cap.until_day end,
       reached_day = sold.reached_day
     from rows($1 as key_id text, cost bigint, from_day bigint, until_day bigint, reached_day bigint) as sold
     where key_cap.key_id = sold.key_id`,
    [rows],
  )
}

/** Has services give back what they hold of some caps. */
export async function recallCaps(query: RunStatement, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) return
  const noted = query("update ledger_change set n = n + 1 where topic = 'accounts'")
  const recalled = query(
    `update key_cap set changed = change.n, recalled = change.n from ledger_change as change
     where change.topic = 'accounts' and key_id in list($1 as text)`,
    [keyIds],
  )
  await Promise.all([noted, recalled])
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
     where session = $1 and cap_lease.key_id in list($2 as text)`,
    [session, keyIds],
  )
}
