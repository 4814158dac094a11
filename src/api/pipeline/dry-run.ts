/**
 * `dry_run=true` in the query string of any operation: the request goes through every step up to the money, and the
 * answer says what it would cost. Nothing is found, reserved or charged. A request without the parameter pays nothing
 * for this: only query strings that are parsed in full are looked at.
 */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { Reservations } from '../../ledger/live/reservations.ts'
import { formatUsd, usdNumber } from '../../money.ts'
import { operations, type RouteName } from '../../operations.ts'
import { dryRun } from '../../request-parameters.ts'
import type { ApiReply, HeaderPairs } from '../exchange.ts'
import { invalid, type Parsed } from '../parameters/pairs.ts'
import type { ParsedQuery } from './operation-handler.ts'
import { noSniff, noStore } from './response-headers.ts'

const { name: dryRunName } = dryRun

/** The end of a request that asks for its cost only. */
export interface DryRun {
  readonly kind: 'dry-run'
  readonly route: RouteName
  readonly queries: number
  readonly costMicroUsd: number
  /** Headers with the price, the balance of the account, and the rest under the caps of the key. */
  readonly headers: HeaderPairs
}

/** A request that was understood. */
interface Understood {
  readonly route: RouteName
  readonly owner: KeyOwner | undefined
  readonly query: ParsedQuery | undefined
  readonly served: { readonly catalog: { readonly id: string } }
}

/** Whether a query string may hold the parameter, also percent-encoded. */
export function isMaybeDryRun(search: string): boolean {
  return search.includes('dry') || search.includes('%')
}

/** A query string without the parameter, and whether that was `true`. */
export function withoutDryRun(
  search: string,
): Parsed<{ readonly search: string; readonly isDry: boolean }> {
  const pairs = search.split('&')
  const others = pairs.filter((pair) => !isNamed(pair))
  if (others.length === pairs.length) return { value: { search, isDry: false } }
  if (pairs.length - others.length > 1) return invalid(`${dryRunName} is given more than once`)
  const value = pairs.find(isNamed)!.split('=').slice(1).join('=')
  if (value !== 'true' && value !== 'false') {
    return invalid(`${dryRunName} is not one of true, false`)
  }
  return { value: { search: others.join('&'), isDry: value === 'true' } }
}

function isNamed(pair: string): boolean {
  const [name = ''] = pair.split('=')
  if (!name.includes('%')) return name === dryRunName
  try {
    return decodeURIComponent(name) === dryRunName
  } catch {
    // The parser of all parameters reports this problem.
    return false
  }
}

/** The end of a dry run. Without reservations nothing costs anything. */
export function dryRunOf(
  { route, owner, query, served }: Understood,
  reservations: Reservations | undefined,
): DryRun {
  const queries = query?.count ?? 1
  const snapshot = [['X-Snapshot-Id', served.catalog.id]] as const
  if (reservations === undefined || owner === undefined) {
    return { kind: 'dry-run', route, queries, costMicroUsd: 0, headers: snapshot }
  }
  const costMicroUsd = reservations.costMicroUsd(route, queries)
  const leftOfCapsMicroUsd = reservations.leftOfCapsMicroUsd(owner)
  const headers: HeaderPairs = [
    ...snapshot,
    ['X-Cost-Usd', formatUsd(costMicroUsd)],
    ['X-Balance-Usd', formatUsd(reservations.balanceMicroUsd(owner))],
    ...(leftOfCapsMicroUsd === undefined
      ? []
      : [['X-Key-Remaining-Usd', formatUsd(leftOfCapsMicroUsd)] as const]),
  ]
  return { kind: 'dry-run', route, queries, costMicroUsd, headers }
}

/** The reply to a dry run: an envelope without items. */
export function dryRunReply(
  { route, queries, costMicroUsd, headers: more }: DryRun,
  requestId: string,
  seconds: number,
): ApiReply {
  const document = {
    duration: Math.round(seconds * 1e6) / 1e6,
    ...(operations[route].requestIdInBody && { request_id: requestId }),
    dry_run: true,
    queries,
    cost_usd: usdNumber(costMicroUsd),
    results: [],
  }
  const headers: HeaderPairs = [
    ['X-Request-Id', requestId],
    ['Content-Type', 'application/json'],
    noSniff,
    noStore,
    ...more,
  ]
  return { status: 200, headers, body: Buffer.from(JSON.stringify(document)), seconds }
}
