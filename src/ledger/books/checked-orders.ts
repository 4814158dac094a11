/**
 * The checks of orders to the books, before anything is read. Nothing that could be a key gets
 * through.
 */
import { balanceMicroUsdMax, formatUsd, topUpMicroUsdMax } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import {
  type Account,
  balanceOf,
  type KeyRecord,
  type Movement,
  stateOf,
} from './account-records.ts'
import { mentionsKey } from './key.ts'
import { databaseAccountsMax } from './port.ts'

/** A movement of money that has a reference: it is made once. */
export type Referenced = Extract<Movement, { reference: string }>

export interface Adjustment {
  /** May be negative. */
  readonly amountMicroUsd: number
  readonly reference: string
  readonly reason: string
}

/** It stands in paths of the admin API, and HTTP clients take `.` and `..` out of a path. */
export function checkNewName(name: string): void {
  if (isAccountName(name) && !/^\.+$/.test(name)) return
  throw new Refusal(
    'wrong-usage',
    'an account name is 1 to 64 of A-Z a-z 0-9 . _ -, and not of dots alone',
  )
}

export function newAccountNumber(name: string, isTaken: boolean, lastNumber: number): number {
  if (isTaken) throw new Refusal('ledger-refused', `there is already an account '${name}'`)
  if (lastNumber < databaseAccountsMax) return lastNumber + 1
  throw new Refusal('ledger-refused', `a ledger holds at most ${databaseAccountsMax} accounts`)
}

export function checkOpening(amountMicroUsd: number): void {
  if (Number.isSafeInteger(amountMicroUsd) && amountMicroUsd >= 0 && !isTooLarge(amountMicroUsd))
    return
  const limit = formatUsd(topUpMicroUsdMax)
  throw new Refusal('wrong-usage', `an opening credit is from 0 to ${limit} USD`)
}

/** Checks the name of an existing account, which an older ledger may hold as dots alone. @throws Refusal `ledger-refused` for a name that is none. */
export function checkName(name: string): void {
  if (isAccountName(name)) return
  throw new Refusal('ledger-refused', 'that is not the name of an account', 'not-there')
}

function isAccountName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && !mentionsKey(name)
}

export function topUpOrder(amountMicroUsd: number, reference: string): Referenced {
  if (!Number.isSafeInteger(amountMicroUsd) || amountMicroUsd <= 0 || isTooLarge(amountMicroUsd)) {
    const limit = formatUsd(topUpMicroUsdMax)
    throw new Refusal('wrong-usage', `a top-up is more than 0 and at most ${limit} USD`)
  }
  return { kind: 'top-up', amountMicroUsd, reference: checkedReference(reference) }
}

export function adjustmentOrder(adjustment: Adjustment): Referenced {
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
  return { kind: 'adjustment', amountMicroUsd, reference, reason }
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

export interface Earlier {
  readonly kind: Movement['kind']
  readonly amountMicroUsd: number
}

export function refuseUnlessSame(name: string, order: Referenced, earlier: Earlier): void {
  const { reference, kind, amountMicroUsd } = order
  if (earlier.kind === kind && earlier.amountMicroUsd === amountMicroUsd) return
  const what = earlier.kind === kind ? '' : `${earlier.kind} of `
  const amount = `${formatUsd(earlier.amountMicroUsd)} USD`
  throw new Refusal(
    'ledger-refused',
    `reference '${reference}' of account '${name}' stands for ${what}${amount}`,
  )
}

export function checkLabel(label: string | null): void {
  if (label === null || (/^[^\p{C}]{1,64}$/u.test(label) && !mentionsKey(label))) return
  throw new Refusal('wrong-usage', 'a label is 1 to 64 printable characters')
}

/** Repeats the text only if it has the form of an id: an operator may have typed the key itself. */
export function noSuchKey(id: string): Refusal {
  return new Refusal(
    'ledger-refused',
    isKeyId(id) ? `there is no key ${id}` : 'that is not a key id',
    'not-there',
  )
}

export function noSuchAdminKey(): Refusal {
  return new Refusal('ledger-refused', 'there is no admin key of this id', 'not-there')
}

export function noSuchAccount(name: string): Refusal {
  return new Refusal('ledger-refused', `there is no account '${name}'`, 'not-there')
}

export function isKeyId(text: string): boolean {
  return /^key_[0-9a-z]{10}$/.test(text)
}

export function refuseUnlessHoldable(account: Account, amountMicroUsd: number): void {
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

export function refuseUnlessGood(key: KeyRecord, nowMs: number): void {
  const state = stateOf(key, nowMs)
  if (state !== 'active') throw new Refusal('ledger-refused', `key ${key.id} is ${state}`)
}
