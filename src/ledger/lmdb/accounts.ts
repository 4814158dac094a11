/**
 * Accounts: making them, finding them, crediting, correcting and suspending them. A credit is on the
 * disk before it is acknowledged, and a reference is credited once, however often it is sent.
 */
import { openingMicroUsdDefault } from '../../money.ts'
import { type Account, isSuspended } from '../account-records.ts'
import type { Credited } from '../administration.ts'
import {
  type AccountRoom,
  type Adjustment,
  adjustmentOrder,
  checkName,
  checkNewName,
  checkOpening,
  newAccountNumber,
  noSuchAccount,
  type Referenced,
  refuseUnlessHoldable,
  refuseUnlessSame,
  topUpOrder,
} from '../checks/checked-orders.ts'
import { accountsMax, databaseAccountsMax } from '../port.ts'
import type { Environment } from './environment.ts'
import { appendRow } from './journal.ts'
import type { Tables } from './tables.ts'

const room: AccountRoom = {
  most: accountsMax,
  whenFull: `a ledger in a file holds at most ${accountsMax} accounts; one in PostgreSQL holds ${databaseAccountsMax}`,
}

/**
 * Makes an account with its opening credit.
 * @throws Refusal `wrong-usage` for a name or a credit that is none, `ledger-refused` for a name that is taken.
 */
export function createAccount(
  environment: Environment,
  name: string,
  openingMicroUsd = openingMicroUsdDefault,
): Account {
  checkNewName(name)
  checkOpening(openingMicroUsd)
  return environment.write('accounts', (tables) => {
    const isTaken = tables.names.get(name) !== undefined
    const number = newAccountNumber(name, isTaken, lastNumber(tables), room)
    tables.names.putSync(name, number)
    const createdAtMs = environment.clock()
    const totals = { creditedMicroUsd: 0, chargedMicroUsd: 0, rows: 0 }
    const empty = { number, name, createdAtMs, suspendedAtMs: null, ...totals }
    const opening = { kind: 'opening', amountMicroUsd: openingMicroUsd } as const
    return appendRow(tables, empty, opening, createdAtMs)
  })
}

/** Every account, oldest first. */
export function accounts(tables: Tables): Account[] {
  return Array.from(tables.accounts.getRange(), ({ value }) => value)
}

/** @throws Refusal `ledger-refused` when there is no such account. */
export function accountNamed(tables: Tables, name: string): Account {
  checkName(name)
  const number = tables.names.get(name)
  const account = number === undefined ? undefined : tables.accounts.get(number)
  if (account === undefined) throw noSuchAccount(name)
  return account
}

/**
 * Credits an account once per reference; the credit is durable when this returns.
 * @throws Refusal `wrong-usage` for an amount or reference that is none, `ledger-refused` for an
 * unknown account, a reference that was used for another amount, or a balance above its limit.
 */
export function topUp(
  environment: Environment,
  name: string,
  amountMicroUsd: number,
  reference: string,
): Credited {
  return creditOnce(environment, name, topUpOrder(amountMicroUsd, reference))
}

/**
 * Corrects what an account was credited, up or down, once per reference.
 * @throws Refusal as `topUp`; `ledger-refused` also for more than the balance.
 */
export function adjust(environment: Environment, name: string, adjustment: Adjustment): Credited {
  return creditOnce(environment, name, adjustmentOrder(adjustment))
}

/**
 * Makes all keys of an account good for nothing until it is resumed; its money stays.
 * @returns false when it was suspended before.
 * @throws Refusal `ledger-refused` for an unknown account.
 */
export function suspend(environment: Environment, name: string): boolean {
  return setSuspended(environment, name, environment.clock())
}

/** Ends a suspension; false when there was none. @throws Refusal as `suspend`. */
export function resume(environment: Environment, name: string): boolean {
  return setSuspended(environment, name, null)
}

/** A change of keys, not of accounts: it says which of them are good. */
function setSuspended(environment: Environment, name: string, atMs: number | null): boolean {
  return environment.write('keys', (tables) => {
    const account = accountNamed(tables, name)
    if (isSuspended(account) === (atMs !== null)) return false
    tables.accounts.putSync(account.number, { ...account, suspendedAtMs: atMs })
    return true
  })
}

function creditOnce(environment: Environment, name: string, movement: Referenced): Credited {
  return environment.write('accounts', (tables) => {
    const account = accountNamed(tables, name)
    if (isCredited(tables, account, movement)) return { account, credited: false }
    refuseUnlessHoldable(account, movement.amountMicroUsd)
    return { account: appendRow(tables, account, movement, environment.clock()), credited: true }
  })
}

/** @throws Refusal `ledger-refused` when the reference stands for something else. */
function isCredited(tables: Tables, account: Account, movement: Referenced): boolean {
  const sequence = tables.references.get([account.number, movement.reference])
  if (sequence === undefined) return false
  refuseUnlessSame(account.name, movement, tables.journal.get([account.number, sequence]))
  return true
}

function lastNumber(tables: Tables): number {
  const [last] = tables.accounts.getKeys({ reverse: true, limit: 1 })
  return last ?? 0
}
