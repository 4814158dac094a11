/**
 * The checks of orders to the books, before anything is read. Nothing that could be a key gets
 * through.
 */
import { balanceMicroUsdMax, formatUsd, topUpMicroUsdMax } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { type Account, balanceOf, type Movement } from './account-records.ts'
import { mentionsKey } from './key.ts'

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

export function refuseUnlessSame(
  name: string,
  order: Referenced,
  earlier: Pick<Movement, 'kind' | 'amountMicroUsd'>,
): void {
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

export function noSuchAccount(name: string): Refusal {
  return new Refusal('ledger-refused', `there is no account '${name}'`, 'not-there')
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
