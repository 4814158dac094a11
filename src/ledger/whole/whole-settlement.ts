/**
 * A settlement of a session that holds the whole ledger: it sells from what is free, without leases. A batch is charged
 * once, however often it is sent. An account that does not cover its part never keeps the others from theirs: what was
 * taken back while it was being sold is given to it, and what is beyond that is not charged.
 */

import {
  type CapMoved,
  type CapState,
  reachedCaps,
  selectCaps,
  spendCaps,
} from '../books/caps/cap-lease-rows.ts'
import { spentSql } from '../books/caps/cap-rows.ts'
import { addCharges } from '../books/charge-rows.ts'
import { insertEvents } from '../books/event-rows.ts'
import { notChargedBy } from '../books/given-away-rows.ts'
import { databaseMs } from '../books/key-rows.ts'
import { neverMs, sessionStateOf } from '../books/session-rows.ts'
import {
  type AccountState,
  changeAccounts,
  type Entry,
  entriesOf,
  giveAway,
  lockAccounts,
  lowBalances,
  numbersOf,
} from '../leases/settlement.ts'
import type { Charge, ChargeBatch, Funds } from '../port.ts'
import { sumOfCharges } from '../sales.ts'
import type { RunStatement, Sql } from '../sql/port.ts'

/** A batch of a session. */
interface WholeSettlement extends ChargeBatch {
  readonly session: string
}

/** What became of a batch. */
interface WholeReply {
  /** Of its accounts, and of its keys with caps, as they are afterwards. */
  readonly funds: readonly Funds[]
  /** Accounts that do not cover it, and from which nothing was taken back: what was sold to them is given away. */
  readonly uncovered: readonly number[]
  /** Accounts that the ledger does not have. */
  readonly lost: readonly number[]
}

/** Opens a session, and ends those before it, which sell nothing more. */
export function openWhole(sql: Sql, session: string, node: string): Promise<void> {
  return sql.transaction(async (query) => {
    await query('update session set closed_ms = now_ms() where closed_ms is null')
    await query(
      // Later than every other, whatever the clock says: the proof asks for the newest.
      `insert into session (id, node, opened_ms, expires_ms, closed_ms, last_batch)
       select $1, $2, case when max(opened_ms) >= now_ms() then max(opened_ms) + 1 else now_ms() end,
         ${neverMs}, null, 0 from session`,
      [session, node],
    )
  })
}

/**
 * Carries out a settlement.
 * @returns undefined where the session was ended.
 * @throws Refusal `ledger-refused`; then it may have been carried out all the same, and is to be sent again as it was.
 */
export function settleWhole(
  sql: Sql,
  settlement: WholeSettlement,
): Promise<WholeReply | undefined> {
  const { session, number, charges, holdings } = settlement
  const told = entriesOf({ ...settlement, wants: [], gives: new Map() })
  const numbers = numbersOf(told)
  return sql.transaction(async (query) => {
    const { last, isClosed } = await sessionStateOf(query, session, 'for update')
    if (isClosed) return undefined
    const states = await lockAccounts(query, numbers)
    const atMs = await databaseMs(query)
    const isCapped = ({ accountNumber }: Charge) => Boolean(states.get(accountNumber)?.capped)
    const keyIds = [...new Set(charges.filter(isCapped).map(({ keyId }) => keyId))]
    const uncovered: Entry[] = []
    if (last < number) {
      const known = told.filter(({ accountNumber }) => states.has(accountNumber))
      const covered: Entry[] = []
      for (const entry of known) {
        const state = await coveredState(query, states.get(entry.accountNumber)!, entry, atMs)
        if (state === undefined) {
          uncovered.push(entry)
          continue
        }
        covered.push(entry)
        states.set(state.id, state)
      }
      const charged = covered.flatMap((entry) => entry.charges)
      await addCharges(query, charged, atMs)
      await giveAway(query, settlement, uncovered)
      await changeAccounts(
        query,
        covered,
        covered.map(({ costMicroUsd }) => costMicroUsd),
      )
      const caps = keyIds.length === 0 ? [] : await selectCaps(query, session, keyIds)
      const sold = soldOf(caps, charged)
      await spendCaps(query, sold, atMs)
      await insertEvents(query, [...lowBalances(covered, states), ...reachedCaps(sold, atMs)])
      // What the service held counts all of the batch as charged.
      const isWhole = covered.length === told.length
      await query('update session set last_batch = $2, held = $3 where id = $1', [
        ...[session, number, holdings && isWhole ? JSON.stringify(holdings) : null],
      ])
    }
    return {
      funds: [
        ...(await fundsOfAccounts(query, numbers)),
        ...(keyIds.length === 0 ? [] : await fundsOfCaps(query, keyIds)),
      ],
      uncovered:
        last < number ? numbersOf(uncovered) : [...(await notChargedBy(query, settlement))],
      lost: numbers.filter((each) => !states.has(each)),
    }
  })
}

/** What was sold under caps. */
function soldOf(states: readonly CapState[], charges: readonly Charge[]): CapMoved[] {
  return states.map((state) => {
    const sold = charges.filter(({ keyId }) => keyId === state.keyId)
    const soldMicroUsd = sumOfCharges(sold).costMicroUsd
    return { keyId: state.keyId, state, charges: sold, soldMicroUsd, leasedMicroUsd: 0 }
  })
}

/**
 * An account that covers what was sold of it, with an adjustment where that was taken back meanwhile.
 * @returns undefined where it does not.
 */
async function coveredState(
  query: RunStatement,
  state: AccountState,
  { costMicroUsd }: Entry,
  atMs: number,
): Promise<AccountState | undefined> {
  const missing = costMicroUsd - state.free
  if (missing <= 0) return state
  const [row] = await query<{ taken: number }>(
    `select cast(coalesce(sum(0 - amount), 0) as bigint) as taken from credit
     where account = $1 and amount < 0`,
    [state.id],
  )
  if (missing > row!.taken) return undefined
  const n = state.credit_count + 1
  await query(
    `insert into credit (account, n, at_ms, kind, amount, reference, reason)
     values ($1, $2, $3, 'adjustment', $4, $5, 'a service had not seen yet that it was taken back')`,
    [state.id, n, atMs, missing, `sold while it was taken back, row ${n}`],
  )
  await query(
    `update account set credited = credited + $2, free = free + $2, credit_count = $3 where id = $1`,
    [state.id, missing, n],
  )
  return { ...state, free: costMicroUsd, balance: state.balance + missing, credit_count: n }
}

const fundsColumns =
  'id as "accountNumber", credited as "grantedMicroUsd", charged as "spentMicroUsd"'

/** Funds of those of some accounts that there are. */
export function fundsOfAccounts(query: RunStatement, numbers: readonly number[]): Promise<Funds[]> {
  return query<Funds>(
    `select ${fundsColumns} from account where id in list($1 as integer) order by id`,
    [numbers],
  )
}

/** Funds of those of some keys that have caps. */
export function fundsOfCaps(query: RunStatement, keyIds: readonly string[]): Promise<Funds[]> {
  return query<Funds>(
    `select account as "accountNumber", key_id as "keyId", amount as "grantedMicroUsd",
       ${spentSql} as "spentMicroUsd" from key_cap
     where amount is not null and key_id in list($1 as text) order by key_id`,
    [keyIds],
  )
}
