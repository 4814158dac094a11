/**
 * The events that a change causes, and their receivers: pure rules that both ledgers share. A threshold is crossed
 * when a balance that was at or above it falls below it, so each crossing gives one event, on any node.
 */
import { type BalanceThreshold, usdNumber } from '../../money.ts'
import { type KeyRecord, stateOf } from '../account-records.ts'
import { digestOf } from '../chain/digests.ts'
import type { WebhookEventType } from './event-types.ts'
import {
  type Endpoint,
  type EndpointPlace,
  type EventDraft,
  endpointId,
  type OutgoingEvent,
} from './records.ts'

/** Lead time of the report that a key is expiring, before its end. Milliseconds. */
const expiringLeadMs = 7 * 86_400_000

/** Events that may wait for one endpoint; a full queue takes no more. */
export const pendingPerEndpointMax = 10_000

/** The mark that counts the events which were dropped because of that. */
export const droppedMark = 'dropped'

/** A change of one balance. */
interface BalanceChange {
  readonly account: string
  readonly accountNumber: number
  readonly beforeMicroUsd: number
  readonly afterMicroUsd: number
  /** The last top-up, else the opening credit. */
  readonly lastTopUpMicroUsd: number
}

/** Whether an endpoint takes events of a type that concern an account (0: none). */
function wants(
  { owner, events }: Pick<Endpoint, 'owner' | 'events'>,
  type: WebhookEventType,
  accountNumber: number,
): boolean {
  const isOwn = owner === 0 || accountNumber === 0 || owner === accountNumber
  return isOwn && events.includes(type)
}

/** An event and the endpoint that it is for. */
export interface AddressedEvent {
  readonly place: EndpointPlace
  readonly draft: EventDraft
}

/** The events that endpoints want of those that are drafted for each. */
export function addressedTo(
  endpoints: readonly Endpoint[],
  draftsFor: (endpoint: Endpoint) => readonly EventDraft[],
): AddressedEvent[] {
  return endpoints.flatMap((place) =>
    draftsFor(place)
      .filter(({ type, accountNumber }) => wants(place, type, accountNumber))
      .map((draft) => ({ place, draft })),
  )
}

/** Whether a threshold of any of the endpoints depends on the last top-up. */
export function needsLastTopUp(endpoints: readonly Endpoint[]): boolean {
  return endpoints.some(({ below }) => below.some((threshold) => 'percent' in threshold))
}

/** The events of an endpoint when a balance changes: one for each threshold that was crossed. */
export function balanceEvents(endpoint: Endpoint, change: BalanceChange): EventDraft[] {
  const { account, accountNumber, beforeMicroUsd, afterMicroUsd, lastTopUpMicroUsd } = change
  if (!wants(endpoint, 'balance.below', accountNumber)) return []
  return endpoint.below
    .map((threshold) => ({ threshold, microUsd: amountOf(threshold, lastTopUpMicroUsd) }))
    .filter(({ microUsd }) => afterMicroUsd < microUsd && microUsd <= beforeMicroUsd)
    .sort((a, b) => b.microUsd - a.microUsd)
    .map(({ threshold, microUsd }) => ({
      type: 'balance.below',
      accountNumber,
      data: {
        account,
        balance_usd: usdNumber(afterMicroUsd),
        threshold_usd: usdNumber(microUsd),
        ...('percent' in threshold && { threshold_percent: threshold.percent }),
      },
    }))
}

/** The highest threshold that a balance has not fallen below; undefined where there is none. */
export function alertBelowOf(
  endpoints: readonly Endpoint[],
  { accountNumber, afterMicroUsd, lastTopUpMicroUsd }: Omit<BalanceChange, 'account'>,
): number | undefined {
  const amounts = endpoints
    .filter((endpoint) => wants(endpoint, 'balance.below', accountNumber))
    .flatMap(({ below }) => below.map((threshold) => amountOf(threshold, lastTopUpMicroUsd)))
    .filter((amount) => amount > 0 && amount <= afterMicroUsd)
  return amounts.length === 0 ? undefined : Math.max(...amounts)
}

function amountOf(threshold: BalanceThreshold, lastTopUpMicroUsd: number): number {
  if ('microUsd' in threshold) return threshold.microUsd
  return Math.floor((lastTopUpMicroUsd * threshold.percent) / 100)
}

/** The event of a suspension. */
export function suspendedEvent(account: {
  readonly number: number
  readonly name: string
}): EventDraft {
  return {
    type: 'account.suspended',
    accountNumber: account.number,
    data: { account: account.name },
  }
}

/** A key as its events describe it. */
interface DescribedKey {
  readonly id: string
  readonly label: string | null
  readonly account: string
  readonly accountNumber: number
}

/** The event of a key that expires soon, and the mark that keeps it from coming twice. */
interface ExpiringKey {
  readonly mark: string
  readonly value: string
  readonly draft: EventDraft
}

/** Returns the report of a key; undefined unless it is good, of an account that sells, and expires soon. */
export function expiringKey(
  key: Pick<KeyRecord, 'id' | 'label' | 'expiresAtMs' | 'revokedAtMs'>,
  account: { readonly name: string; readonly number: number; readonly isSuspended: boolean },
  nowMs: number,
): ExpiringKey | undefined {
  const { id, label, expiresAtMs } = key
  if (expiresAtMs === null || expiresAtMs > nowMs + expiringLeadMs) return undefined
  if (stateOf(key, nowMs) !== 'active' || account.isSuspended) return undefined
  const expires = new Date(expiresAtMs).toISOString()
  const described = { id, label, account: account.name, accountNumber: account.number }
  const draft = keyEvent('key.expiring', described, { expires })
  return { mark: `expiring ${id}`, value: String(expiresAtMs), draft }
}

/** The event of a key that has spent its cap; `period` is `total`, `day` or `month`. */
export function capReachedEvent(
  key: DescribedKey,
  capMicroUsd: number,
  period: string,
): EventDraft {
  return keyEvent('key.cap.reached', key, { cap_usd: usdNumber(capMicroUsd), period })
}

function keyEvent(
  type: WebhookEventType,
  { id, label, account, accountNumber }: DescribedKey,
  more: Readonly<Record<string, unknown>>,
): EventDraft {
  return { type, accountNumber, data: { account, key_id: id, label, ...more } }
}

/** The event as it is written for one endpoint. */
export function outgoingEvent(
  { owner, number }: EndpointPlace,
  n: number,
  draft: EventDraft,
  atMs: number,
): OutgoingEvent {
  const { type, accountNumber, data } = draft
  // A ledger that is restored from a backup counts again: the time and the content keep ids apart.
  const check = digestOf([endpointId({ owner, number }), n, atMs, type, data]).slice(0, 12)
  // Due at once, by any clock.
  const waiting = { attempts: 0, firstAttemptAtMs: null, nextAtMs: 0, failure: null }
  const id = `evt_${owner}_${number}_${n}_${check}`
  return {
    ...{ owner, number, n, id, type, accountNumber, data, atMs },
    ...waiting,
    endedAtMs: null,
    delivered: false,
  }
}
