/**
 * The item that `GET /api/v1/account` answers: an account as a holder of one of its keys sees it. The balance is live;
 * the sales are those that the ledger had committed at `usage.as_of`. Other keys appear in the sums only, and only to a
 * key that may see the account.
 */
import { isSuspended } from '../../ledger/books/account-records.ts'
import type { OwnerView } from '../../ledger/books/account-views.ts'
import type { DailySale, KeyTerms } from '../../ledger/books/port.ts'
import { firstDayOf, monthOf, type Usage, usageOf } from '../../ledger/books/sales.ts'
import { usdNumber } from '../../money.ts'
import { operations, type Prices, routeNames } from '../../operations.ts'

interface AccountFacts {
  /** The balance: micro-USD that can still be spent; live. Undefined for a key that may see its own part only. */
  readonly balanceMicroUsd: number | undefined
  /** Undefined without a cap. */
  readonly leftOfCapMicroUsd: number | undefined
  /** UTC days to be listed, today included; undefined for none. */
  readonly days: number | undefined
  readonly prices: Prices
  /** Requests a second of the account; 0 is no limit. */
  readonly rateLimit: number
  readonly lookupRateLimit: number
}

export function accountItem(view: OwnerView, facts: AccountFacts) {
  const { account, key, atMs, charges, keyCharges } = view
  const { leftOfCapMicroUsd: left, balanceMicroUsd, days } = facts
  const seesAccount = balanceMicroUsd !== undefined
  return {
    ...(seesAccount && {
      account: account.name,
      state: isSuspended(account) ? 'suspended' : 'active',
      created_at: timeText(account.createdAtMs),
      balance_usd: usdNumber(balanceMicroUsd),
      credited_usd: usdNumber(account.creditedMicroUsd),
      charged_usd: usdNumber(account.chargedMicroUsd),
    }),
    key: {
      id: key.id,
      name: key.label,
      created_at: timeText(key.createdAtMs),
      expires_at: timeText(key.expiresAtMs),
      ...termsJson(key.terms),
      remaining_usd: left === undefined ? null : usdNumber(left),
    },
    limits: {
      requests_per_second: facts.rateLimit === 0 ? null : facts.rateLimit,
      lookups_per_second: facts.lookupRateLimit === 0 ? null : facts.lookupRateLimit,
    },
    usage: {
      as_of: timeText(atMs),
      ...(seesAccount && {
        account: { ...periodsOf(charges, atMs), ...daysOf(charges, atMs, days) },
      }),
      key: { ...periodsOf(keyCharges, atMs), ...daysOf(keyCharges, atMs, days) },
    },
    prices: routeNames.map((route) => ({
      operation: route,
      price_usd: usdNumber(facts.prices[route]),
      each: operations[route].price.each,
    })),
  }
}

function termsJson({ cap, scopes, requestsPerSecond, addresses }: KeyTerms = {}) {
  return {
    cap: cap === undefined ? null : { usd: usdNumber(cap.amountMicroUsd), period: cap.period },
    scopes: scopes ?? null,
    requests_per_second: requestsPerSecond ?? null,
    addresses: addresses ?? null,
  }
}

function periodsOf(charges: readonly DailySale[], atMs: number) {
  const today = new Date(atMs).toISOString().slice(0, 10)
  const month = charges.filter(({ day }) => monthOf(atMs) <= day)
  return {
    today: usageJson(usageOf(charges.filter(({ day }) => day === today))),
    month: usageJson(usageOf(month)),
  }
}

/** Sales of each of the last days, the oldest first, days without a sale included. */
function daysOf(charges: readonly DailySale[], atMs: number, count: number | undefined) {
  if (count === undefined) return {}
  const days = Array.from({ length: count }, (_, index) => {
    const day = firstDayOf(atMs, count - index)
    const { queries, amountMicroUsd } = usageOf(charges.filter((charge) => charge.day === day))
    return { day, queries, cost_usd: usdNumber(amountMicroUsd) }
  })
  return { days }
}

function usageJson({ queries, amountMicroUsd, byRoute }: Usage) {
  return {
    queries,
    cost_usd: usdNumber(amountMicroUsd),
    by_operation: [...byRoute].map(([operation, sale]) => ({
      operation,
      queries: sale.queries,
      cost_usd: usdNumber(sale.amountMicroUsd),
    })),
  }
}

function timeText(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
