/**
 * The item that `GET /api/v1/account` answers: an account as a holder of one of its keys sees it. What can be spent is
 * live; what was sold is what the ledger had committed at `usage.as_of`. It holds nothing of other keys but their sums.
 */
import type { DailySale, KeyTerms, OwnerView } from '../../ledger/port.ts'
import { type Usage, usageOf } from '../../ledger/usage.ts'
import { usdNumber } from '../../money.ts'
import { operations, type Prices, routeNames } from '../../operations.ts'

/** What the item says beside what the ledger has. */
export interface AccountFacts {
  /** What can still be spent; live. */
  readonly balanceMicroUsd: number
  readonly prices: Prices
  /** Requests a second of the account; 0 is no limit. */
  readonly rateLimit: number
  readonly lookupRateLimit: number
}

/** Makes the item. */
export function accountItem(view: OwnerView, facts: AccountFacts) {
  const { account, key, atMs, charges, keyCharges } = view
  return {
    account: account.name,
    state: account.isSuspended ? 'suspended' : 'active',
    created_at: timeText(account.createdAtMs),
    balance_usd: usdNumber(facts.balanceMicroUsd),
    credited_usd: usdNumber(account.creditedMicroUsd),
    charged_usd: usdNumber(account.chargedMicroUsd),
    key: {
      id: key.id,
      name: key.label,
      created_at: timeText(key.createdAtMs),
      expires_at: timeText(key.expiresAtMs),
      ...termsJson(key.terms),
    },
    limits: {
      requests_per_second: facts.rateLimit === 0 ? null : facts.rateLimit,
      lookups_per_second: facts.lookupRateLimit === 0 ? null : facts.lookupRateLimit,
    },
    usage: {
      as_of: timeText(atMs),
      account: periodsOf(charges, atMs, view.tagCharges),
      key: periodsOf(keyCharges, atMs),
    },
    prices: routeNames.map((route) => ({
      operation: route,
      price_usd: usdNumber(facts.prices[route]),
      each: operations[route].price.each,
    })),
  }
}

/** What restricts the lineage of the key; null where nothing does. */
function termsJson({ cap, scopes, requestsPerSecond, addresses }: KeyTerms = {}) {
  return {
    cap: cap === undefined ? null : { usd: usdNumber(cap.amountMicroUsd), period: cap.period },
    scopes: scopes ?? null,
    requests_per_second: requestsPerSecond ?? null,
    addresses: addresses ?? null,
  }
}

/** What was sold today and this month, by UTC. */
function periodsOf(
  charges: readonly DailySale[],
  atMs: number,
  tagCharges: OwnerView['tagCharges'] = [],
) {
  const today = new Date(atMs).toISOString().slice(0, 10)
  const ofToday = ({ day }: { readonly day: string }) => day === today
  return {
    today: {
      ...usageJson(usageOf(charges.filter(ofToday))),
      ...byTagOf(tagCharges.filter(ofToday)),
    },
    month: { ...usageJson(usageOf(charges)), ...byTagOf(tagCharges) },
  }
}

/** What was sold under each tag, and under none; nothing where there are no tags. */
function byTagOf(charges: OwnerView['tagCharges']) {
  if (charges.length === 0) return {}
  const tags = [...new Set(charges.map(({ tag }) => tag))].sort()
  const by_tag = tags.map((tag) => {
    const { queries, amountMicroUsd } = usageOf(charges.filter((each) => each.tag === tag))
    return { tag: tag === '' ? null : tag, queries, cost_usd: usdNumber(amountMicroUsd) }
  })
  return { by_tag }
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
