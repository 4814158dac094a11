/** The answer of `GET /api/v1/account`, as far as the page reads it, and the page's words for it. */
import { usdText, wholeText } from '../wording.ts'
import type { DayFigures } from './day-bars.ts'

/** Sales in a period. */
export interface Sold {
  readonly queries: number
  readonly cost_usd: number
  readonly by_operation: readonly {
    readonly operation: string
    readonly queries: number
    readonly cost_usd: number
  }[]
}

/** Sales of today, of this month, and day by day. */
interface SoldPeriods {
  readonly today: Sold
  readonly month: Sold
  readonly days?: readonly DayFigures[]
}

/** The key of the request, and what restricts it. */
interface OwnKeyView {
  readonly id: string
  readonly name: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly cap: { readonly usd: number; readonly period: 'total' | 'day' | 'month' } | null
  readonly remaining_usd?: number | null
  readonly scopes: readonly string[] | null
  readonly requests_per_second: number | null
  readonly addresses: readonly string[] | null
}

/** An account as a holder of one of its keys sees it. */
export interface AccountView {
  readonly account: string
  readonly state: 'active' | 'suspended'
  readonly created_at: string
  readonly balance_usd: number
  readonly credited_usd: number
  readonly charged_usd: number
  readonly key: OwnKeyView
  readonly limits: {
    readonly requests_per_second: number | null
    readonly lookups_per_second: number | null
  }
  readonly usage: {
    readonly as_of: string
    readonly account: SoldPeriods
    readonly key: SoldPeriods
  }
  readonly prices: readonly {
    readonly operation: string
    readonly price_usd: number
    readonly each: 'request' | 'value'
  }[]
}

const periodWords = { total: 'in all', day: 'each UTC day', month: 'each UTC month' } as const

/** `$20.00 each UTC month`. */
export function capText({ cap }: Pick<OwnKeyView, 'cap'>): string {
  return cap === null ? 'none' : `${usdText(cap.usd)} ${periodWords[cap.period]}`
}

/** The warning that the key's cap or the balance is too low for some or all paid requests; undefined if neither is. */
export function warningOf({ balance_usd: balance, prices, key }: AccountView): string | undefined {
  const paid = prices.map(({ price_usd: price }) => price).filter((price) => price > 0)
  const dearest = Math.max(0, ...paid)
  if (dearest === 0) return undefined
  if (key.remaining_usd != null && key.remaining_usd < Math.min(...paid)) {
    return 'The cap of this key is reached. Paid requests are refused (402) until it begins anew, or until an operator raises it.'
  }
  if (balance >= dearest) return undefined
  const isUsedUp = balance < Math.min(...paid)
  return isUsedUp
    ? 'The balance is used up. Paid requests are refused (402) until the account is topped up.'
    : 'The balance is below the price of some operations. They are refused (402) until the account is topped up.'
}

/** Requests a second; null is no limit. */
export function rateText(perSecond: number | null): string {
  return perSecond === null ? 'no limit' : `${wholeText(perSecond)} a second`
}

/** The end of a key in words: `never`, or its time in UTC. */
export function endText(expires: string | null): string {
  return expires === null ? 'never' : `${expires.slice(0, 16).replace('T', ' ')} UTC`
}
