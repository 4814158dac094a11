/**
 * Accounts. An adjustment takes back free money only, never money leased to a service, so no sale
 * can overdraw an account. Locks are taken in one order everywhere: session, accounts by number,
 * `ledger_change`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { balanceMicroUsdMax, formatUsd, openingMicroUsdDefault } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { type Account, balanceOf, isSuspended, type Movement } from './account-records.ts'
import { checkName, checkNewName, checkOpening } from './checks.ts'
import { insertEvents, lowBalance } from './events.ts'
import { databaseAccountsMax, type Funds, type FundsId } from './port.ts'
import { reap, reaperSteadyMs, settleMs } from './session-rows.ts'

const accountColumns = `id as "number", name, created_ms as "createdAtMs", credited as "creditedMicroUsd",
  charged as "chargedMicroUsd", free as "freeMicroUsd", credit_count as "creditCount", suspended_ms as "suspendedAtMs"`

/** Time for services to give back leases, killed ones included, and interval of looks; ms. */
const recallMsMax = reaperSteadyMs + settleMs + 1_000
const recallLookMs = 250

/**
 * Other changes wait until this transaction is done, so no reader sees a change before those with
 * smaller numbers.
 */
export async function noteChange(query: RunStatement): Promise<number> {
  const [row] = await query<{ n: number }>('update ledger_change set n = n + 1 returning n')
  return row!.n
}

/** Has services give back what they hold of some accounts and caps. The accounts are locked. */
export async function recallAll(query: RunStatement, ids: readonly FundsId[]): Promise<void> {
  if (ids.length === 0) return
  const recall = (table: string, isOne: string, type: string) => {
    const some = ids.filter((id) => typeof id === type)
    const text = `update ${table} set changed = change.n, recalled = change.n
      from ledger_change as change where ${isOne}`
    return some.length > 0 && query(text, [some])
  }
  await Promise.all([
    query('update ledger_change set n = n + 1'),
    recall('account', 'account.id in list($1 as integer)', 'number'),
    recall('key_cap', 'key_id in list($1 as text)', 'string'),
  ])
}

/** The head of the audit log is locked. @throws Refusal `wrong-usage`; `ledger-refused` for a name that is taken, or without room. */
export async function insertAccount(
  query: RunStatement,
  name: string,
  openingMicroUsd = openingMicroUsdDefault,
): Promise<Account> {
  checkNewName(name)
  checkOpening(openingMicroUsd)
  const [found] = await query<{ last: number; taken: number }>(
    `select coalesce(max(id), 0) as last, (select count(*) from account where name = $1) as taken
     from account`,
    [name],
  )
  const { last, taken } = found!
  if (taken > 0) throw new Refusal('ledger-refused', `there is already an account '${name}'`)
  if (last >= databaseAccountsMax) {
    throw new Refusal('ledger-refused', `a ledger holds at most ${databaseAccountsMax} accounts`)
  }
  const [account] = await query<Account>(
    `insert into account (id, name, created_ms, credited, charged, free, credit_count, changed, recalled)
     values ($1, $2, now_ms(), 0, 0, 0, 0, 0, 0) returning ${accountColumns}`,
    [last + 1, name],
  )
  const opening = { kind: 'opening', amountMicroUsd: openingMicroUsd } as const
  return credit(query, account!, { ...opening, reference: null, reason: null })
}

/** Every account, oldest first. */
export function selectAccounts(query: RunStatement): Promise<Account[]> {
  return query<Account>(`select ${accountColumns} from account order by id`)
}

/** @param lock `for update`, or nothing. */
export async function findAccount(
  query: RunStatement,
  name: string,
  lock = '',
): Promise<Account | undefined> {
  const text = `select ${accountColumns} from account where name = $1 ${lock}`
  return (await query<Account>(text, [name]))[0]
}

export async function selectAccount(
  query: RunStatement,
  name: string,
  lock = '',
): Promise<Account> {
  checkName(name)
  const account = await findAccount(query, name, lock)
  if (account !== undefined) return account
  throw new Refusal('ledger-refused', `there is no account '${name}'`, 'not-there')
}

/** Leases keep an adjustment waiting: services have to give back first. */
class Leased extends Error {
  readonly accountNumber: number

  constructor(accountNumber: number) {
    super('the account is being sold from')
    this.accountNumber = accountNumber
  }
}

/** Result of a top-up or an adjustment: `credited` is false if the ledger had its reference already. */
export interface Credited {
  readonly account: Account
  readonly credited: boolean
}

/** Once per reference. Waits while services have leased what is to be taken back. */
export async function creditOnce(
  sql: Sql,
  name: string,
  order: Movement,
  change: (work: (query: RunStatement) => Promise<Credited>) => Promise<Credited>,
): Promise<Credited> {
  const startMs = performance.now()
  let waitedMs = 0
  do {
    // Frees the leases of services that were killed: perhaps no service runs that would end their sessions.
    if (waitedMs >= reaperSteadyMs) await reap(sql)
    if (waitedMs > 0) await sleep(recallLookMs)
    try {
      return await change((query) => creditFree(query, name, order))
    } catch (error) {
      if (!(error instanceof Leased)) throw error
      await recall(sql, error.accountNumber)
    }
    waitedMs = performance.now() - startMs
  } while (waitedMs < recallMsMax)
  const amount = formatUsd(-order.amountMicroUsd)
  const reason = `${amount} USD of account '${name}' are being sold from; try again`
  throw new Refusal('ledger-refused', reason)
}

function recall(sql: Sql, accountNumber: number): Promise<void> {
  return sql.transaction(async (query) => {
    await query('select 1 from account where id = $1 for update', [accountNumber])
    await recallAll(query, [accountNumber])
  })
}

async function creditFree(query: RunStatement, name: string, order: Movement): Promise<Credited> {
  const account = await selectAccount(query, name, 'for update')
  const [earlier] = await query<Pick<Movement, 'kind' | 'amountMicroUsd'>>(
    'select kind, amount as "amountMicroUsd" from credit where account = $1 and reference = $2',
    [account.number, order.reference],
  )
  if (earlier !== undefined) {
    refuseUnlessSame(name, order, earlier)
    return { account, credited: false }
  }
  refuseUnlessHoldable(account, order.amountMicroUsd)
  if (account.freeMicroUsd + order.amountMicroUsd < 0) throw new Leased(account.number)
  const changed = await credit(query, account, order)
  const [head] = await query<{ low: number }>('select low from event_head')
  await insertEvents(query, lowBalance(name, head!.low, balanceOf(account), balanceOf(changed)))
  return { account: changed, credited: true }
}

function refuseUnlessSame(
  name: string,
  { reference, kind, amountMicroUsd }: Movement,
  earlier: Pick<Movement, 'kind' | 'amountMicroUsd'>,
): void {
  if (earlier.kind === kind && earlier.amountMicroUsd === amountMicroUsd) return
  const what = earlier.kind === kind ? '' : `${earlier.kind} of `
  const amount = `${formatUsd(earlier.amountMicroUsd)} USD`
  throw new Refusal(
    'ledger-refused',
    `reference '${reference}' of account '${name}' stands for ${what}${amount}`,
  )
}

function refuseUnlessHoldable(account: Account, amountMicroUsd: number): void {
  const { name } = account
  const balanceMicroUsd = balanceOf(account) + amountMicroUsd
  if (balanceMicroUsd > balanceMicroUsdMax) {
    const limit = formatUsd(balanceMicroUsdMax)
    throw new Refusal('ledger-refused', `account '${name}' cannot hold more than ${limit} USD`)
  }
  if (balanceMicroUsd < 0) {
    const balance = formatUsd(balanceOf(account))
    throw new Refusal('ledger-refused', `the balance of account '${name}' is only ${balance} USD`)
  }
}

/** The account is locked. */
export async function credit(
  query: RunStatement,
  { number, creditCount }: Pick<Account, 'number' | 'creditCount'>,
  { kind, amountMicroUsd, reference, reason }: Movement,
): Promise<Account> {
  await query(
    `insert into credit (account, n, at_ms, kind, amount, reference, reason)
     values ($1, $2, now_ms(), $3, $4, $5, $6)`,
    [number, creditCount + 1, kind, amountMicroUsd, reference, reason],
  )
  const [changed] = await query<Account>(
    `update account set credited = credited + $2, free = free + $2, credit_count = credit_count + 1,
     changed = $3 where id = $1 returning ${accountColumns}`,
    [number, amountMicroUsd, await noteChange(query)],
  )
  return changed!
}

/** A change of keys, as it says which of them are good. @returns false when it was so before. */
export async function setSuspended(
  query: RunStatement,
  name: string,
  suspended: boolean,
): Promise<boolean> {
  const account = await selectAccount(query, name, 'for update')
  if (isSuspended(account) === suspended) return false
  const atMs = suspended ? 'now_ms()' : 'null'
  await query(`update account set suspended_ms = ${atMs} where id = $1`, [account.number])
  await query('update api_key set changed = $2 where account = $1', [
    ...[account.number, await noteChange(query)],
  ])
  const kind = suspended ? 'account.suspended' : 'account.resumed'
  await insertEvents(query, [{ kind, subject: name, details: {} }])
  return true
}

/** An account, or the cap of a key, as services hear of it. */
export interface FundNews extends Funds {
  /** Time at which the account was made: a ledger that lost an account may give its number to another. */
  readonly madeAtMs: number
  readonly recalled: number
}

/** Numbers of the accounts, or ids of the keys, that changed after a change, so many at most. */
export async function changedSince<Id extends FundsId>(
  query: RunStatement,
  table: Id extends number ? 'account' : 'api_key',
  change: number,
  most: number,
): Promise<Id[]> {
  const text = `select id from ${table} where changed > $1 limit $2`
  return (await query<{ id: Id }>(text, [change, most])).map(({ id }) => id)
}

export async function accountNews(
  query: RunStatement,
  numbers: readonly number[],
): Promise<FundNews[]> {
  if (numbers.length === 0) return []
  return query<FundNews>(
    `select id as "accountNumber", created_ms as "madeAtMs", credited as "grantedMicroUsd",
       charged as "spentMicroUsd", recalled
     from account where id in list($1 as integer) order by id`,
    [numbers],
  )
}
