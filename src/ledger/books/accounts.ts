/**
 * Accounts: making them, finding them, crediting them. A credit is on the disk before it is
 * acknowledged, and a reference is credited once, however often it is sent.
 */
import { balanceMicroUsdMax, formatUsd, microUsdPerUsd, topUpMicroUsdMax } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { mentionsKey } from '../key.ts'
import { accountsMax } from '../port.ts'
import type { Environment } from './environment.ts'
import { appendRow, balanceOf } from './journal.ts'
import type { Account, Tables } from './tables.ts'

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

/** What a top-up did: `credited` is false when the reference had already been credited. */
export interface TopUp {
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
): TopUp {
  refuseUnlessPayable(amountMicroUsd, reference)
  return environment.write('accounts', (tables) => {
    const account = accountNamed(tables, name)
    if (isCredited(tables, account, amountMicroUsd, reference)) return { account, credited: false }
    if (balanceOf(account) + amountMicroUsd > balanceMicroUsdMax) {
      const limit = formatUsd(balanceMicroUsdMax)
      throw new Refusal('ledger-refused', `account '${name}' cannot hold more than ${limit} USD`)
    }
    const movement = { kind: 'top-up', amountMicroUsd, reference } as const
    const credited = appendRow(tables, account, movement, environment.clock())
    tables.references.putSync([account.number, reference], credited.rows)
    return { account: credited, credited: true }
  })
}

function refuseUnlessPayable(amountMicroUsd: number, reference: string): void {
  const isAmount = Number.isSafeInteger(amountMicroUsd) && amountMicroUsd > 0
  if (!isAmount || amountMicroUsd > topUpMicroUsdMax) {
    const limit = formatUsd(topUpMicroUsdMax)
    throw new Refusal('wrong-usage', `a top-up is more than 0 and at most ${limit} USD`)
  }
  if (!/^[^\p{C}]{1,128}$/u.test(reference) || mentionsKey(reference)) {
    throw new Refusal('wrong-usage', 'a reference is 1 to 128 printable characters')
  }
}

/** @throws Refusal `ledger-refused` when the reference stands for another amount. */
function isCredited(
  tables: Tables,
  account: Account,
  amountMicroUsd: number,
  reference: string,
): boolean {
  const sequence = tables.references.get([account.number, reference])
  if (sequence === undefined) return false
  const earlierMicroUsd = tables.journal.get([account.number, sequence])?.amountMicroUsd
  if (earlierMicroUsd === amountMicroUsd) return true
  const earlier =
    earlierMicroUsd === undefined ? 'another amount' : `${formatUsd(earlierMicroUsd)} USD`
  throw new Refusal(
    'ledger-refused',
    `reference '${reference}' of account '${account.name}' stands for ${earlier}`,
  )
}

function lastNumber(tables: Tables): number {
  const [last] = tables.accounts.getKeys({ reverse: true, limit: 1 })
  return last ?? 0
}
