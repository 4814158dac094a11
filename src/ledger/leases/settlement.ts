/**
 * A settlement: one transaction in which a node reports its sales to the database, asks for leases and gives
 * leases back; the database answers with the leases, in absolute numbers.
 *
 * A session that others have ended sells nothing more: its late charges are written off. Every other
 * settlement has a number in its session; one that the database has already is answered and not repeated.
 */

import { recallAll } from '../books/account-rows.ts'
import { addCharges } from '../books/charge-rows.ts'
import { insertEvents, lowBalance } from '../books/event-rows.ts'
import { insertGivenAway, notChargedBy } from '../books/given-away-rows.ts'
import { databaseMs } from '../books/key-rows.ts'
import { databaseIdentityOf, type SessionState, sessionStateOf } from '../books/session-rows.ts'
import type { NewEvent } from '../events.ts'
import type { Charge } from '../port.ts'
import { chargesByAccount, sumOfCharges } from '../sales.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { type CapMove, SettledCaps } from './cap-settlement.ts'
import { grantOf, sessionMs, type Want } from './lease-policy.ts'

/** One settlement of a session. */
export interface Settlement {
  readonly session: string
  /** Counts up within a session, beyond the windows that are in it. */
  readonly number: number
  readonly charges: readonly Charge[]
  /** At most one for each account. */
  readonly wants: readonly Want[]
  /** By account: what the service does not sell any more. */
  readonly gives: ReadonlyMap<number, number>
  /** The same of caps, at most one for each; absent where there is none. */
  readonly caps?: readonly CapMove[]
}

/** Balance of an account in the database, and the part of it that this session has leased. */
export interface Lease {
  readonly accountNumber: number
  /** The key that has the cap; absent for the account itself. */
  readonly keyId?: string
  /** Sums since the session was opened. */
  readonly grantedMicroUsd: number
  readonly spentMicroUsd: number
  /** All that the account has, or the cap has left: what is free and what is leased. */
  readonly balanceMicroUsd: number
}

/** Sales of one account in one settlement: by its keys, and in all. */
export interface Entry {
  readonly accountNumber: number
  readonly charges: readonly Charge[]
  readonly queries: number
  readonly costMicroUsd: number
  readonly given: number
  readonly want: Want | undefined
}

export interface AccountState {
  readonly id: number
  readonly name: string
  readonly free: number
  readonly balance: number
  readonly credit_count: number
  /** Whether it has, or had, a key with a cap: true or 1. */
  readonly capped: boolean | number
  /** Below this a balance is low. */
  readonly low: number
}

const lives = `now_ms() + ${sessionMs}`

/** Opens a session, and returns the identity of the database in which it is. */
export function openLeases(sql: Sql, session: string, node: string): Promise<string> {
  return sql.transaction(async (query, commit) => {
    const [, identity] = await Promise.all([
      query(
        `insert into session (id, node, opened_ms, expires_ms, closed_ms, last_batch)
         values ($1, $2, now_ms(), ${lives}, null, 0) on conflict (id) do nothing`,
        [session, node],
      ),
      databaseIdentityOf(query),
      commit(),
    ])
    return identity
  })
}

/** Members of every reply of the database to a settlement. */
interface Heard {
  readonly identity: string
  /** Lead of its clock over that of this service, give or take half the time that it took to answer. */
  readonly aheadMs: number
  /** Accounts of the settlement that it does not have: nothing was done for them. */
  readonly lost: readonly number[]
}

/** Result of a settlement: the leases of its accounts as they are now, or why there are none. */
export type Reply = Heard &
  (
    | {
        readonly leases: readonly Lease[]
        /** Accounts whose lease, as the database has it, does not pay for what was sold: that is given away. */
        readonly unpaid: readonly number[]
        readonly closed?: never
      }
    | { readonly closed: SessionState; readonly leases?: never }
  )

/**
 * Carries out a settlement, and lets the session live on, in two round trips: one that locks and reads, and one that
 * writes.
 * @param clock milliseconds from any origin.
 * @throws Refusal `ledger-refused`; then it may have been carried out all the same, and is to be sent
 * again as it was.
 */
export function carryOut(sql: Sql, settlement: Settlement, clock: () => number): Promise<Reply> {
  const told = entriesOf(settlement)
  const numbers = numbersOf(told)
  return sql.transaction(async (query, commit) => {
    const [moment, sessionState, states, rooms, atMs] = await Promise.all([
      momentOf(query, clock),
      sessionStateOf(query, settlement.session, 'for update'),
      lockAccounts(query, numbers),
      roomsOf(query, settlement.session, numbers),
      // Behind the locks: what is charged to an account later is not of a day before.
      databaseMs(query),
    ])
    const heard = { ...moment, lost: numbers.filter((number) => !states.has(number)) }
    if (sessionState.isClosed) return { ...heard, closed: sessionState }
    const entries = told.filter(({ accountNumber }) => states.has(accountNumber))
    const isCapped = (accountNumber: number) => Boolean(states.get(accountNumber)?.capped)
    const caps = await SettledCaps.read(query, settlement, isCapped)
    const isNew = sessionState.last < settlement.number
    const notCharged = isNew ? undefined : await notChargedBy(query, settlement)
    const isPaid = ({ accountNumber, costMicroUsd, given }: Entry) =>
      notCharged === undefined
        ? costMicroUsd + given <= (rooms.get(accountNumber) ?? 0) && caps.isPaid(accountNumber)
        : !notCharged.has(accountNumber)
    const paid = entries.filter(isPaid)
    const unpaid = entries.filter((entry) => !paid.includes(entry))
    const [, , , ...leases] = await Promise.all([
      isNew && change(query, settlement, paid, { states, caps, atMs }),
      isNew && giveAway(query, settlement, unpaid),
      query(
        `update session set expires_ms = ${lives},
           last_batch = case when last_batch < $2 then $2 else last_batch end
         where id = $1`,
        [settlement.session, settlement.number],
      ),
      leasesOf(query, settlement.session, numbersOf(entries)),
      caps.leases(),
      commit(),
    ])
    return { ...heard, leases: leases.flatMap((each) => each ?? []), unpaid: numbersOf(unpaid) }
  })
}

/** Returns the identity of this database, and the lead of its clock over that of this service. */
async function momentOf(query: RunStatement, clock: () => number) {
  const askedAtMs = clock()
  const [row] = await query<{ identity: string; at: number }>(
    'select identity, now_ms() as at from ledger_identity',
  )
  return { identity: row!.identity, aheadMs: row!.at - (askedAtMs + clock()) / 2 }
}

/** Amounts for which the leases of a session still pay; only a settlement of the session changes them. */
async function roomsOf(query: RunStatement, session: string, numbers: readonly number[]) {
  if (numbers.length === 0) return new Map<number, number>()
  const rows = await query<{ account: number; room: number }>(
    `select account, granted - spent as room from lease
     where session = $1 and account in list($2 as integer)`,
    [session, numbers],
  )
  return new Map(rows.map(({ account, room }) => [account, room]))
}

/** By account, in the order in which they are locked. */
export function entriesOf({
  charges,
  wants,
  gives,
  caps = [],
}: Omit<Settlement, 'session' | 'number'>): Entry[] {
  const sold = new Map(chargesByAccount(charges))
  const wanted = new Map(wants.map((want) => [want.accountNumber, want]))
  const ofCaps = caps.map(({ accountNumber }) => accountNumber)
  const numbers = new Set([...sold.keys(), ...wanted.keys(), ...gives.keys(), ...ofCaps])
  return [...numbers]
    .sort((a, b) => a - b)
    .map((accountNumber) => {
      const ofAccount = sold.get(accountNumber) ?? []
      const given = gives.get(accountNumber) ?? 0
      const want = wanted.get(accountNumber)
      return { accountNumber, charges: ofAccount, ...sumOfCharges(ofAccount), given, want }
    })
}

export function numbersOf(entries: readonly Entry[]): number[] {
  return entries.map(({ accountNumber }) => accountNumber)
}

/** Rows that were read of accounts that are locked. */
interface Read {
  readonly states: ReadonlyMap<number, AccountState>
  readonly caps: SettledCaps
  /** Time of the charges. */
  readonly atMs: number
}

/** All in one flight of statements: none of them waits for another. */
async function change(
  query: RunStatement,
  settlement: Settlement,
  entries: readonly Entry[],
  { states, caps, atMs }: Read,
): Promise<void> {
  if (entries.length === 0) return
  const grants = entries.map((entry) => {
    const { free } = states.get(entry.accountNumber)!
    return entry.want === undefined ? 0 : grantOf(free + entry.given, entry.want)
  })
  await Promise.all([
    changeLeases(query, settlement.session, entries, grants),
    addCharges(
      query,
      entries.flatMap(({ charges }) => charges),
      atMs,
    ),
    changeAccounts(query, entries, grants),
    caps.change(numbersOf(entries), atMs),
    recall(query, entries, grants, states),
    // Last, as everywhere: this locks the head of all events.
    insertEvents(query, [
      ...lowBalances(entries, states),
      ...caps.reached(numbersOf(entries), atMs),
    ]),
  ])
}

/** The events of accounts whose balances their charges take below what is low. */
export function lowBalances(
  entries: readonly Entry[],
  states: ReadonlyMap<number, AccountState>,
): NewEvent[] {
  return entries.flatMap(({ accountNumber, costMicroUsd }) => {
    const { name, balance, low } = states.get(accountNumber)!
    return lowBalance({ name, balanceMicroUsd: balance, lowMicroUsd: low }, -costMicroUsd)
  })
}

/** Locks those that are there. */
export async function lockAccounts(
  query: RunStatement,
  numbers: readonly number[],
): Promise<Map<number, AccountState>> {
  if (numbers.length === 0) return new Map()
  const rows = await query<AccountState>(
    `select id, name, free, credited - charged as balance, credit_count, capped,
       (select low from event_head) as low
     from account
     where id in list($1 as integer) order by id for update`,
    [numbers],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** In two steps, because a row that is inserted has to hold by itself. */
async function changeLeases(
  query: RunStatement,
  session: string,
  entries: readonly Entry[],
  grants: readonly number[],
): Promise<void> {
  const rows = entries.map(({ accountNumber, given, costMicroUsd }, index) => {
    return [accountNumber, grants[index]! - given, costMicroUsd]
  })
  const values = [session, rows]
  const moved = 'rows($2 as account integer, granted bigint, spent bigint) as moved'
  await Promise.all([
    query(
      `insert into lease (session, account, granted, spent)
       select $1, account, 0, 0 from ${moved} where true
       on conflict (session, account) do nothing`,
      values,
    ),
    query(
      `update lease set granted = lease.granted + moved.granted, spent = lease.spent + moved.spent
       from ${moved} where lease.session = $1 and lease.account = moved.account`,
      values,
    ),
  ])
}

/** Writes down what is not charged, so that the settlement has the same answer when it is sent again. */
export function giveAway(
  query: RunStatement,
  { session, number }: Pick<Settlement, 'session' | 'number'>,
  entries: readonly Entry[],
): Promise<void> {
  const sold = entries.filter(({ charges }) => charges.length > 0)
  return insertGivenAway(
    query,
    session,
    sold.map((entry) => ({ number, ...entry })),
  )
}

export async function changeAccounts(
  query: RunStatement,
  entries: readonly Entry[],
  grants: readonly number[],
): Promise<void> {
  const rows = entries.map(({ accountNumber, given, costMicroUsd }, index) => {
    return [accountNumber, given - grants[index]!, costMicroUsd]
  })
  await query(
    `update account set free = free + moved.freed, charged = charged + moved.cost
     from rows($1 as account integer, freed bigint, cost bigint) as moved
     where account.id = moved.account`,
    [rows],
  )
}

/** Has others give back what is needed here, where what they hold would be enough. */
async function recall(
  query: RunStatement,
  entries: readonly Entry[],
  grants: readonly number[],
  states: ReadonlyMap<number, AccountState>,
): Promise<void> {
  const missing = entries.filter(({ accountNumber, costMicroUsd, want }, index) => {
    const needed = want?.neededMicroUsd ?? 0
    const { balance } = states.get(accountNumber)!
    return want?.recalls === true && grants[index]! < needed && balance - costMicroUsd >= needed
  })
  if (missing.length === 0) return
  await recallAll(query, numbersOf(missing))
}

async function leasesOf(
  query: RunStatement,
  session: string,
  numbers: readonly number[],
): Promise<readonly Lease[]> {
  if (numbers.length === 0) return []
  return query<Lease>(
    `select lease.account as "accountNumber", granted as "grantedMicroUsd", spent as "spentMicroUsd",
       credited - charged as "balanceMicroUsd"
     from lease join account on account.id = lease.account
     where session = $1 and lease.account in list($2 as integer)`,
    [session, numbers],
  )
}
