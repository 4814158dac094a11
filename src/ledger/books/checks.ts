/**
 * The checks of orders to the books, before anything is read. Nothing that could be a key gets
 * through.
 */
import { limits } from '../../limits.ts'
import { balanceMicroUsdMax, capPeriods, formatUsd, topUpMicroUsdMax } from '../../money.ts'
import { routeNames } from '../../operations.ts'
import { Refusal } from '../../problems.ts'
import { isNetwork } from '../../text/network.ts'
import type { Movement } from './account-records.ts'
import { mentionsKey } from './key.ts'
import type { KeyCap, KeyScope, KeyTerms } from './port.ts'

const keyScopes: readonly KeyScope[] = [...routeNames, 'mcp', 'account']

const topUpUsdMax = formatUsd(topUpMicroUsdMax)

/** It stands in paths of the admin API, and HTTP clients take `.` and `..` out of a path. */
export function checkNewName(name: string): void {
  if (isAccountName(name) && !/^\.+$/.test(name)) return
  refuse('an account name is 1 to 64 of A-Z a-z 0-9 . _ -, and not of dots alone')
}

/** Checks the name of an existing account, which an older ledger may hold as dots alone. @throws Refusal `ledger-refused` for a name that is none. */
export function checkName(name: string): void {
  if (isAccountName(name)) return
  throw new Refusal('ledger-refused', 'that is not the name of an account', 'not-there')
}

function isAccountName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && !mentionsKey(name)
}

export function checkOpening(amountMicroUsd: number): void {
  if (isWhole(amountMicroUsd, 0, topUpMicroUsdMax)) return
  refuse(`an opening credit is from 0 to ${topUpUsdMax} USD`)
}

export function topUpOrder(amountMicroUsd: number, reference: string): Movement {
  if (!isWhole(amountMicroUsd, 1, topUpMicroUsdMax)) {
    refuse(`a top-up is more than 0 and at most ${topUpUsdMax} USD`)
  }
  const kind = 'top-up'
  return { kind, amountMicroUsd, reference: checkedText('reference', 128, reference), reason: null }
}

export interface Adjustment {
  /** May be negative. */
  readonly amountMicroUsd: number
  readonly reference: string
  readonly reason: string
}

export function adjustmentOrder(adjustment: Adjustment): Movement {
  const { amountMicroUsd } = adjustment
  if (!isWhole(amountMicroUsd, -topUpMicroUsdMax, topUpMicroUsdMax) || amountMicroUsd === 0) {
    refuse(`an adjustment is not 0 and at most ${topUpUsdMax} USD, up or down`)
  }
  const reason = checkedText('reason', 256, adjustment.reason)
  const reference = checkedText('reference', 128, adjustment.reference)
  return { kind: 'adjustment', amountMicroUsd, reference, reason }
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}

/** Without white space around it: it is not seen, and the same payment would be credited twice. */
function checkedText(what: string, most: number, text: string): string {
  const trimmed = text.trim()
  checkPrintable(what, most, trimmed)
  return trimmed
}

export function checkLabel(label: string | null): void {
  if (label !== null) checkPrintable('label', 64, label)
}

function checkPrintable(what: string, most: number, text: string): void {
  if (new RegExp(`^[^\\p{C}]{1,${most}}$`, 'u').test(text) && !mentionsKey(text)) return
  refuse(`a ${what} is 1 to ${most} printable characters`)
}

/** A change of terms: an absent member stays as it is, null takes it away. */
export interface TermsChange {
  readonly cap?: KeyCap | null | undefined
  readonly scopes?: readonly string[] | null | undefined
  readonly requestsPerSecond?: number | null | undefined
  readonly addresses?: readonly string[] | null | undefined
}

/** The terms after a change. */
export function changedTerms(before: KeyTerms | undefined, change: TermsChange): KeyTerms {
  checkTerms(change)
  const { cap, scopes, requestsPerSecond, addresses } = change
  const changed = {
    cap,
    scopes: scopes && keyScopes.filter((scope) => scopes.includes(scope)),
    requestsPerSecond,
    addresses,
  }
  const said = Object.entries(changed).filter(([, value]) => value !== undefined)
  const all = Object.entries({ ...before, ...Object.fromEntries(said) })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

function checkTerms({ cap, scopes, requestsPerSecond, addresses }: TermsChange): void {
  const isAmount = (microUsd: number) => isWhole(microUsd, 0, balanceMicroUsdMax)
  if (cap && !(isAmount(cap.amountMicroUsd) && capPeriods.includes(cap.period))) {
    const most = formatUsd(balanceMicroUsdMax)
    refuse(`a cap is 0 to ${most} USD in ${capPeriods.join(', ')}`)
  }
  const isScope = (text: string) => keyScopes.some((scope) => scope === text)
  if (scopes && !(scopes.length > 0 && scopes.every(isScope))) {
    refuse(`scopes are some of ${keyScopes.join(', ')}`)
  }
  const { keyAddressesMax, keyRequestsPerSecondMax: rateMax } = limits
  if (typeof requestsPerSecond === 'number' && !isWhole(requestsPerSecond, 1, rateMax)) {
    refuse(`requests a second are a whole number from 1 to ${rateMax}`)
  }
  const areAddresses = (all: readonly string[]) =>
    isWhole(all.length, 1, keyAddressesMax) && all.every(isNetwork)
  if (addresses && !areAddresses(addresses)) {
    refuse(`a key has 1 to ${keyAddressesMax} addresses or networks such as 10.0.0.0/8`)
  }
}

function refuse(reason: string): never {
  throw new Refusal('wrong-usage', reason)
}
