/**
 * Accounts, keys and statements as JSON: for `--json`, the admin API and the audit log. Amounts are
 * exact numbers of USD, times ISO 8601 in UTC; the text of a key and its hash are never among it.
 */
import { usdNumber } from '../../money.ts'
import { type Account, balanceOf, isoTime, isSuspended, type KeyRecord } from './account-records.ts'
import type { Statement } from './account-views.ts'
import type { AdminKey } from './admin-key-rows.ts'
import type { LedgerEvent } from './events.ts'
import type { ListedKey } from './key-rows.ts'
import type { DailySale, KeyTerms } from './port.ts'

export function timeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs)
}

export function accountJson(account: Account) {
  return {
    account: account.name,
    balance_usd: usdNumber(balanceOf(account)),
    credited_usd: usdNumber(account.creditedMicroUsd),
    charged_usd: usdNumber(account.chargedMicroUsd),
    state: isSuspended(account) ? ('suspended' as const) : ('active' as const),
    created: isoTime(account.createdAtMs),
  }
}

export function statementJson({ account, credits, charges }: Statement) {
  return {
    ...accountJson(account),
    credits: credits.map(({ atMs, amountMicroUsd, reference, reason }) => ({
      time: isoTime(atMs),
      amount_usd: usdNumber(amountMicroUsd),
      reference,
      reason,
    })),
    charges: charges.map(saleJson),
  }
}

/** What was sold on a day on a route, and by a key if it is told apart. */
export function saleJson({ day, keyId, route, queries, amountMicroUsd }: DailySale) {
  return {
    day,
    ...(keyId !== undefined && { key_id: keyId }),
    ...{ route, queries, amount_usd: usdNumber(amountMicroUsd) },
  }
}

/** The restrictions of a key as JSON; an absent member restricts nothing. */
export function termsJson({ cap, scopes, requestsPerSecond, addresses }: KeyTerms) {
  return {
    ...(cap && { cap: { amount_usd: usdNumber(cap.amountMicroUsd), period: cap.period } }),
    ...(scopes && { scopes: [...scopes] }),
    ...(requestsPerSecond && { requests_per_second: requestsPerSecond }),
    ...(addresses && { addresses: [...addresses] }),
  }
}

/** A key. Its spending and its terms are present if there are any. */
export function keyJson(key: KeyRecord & Partial<ListedKey>) {
  const { spentMicroUsd: spent, spentOfCapMicroUsd: spentOfCap = null, terms } = key
  return {
    key_id: key.id,
    account: key.account,
    state: key.state,
    label: key.label,
    created: isoTime(key.createdAtMs),
    expires: timeOrNull(key.expiresAtMs),
    revoked: timeOrNull(key.revokedAtMs),
    secrets: key.secrets.map(({ createdAtMs, endsAtMs }) => ({
      created: isoTime(createdAtMs),
      ends: timeOrNull(endsAtMs),
    })),
    ...(terms && { terms: termsJson(terms) }),
    ...(spent !== undefined && { spent_usd: usdNumber(spent) }),
    ...(spentOfCap !== null && { spent_of_cap_usd: usdNumber(spentOfCap) }),
  }
}

/** An admin key. The digest binds the log to the hash that the ledger has. */
export function adminKeyJson(key: AdminKey) {
  return {
    admin_key_id: key.id,
    label: key.label,
    scopes: [...key.scopes],
    created: isoTime(key.createdAtMs),
    expires: timeOrNull(key.expiresAtMs),
    revoked: timeOrNull(key.revokedAtMs),
    digest: key.digest,
  }
}

export function eventJson({ number, atMs, kind, subject, details }: LedgerEvent) {
  return { number, time: isoTime(atMs), kind, subject, details: { ...details } }
}
