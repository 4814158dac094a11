/**
 * Accounts: making them, finding them, crediting, correcting and suspending them. A credit is on the
 * disk before it is acknowledged, and a reference is credited once, however often it is sent.
 */
import { balanceMicroUsdMax, formatUsd, microUsdPerUsd, topUpMicroUsdMax } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { mentionsKey } from '../key.ts'
import { accountsMax } from '../port.ts'
import type { Environment } from './environment.ts'
import { appendRow, balanceOf } from './journal.ts'
import type { Account, Movement, Tables } from './tables.ts'

/** What a new account starts with. */
export const openingMicroUsd = 50 * microUsdPerUsd

/**
 * Makes an account with its opening credit.
 * @throws Refusal `wrong-usage` for a name that is none, `ledger-refused` for one that is taken.
 */
export function createAccount(environment: Environment, name: string): Account {
  if (!isAccountName(name)) {
    throw new Refusal('wrong-usage', 'an account name is 1 to 64 of A-Z a-z 0-9 . _ -')
  }
  return environment.write('accounts', (tables) => {
    if (tables.names.get(name) !== undefined) {
      throw new Refusal('ledger-refused', `there is already an account '${name}'`)
    }
    const number = lastNumber(tables) + 1
    if (number > accountsMax) {
      throw new Refusal('ledger-refused', `a ledger holds at most ${accountsMax} accounts`)
    }
    tables.names.putSync(name, number)
    const createdAtMs = environment.clock()
    const empty = { number, name, createdAtMs, creditedMicroUsd: 0, chargedMicroUsd: 0, rows: 0 }
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
  if (!isAccountName(name))
    throw new Refusal('ledger-refused', 'that is not the name of an account')
  const number = tables.names.get(name)
  const account = number === undefined ? undefined : tables.accounts.get(number)
  if (account === undefined) throw new Refusal('ledger-refused', `there is no account '${name}'`)
  return account
}

function isAccountName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && !mentionsKey(name)
}

/** A movement of money that has a reference: it is made once. */
type Referenced = Extract<Movement, { reference: string }>

/** What a top-up or an adjustment did: `credited` is false when its reference had been there before. */
export interface Credited {
  readonly account: Account
  readonly credited: boolean
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
  if (!Number.isSafeInteger(amountMicroUsd) || amountMicroUsd <= 0 || isTooLarge(amountMicroUsd)) {
    const limit = formatUsd(topUpMicroUsdMax)
    throw new Refusal('wrong-usage', `a top-up is more than 0 and at most ${limit} USD`)
  }
  const movement = {
    kind: 'top-up',
    amountMicroUsd,
    reference: checkedReference(reference),
  } as const
  return creditOnce(environment, name, movement)
}

/** What an adjustment corrects, and why: for whoever reads the statement. */
export interface Adjustment {
  /** May be negative. */
  readonly amountMicroUsd: number
  readonly reference: string
  readonly reason: string
}

/**
 * Corrects what an account was credited, up or down, once per reference.
 * @throws Refusal as `topUp`; `ledger-refused` also for more than the balance.
 */
export function adjust(environment: Environment, name: string, adjustment: Adjustment): Credited {
  const { amountMicroUsd } = adjustment
  if (!Number.isSafeInteger(amountMicroUsd) || amountMicroUsd === 0 || isTooLarge(amountMicroUsd)) {
    const limit = formatUsd(topUpMicroUsdMax)
    throw new Refusal('wrong-usage', `an adjustment is not 0 and at most ${limit} USD, up or down`)
  }
  const reason = adjustment.reason.trim()
  if (!/^[^\p{C}]{1,256}$/u.test(reason) || mentionsKey(reason)) {
    throw new Refusal('wrong-usage', 'a reason is 1 to 256 printable characters')
  }
  const reference = checkedReference(adjustment.reference)
  return creditOnce(environment, name, { kind: 'adjustment', amountMicroUsd, reference, reason })
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

/** Whether the keys of the account are good for nothing at the moment. */
export function isSuspended({ suspendedAtMs = null }: Account): boolean {
  return suspendedAtMs !== null
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

function isTooLarge(amountMicroUsd: number): boolean {
  return Math.abs(amountMicroUsd) > topUpMicroUsdMax
}

/** Without white space around it: it is not seen, and the same payment would be credited twice. */
function checkedReference(text: string): string {
  const reference = text.trim()
  if (/^[^\p{C}]{1,128}$/u.test(reference) && !mentionsKey(reference)) return reference
  throw new Refusal('wrong-usage', 'a reference is 1 to 128 printable characters')
}

function creditOnce(environment: Environment, name: string, movement: Referenced): Credited {
  return environment.write('accounts', (tables) => {
    const account = accountNamed(tables, name)
    if (isCredited(tables, account, movement)) return { account, credited: false }
    const balanceMicroUsd = balanceOf(account) + movement.amountMicroUsd
    if (balanceMicroUsd > balanceMicroUsdMax) {
      const limit = formatUsd(balanceMicroUsdMax)
      throw new Refusal('ledger-refused', `account '${name}' cannot hold more than ${limit} USD`)
    }
    if (balanceMicroUsd < 0) {
      const balance = formatUsd(balanceOf(account))
      throw new Refusal('ledger-refused', `the balance of account '${name}' is only ${balance} USD`)
    }
    return { account: appendRow(tables, account, movement, environment.clock()), credited: true }
  })
}

/** @throws Refusal `ledger-refused` when the reference stands for something else. */
function isCredited(tables: Tables, account: Account, movement: Referenced): boolean {
  const { reference, kind, amountMicroUsd } = movement
  const sequence = tables.references.get([account.number, reference])
  if (sequence === undefined) return false
  const earlier = tables.journal.get([account.number, sequence])
  if (earlier?.kind === kind && earlier.amountMicroUsd === amountMicroUsd) return true
  const what = earlier?.kind === kind ? '' : `${earlier?.kind ?? 'something'} of `
  const amount =
    earlier === undefined ? 'another amount' : `${formatUsd(earlier.amountMicroUsd)} USD`
  throw new Refusal(
    'ledger-refused',
    `reference '${reference}' of account '${account.name}' stands for ${what}${amount}`,
  )
}

function lastNumber(tables: Tables): number {
  const [last] = tables.accounts.getKeys({ reverse: true, limit: 1 })
  return last ?? 0
}
