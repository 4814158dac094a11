/**
 * The checks of the terms of a key, before anything is read; and how the terms that a key has
 * become the next.
 */
import { limits } from '../../limits.ts'
import { balanceMicroUsdMax, type CapPeriod, capPeriods, formatUsd } from '../../money.ts'
import { routeNames } from '../../operations.ts'
import { Refusal } from '../../problems.ts'
import { isNetwork } from '../../text/network.ts'
import type { KeyScope, KeyTerms } from './port.ts'

const keyScopes: readonly KeyScope[] = [...routeNames, 'mcp', 'account']

/** A change of terms: an absent member stays as it is, null takes it away. */
export interface TermsChange {
  readonly cap?: { readonly amountMicroUsd: number; readonly period: CapPeriod } | null
  readonly scopes?: readonly string[] | null
  readonly requestsPerSecond?: number | null
  readonly addresses?: readonly string[] | null
}

/** The terms after a change; undefined where nothing is restricted any more. */
export function changedTerms(
  before: KeyTerms | undefined,
  change: TermsChange,
  nowMs: number,
): KeyTerms | undefined {
  checkTerms(change)
  const { cap, scopes, requestsPerSecond, addresses } = change
  const all = {
    cap: cap === undefined ? before?.cap : cap && { ...cap, sinceMs: nowMs },
    scopes: scopes === undefined ? before?.scopes : scopes && inOrder(scopes),
    requestsPerSecond:
      requestsPerSecond === undefined ? before?.requestsPerSecond : requestsPerSecond,
    addresses: addresses === undefined ? before?.addresses : addresses,
  }
  const terms = Object.entries(all).filter(([, value]) => value !== undefined && value !== null)
  return terms.length === 0 ? undefined : Object.fromEntries(terms)
}

function inOrder(scopes: readonly string[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => scopes.includes(scope))
}

function checkTerms({ cap, scopes, requestsPerSecond, addresses }: TermsChange): void {
  if (cap && !isCap(cap)) {
    const most = formatUsd(balanceMicroUsdMax)
    refuse(`a cap is 0 to ${most} USD in ${capPeriods.join(', ')}`)
  }
  if (scopes && !(scopes.length > 0 && scopes.every(isScope))) {
    refuse(`scopes are some of ${keyScopes.join(', ')}`)
  }
  const { keyAddressesMax, keyRequestsPerSecondMax: rateMax } = limits
  if (typeof requestsPerSecond === 'number' && !isCount(requestsPerSecond, rateMax)) {
    refuse(`requests a second are a whole number from 1 to ${rateMax}`)
  }
  if (addresses && !(isCount(addresses.length, keyAddressesMax) && addresses.every(isNetwork))) {
    refuse(`a key has 1 to ${keyAddressesMax} addresses or networks such as 10.0.0.0/8`)
  }
}

function refuse(reason: string): never {
  throw new Refusal('wrong-usage', reason)
}

function isCap({ amountMicroUsd, period }: NonNullable<TermsChange['cap']>): boolean {
  const isAmount = Number.isSafeInteger(amountMicroUsd) && amountMicroUsd >= 0
  return isAmount && amountMicroUsd <= balanceMicroUsdMax && capPeriods.includes(period)
}

function isScope(text: string): boolean {
  return keyScopes.some((scope) => scope === text)
}

function isCount(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most
}
