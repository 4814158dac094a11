/**
 * A settlement: one transaction in which a session reports its sales, asks for leases and gives
 * leases back; the ledger answers with the leases, in absolute numbers. Accounts and caps are
 * leased alike. A session that holds the whole has all that there is as its lease.
 *
 * A session that others have ended sells nothing more: its late charges are given away in the next.
 * A settlement has a number in its session; one that the ledger has already is answered and not
 * repeated. An account that does not cover its part never keeps the others from theirs.
 */

import { credit, recallAll } from '../books/account-rows.ts'
import { type CapState, reachedCaps, selectCaps, spendCaps } from '../books/caps/cap-rows.ts'
import { addCharges, insertGivenAway, notChargedBy } from '../books/charge-rows.ts'
import { insertEvents, lowBalance } from '../books/events.ts'
import { databaseMs } from '../books/key-rows.ts'
import type { Charge, ChargeBatch, Funds, FundsId } from '../books/port.ts'
import { grouped, totalOf } from '../books/sales.ts'
import { neverMs, type SessionState, sessionMs, sessionStateOf } from '../books/session-rows.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { grantOf, type Want } from './holding.ts'

export interface Move {
  readonly accountNumber: number
  /** The key that has the cap; absent for the account itself. */
  readonly keyId?: string
  /** Amount that the service does not sell any more. */
  readonly given: number
  readonly want?: Want | undefined
}

export interface Settlement {
  readonly session: string
  /** Counts up within a session, beyond the windows that are in it. */
  readonly number: number
  readonly charges: readonly Charge[]
  /** What was sold in windows that no lease pays for any more, under the number of the last of them. */
  readonly late?: ChargeBatch | undefined
  /** At most one for each account and cap. */
  readonly moves: readonly Move[]
}

/**
 * Balance of an account or a cap in the ledger, and the part of it that this session has leased:
 * sums since it was opened; of the account or the cap itself for a session that holds the whole.
 */
export interface Lease extends Omit<Funds, 'heldByOtherNodesMicroUsd'> {
  /** All that the account has, or the cap has left: what is free and what is leased. */
  readonly balanceMicroUsd: number
}

interface AccountState {
  readonly accountNumber: number
  readonly keyId?: never
  readonly name: string
  readonly granted: number
  readonly spent: number
  readonly free: number
  readonly creditCount: number
  /** Whether it has, or had, a key with a cap: true or 1. */
  readonly capped: boolean | number
  readonly low: number
}

interface Leased {
  readonly granted: number
  readonly spent: number
}

interface Entry<S extends AccountState | CapState = AccountState | CapState> {
  readonly state: S
  readonly charges: readonly Charge[]
  readonly costMicroUsd: number
  /** What of the cost the lease pays for: not what was sold before the service heard of a cap. */
  readonly leasedMicroUsd: number
  readonly given: number
  readonly want: Want | undefined
  readonly granted: number
  /** Undefined where the session never had one. */
  readonly lease: Leased | undefined
}

export interface Reply {
  /** Lead of its clock over that of this service, give or take half the time that it took to answer. */
  readonly aheadMs: number
  /** Accounts of the settlement that it does not have: nothing was done for them. */
  readonly lost: readonly number[]
  /** Set where the session was ended: nothing was done then. */
  readonly closed?: SessionState
  readonly leases: readonly Lease[]
  /** Accounts whose lease, as the ledger has it, does not pay for what was sold: that is given away. */
  readonly unpaid: readonly number[]
}

/**
 * Two round trips: one that locks and reads, and one that writes; caps take one more.
 * @param clock milliseconds from any origin.
 * @throws Refusal `ledger-refused`; it may have been carried out all the same, and is to be sent
 * again as it was.
 */
export function settle(sql: Sql, settlement: Settlement, clock: () => number): Promise<Reply> {
  const { session, number, late } = settlement
  const numbers = numbersIn(settlement)
  return sql.transaction(async (query, commit) => {
    const [aheadMs, sessionState, accounts, leased, atMs] = await Promise.all([
      aheadOf(query, clock),
      sessionStateOf(query, session, 'for update'),
      lockAccounts(query, numbers),
      selectLeases(query, session, numbers),
      // Behind the locks: what is charged to an account later is not of a day before.
      databaseMs(query),
    ])
    const { isWhole, isClosed, last } = sessionState
    const heard = { aheadMs, lost: numbers.filter((each) => !accounts.has(each)) }
    if (isClosed) return { ...heard, closed: sessionState, leases: [], unpaid: [] }
    const isNew = last < number
    const notCharged = isNew ? undefined : await notChargedBy(query, settlement)
    const caps = await capsOf(query, settlement, accounts, atMs)
    const entries = entriesOf(
      settlement,
      [...accounts.values(), ...caps],
      isWhole ? undefined : leased,
    )
    if (isWhole && isNew) await coverMissing(query, entries)
    const unpaid = notCharged ?? new Set(entries.filter(isShort(isWhole)).map(numberOf))
    const isDone = (entry: Entry) => isNew && !unpaid.has(numberOf(entry))
    // Written down, so that the settlement has the same answer when it is sent again.
    const givenAway = settlement.charges.filter((each) => unpaid.has(each.accountNumber))
    await Promise.all([
      change(query, { session, isWhole, atMs }, entries.filter(isDone)),
      isNew && insertGivenAway(query, session, { number, charges: givenAway }),
      isNew && late && insertGivenAway(query, session, late),
      query(
        `update session set expires_ms = $2, last_batch = case when last_batch < $3 then $3 else last_batch end
         where id = $1`,
        [session, isWhole ? neverMs : atMs + sessionMs, number],
      ),
      commit(),
    ])
    const leases = entries.flatMap((each) => leaseOf(each, isDone(each)))
    return { ...heard, leases, unpaid: [...unpaid] }
  })
}

async function aheadOf(query: RunStatement, clock: () => number): Promise<number> {
  const askedAtMs = clock()
  return (await databaseMs(query)) - (askedAtMs + clock()) / 2
}

function numbersIn({ charges, moves, late }: Settlement): number[] {
  const parts = [...charges, ...moves, ...(late?.charges ?? [])]
  const numbers = new Set(parts.map(({ accountNumber }) => accountNumber))
  return [...numbers].sort((a, b) => a - b)
}

async function lockAccounts(
  query: RunStatement,
  numbers: readonly number[],
): Promise<Map<number, AccountState>> {
  if (numbers.length === 0) return new Map()
  const rows = await query<AccountState>(
    `select id as "accountNumber", name, credited as granted, charged as spent, free,
       credit_count as "creditCount", capped, (select low from event_head) as low
     from account
     where id in list($1 as integer) order by id for update`,
    [numbers],
  )
  return new Map(rows.map((row) => [row.accountNumber, row]))
}

/** Leases of a session, also of caps; only a settlement of the session changes them. */
async function selectLeases(
  query: RunStatement,
  session: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<FundsId, Leased>> {
  if (numbers.length === 0) return new Map()
  const rows = await query<Leased & { readonly account: number; readonly key_id: string }>(
    `select account, key_id, granted, spent from lease
     where session = $1 and account in list($2 as integer)`,
    [session, numbers],
  )
  return new Map(rows.map((row) => [row.key_id || row.account, row]))
}

/** Caps of keys of accounts that have, or had, any. Asks nothing for others. */
async function capsOf(
  query: RunStatement,
  { charges, moves }: Settlement,
  accounts: ReadonlyMap<number, AccountState>,
  atMs: number,
): Promise<readonly CapState[]> {
  const named = [...charges, ...moves].filter(({ accountNumber }) =>
    Boolean(accounts.get(accountNumber)?.capped),
  )
  const keyIds = [...new Set(named.flatMap(({ keyId }) => keyId ?? []))]
  return keyIds.length === 0 ? [] : selectCaps(query, keyIds, atMs)
}

function entriesOf(
  { charges, moves }: Settlement,
  states: readonly (AccountState | CapState)[],
  leases: ReadonlyMap<FundsId, Leased> | undefined,
): Entry[] {
  const ofAccounts = grouped(charges, ({ accountNumber }) => accountNumber)
  const ofKeys = grouped(charges, ({ keyId }) => keyId)
  const moved = new Map(moves.map((each) => [idOf(each), each]))
  return states.map((state) => {
    const id = idOf(state)
    const { given = 0, want } = moved.get(id) ?? {}
    const own = (typeof id === 'number' ? ofAccounts.get(id) : ofKeys.get(id)) ?? []
    const isLeased = leases === undefined || typeof id === 'number'
    const costMicroUsd = totalOf(own).amountMicroUsd
    const ofLease = isLeased ? own : own.filter(({ isCapped }) => isCapped === true)
    const leasedMicroUsd = totalOf(ofLease).amountMicroUsd
    const free = Math.max(0, state.free + given + leasedMicroUsd - costMicroUsd)
    const granted = want === undefined ? 0 : grantOf(free, want)
    const lease = leases === undefined ? state : leases.get(id)
    return { state, charges: own, costMicroUsd, leasedMicroUsd, given, want, granted, lease }
  })
}

export function idOf({ accountNumber, keyId }: Pick<Move, 'accountNumber' | 'keyId'>): FundsId {
  return keyId ?? accountNumber
}

function numberOf({ state }: Entry): number {
  return state.accountNumber
}

function isOfAccount(entry: Entry): entry is Entry<AccountState> {
  return entry.state.keyId === undefined
}

function isOfCap(entry: Entry): entry is Entry<CapState> {
  return !isOfAccount(entry)
}

/** What a session that holds the whole sold beyond a cap that was lowered meanwhile is charged all the same. */
function isShort(isWhole: boolean): (entry: Entry) => boolean {
  return (entry) => {
    const { leasedMicroUsd, given, lease = { granted: 0, spent: 0 } } = entry
    const isHeldToIt = isOfAccount(entry) || !isWhole
    return isHeldToIt && leasedMicroUsd + given > lease.granted - lease.spent
  }
}

/** Gives back, with an adjustment, what was taken while a session that holds the whole sold it. */
async function coverMissing(query: RunStatement, entries: Entry[]): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    if (!isOfAccount(entry)) continue
    const { accountNumber: number, granted, spent, creditCount } = entry.state
    const missing = entry.costMicroUsd - (granted - spent)
    if (missing <= 0) continue
    const [row] = await query<{ taken: number }>(
      `select cast(coalesce(sum(0 - amount), 0) as bigint) as taken from credit
       where account = $1 and amount < 0`,
      [number],
    )
    if (missing > row!.taken) continue
    const kind = 'adjustment'
    const reference = `sold while it was taken back, row ${creditCount + 1}`
    const reason = 'a service had not seen yet that it was taken back'
    const movement = { kind, amountMicroUsd: missing, reference, reason } as const
    await credit(query, { number, creditCount }, movement)
    const state = { ...entry.state, granted: granted + missing }
    entries[index] = { ...entry, state, lease: state }
  }
}

/** All in one flight of statements: none of them waits for another. */
async function change(
  query: RunStatement,
  { session, isWhole, atMs }: { session: string; isWhole: boolean; atMs: number },
  entries: readonly Entry[],
): Promise<void> {
  const accounts = entries.filter(isOfAccount)
  const caps = entries.filter(isOfCap).filter(({ costMicroUsd }) => costMicroUsd > 0)
  const lacking = entries.filter(isElsewhere).map(({ state }) => idOf(state))
  await Promise.all([
    isWhole || changeLeases(query, session, entries.filter(isMoved)),
    addCharges(
      query,
      accounts.flatMap(({ charges }) => charges),
      atMs,
    ),
    changeAccounts(query, accounts, isWhole),
    spendCaps(query, caps, atMs),
    recallAll(query, lacking),
    // Last, as everywhere: this locks the head of all events.
    insertEvents(query, [
      ...accounts.flatMap(({ state: { name, granted, spent, low }, costMicroUsd }) =>
        lowBalance(name, low, granted - spent, granted - spent - costMicroUsd),
      ),
      ...reachedCaps(caps, atMs),
    ]),
  ])
}

function isMoved({ leasedMicroUsd, given, want }: Entry): boolean {
  return leasedMicroUsd > 0 || given > 0 || want !== undefined
}

/** Whether others are to give back what is needed here: what they hold would be enough. */
function isElsewhere({ state, want, granted, costMicroUsd }: Entry): boolean {
  if (want === undefined || !want.recalls || granted >= want.neededMicroUsd) return false
  return state.granted - state.spent - costMicroUsd >= want.neededMicroUsd
}

/** In two steps, because a row that is inserted has to hold by itself. */
async function changeLeases(
  query: RunStatement,
  session: string,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ state, granted, given, leasedMicroUsd }) => {
    return [state.accountNumber, state.keyId ?? '', granted - given, leasedMicroUsd]
  })
  const values = [session, rows]
  const moved = 'rows($2 as account integer, key_id text, granted bigint, spent bigint) as moved'
  await Promise.all([
    query(
      `insert into lease (session, account, key_id, granted, spent)
       select $1, account, key_id, 0, 0 from ${moved} where true
       on conflict (session, account, key_id) do nothing`,
      values,
    ),
    query(
      `update lease set granted = lease.granted + moved.granted, spent = lease.spent + moved.spent
       from ${moved}
       where lease.session = $1 and lease.account = moved.account and lease.key_id = moved.key_id`,
      values,
    ),
  ])
}

/** What a session that holds the whole sells was free until now. */
async function changeAccounts(
  query: RunStatement,
  entries: readonly Entry[],
  isWhole: boolean,
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ state, given, granted, costMicroUsd }) => {
    return [state.accountNumber, given - granted - (isWhole ? costMicroUsd : 0), costMicroUsd]
  })
  await query(
    `update account set free = free + moved.freed, charged = charged + moved.cost
     from rows($1 as account integer, freed bigint, cost bigint) as moved
     where account.id = moved.account`,
    [rows],
  )
}

/** The lease of an entry as the settlement leaves it, or as it found it where it is not done; none that never was. */
function leaseOf(entry: Entry, isDone: boolean): Lease[] {
  const { state, lease, granted, given, leasedMicroUsd, costMicroUsd } = entry
  if (lease === undefined && !(isDone && isMoved(entry))) return []
  const { accountNumber, keyId } = state
  const sums = { granted: 0, spent: 0, ...lease }
  const moved = isDone ? 1 : 0
  return [
    {
      accountNumber,
      ...(keyId !== undefined && { keyId }),
      grantedMicroUsd: sums.granted + moved * (granted - given),
      spentMicroUsd: sums.spent + moved * leasedMicroUsd,
      balanceMicroUsd: state.granted - state.spent - moved * costMicroUsd,
    },
  ]
}
