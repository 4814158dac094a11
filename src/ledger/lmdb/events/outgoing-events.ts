/**
 * Writes the events of webhooks, in the transaction that caused them: each stands in the outbox of every
 * endpoint that wants it, or the transaction has not happened. Without endpoints nothing is written.
 */
import { type Account, balanceOf, type Movement } from '../../account-records.ts'
import {
  addressedTo,
  alertBelowOf,
  balanceEvents,
  droppedMark,
  needsLastTopUp,
  outgoingEvent,
  pendingPerEndpointMax,
} from '../../webhooks/addressing.ts'
import type { Endpoint, EndpointPlace, EventDraft } from '../../webhooks/records.ts'
import type { Tables } from '../tables.ts'

/** The endpoints that may hear of an account: those of the operator, and its own. */
function endpointsFor(tables: Tables, accountNumber: number): Endpoint[] {
  const owners = accountNumber === 0 ? [0] : [0, accountNumber]
  return owners.flatMap((owner) => {
    const range = { start: [owner, 0], end: [owner + 1, 0] } as Range
    return Array.from(tables.endpoints.getRange(range), ({ value }) => value)
  })
}

interface Range {
  readonly start: [number, number]
  readonly end: [number, number]
}

/** The keys of the events of an endpoint. */
export function eventRange({ owner, number }: EndpointPlace) {
  return { start: [owner, number, 0], end: [owner, number + 1, 0] } as {
    start: [number, number, number]
    end: [number, number, number]
  }
}

/** The next number under a name, from 1. */
export function countUp(tables: Tables, name: string): number {
  const next = Number(tables.marks.get(name) ?? 0) + 1
  tables.marks.putSync(name, next)
  return next
}

/** Writes an event for every endpoint that wants it. Must run in a write transaction. */
export function noteEvent(tables: Tables, draft: EventDraft, atMs: number): void {
  const endpoints = endpointsFor(tables, draft.accountNumber)
  for (const { place } of addressedTo(endpoints, () => [draft])) {
    addEvent(tables, place, draft, atMs)
  }
}

/** Writes an event for one endpoint, or counts it as dropped where its queue is full. */
export function addEvent(
  tables: Tables,
  place: EndpointPlace,
  draft: EventDraft,
  atMs: number,
): void {
  const pending = tables.outbox.getKeysCount({ ...eventRange(place), limit: pendingPerEndpointMax })
  if (pending >= pendingPerEndpointMax) {
    countUp(tables, droppedMark)
    return
  }
  const event = outgoingEvent(place, countUp(tables, 'event'), draft, atMs)
  tables.outbox.putSync([place.owner, place.number, event.n], event)
}

/**
 * The account with what webhooks have to know of its new balance; writes the events of the thresholds
 * that the movement crossed. The row of the movement must stand in the journal.
 */
export function withAlerts(
  tables: Tables,
  before: Account,
  moved: Account,
  { kind }: Movement,
  atMs: number,
): Account {
  const { alertBelowMicroUsd } = before
  if (kind === 'charge' && !(balanceOf(moved) < (alertBelowMicroUsd ?? 0))) return moved
  const endpoints = endpointsFor(tables, moved.number)
  if (endpoints.length === 0 && alertBelowMicroUsd === undefined) return moved
  const change = {
    account: moved.name,
    accountNumber: moved.number,
    beforeMicroUsd: balanceOf(before),
    afterMicroUsd: balanceOf(moved),
    lastTopUpMicroUsd: needsLastTopUp(endpoints) ? lastTopUpOf(tables, moved) : 0,
  }
  const addressed = addressedTo(endpoints, (endpoint) => balanceEvents(endpoint, change))
  for (const { place, draft } of addressed) addEvent(tables, place, draft, atMs)
  return withThreshold(moved, alertBelowOf(endpoints, change))
}

/** Computes the threshold of an account anew, after its endpoints changed. */
export function armAccount(tables: Tables, account: Account): void {
  const endpoints = endpointsFor(tables, account.number)
  const afterMicroUsd = balanceOf(account)
  const lastTopUpMicroUsd = needsLastTopUp(endpoints) ? lastTopUpOf(tables, account) : 0
  const state = { accountNumber: account.number, beforeMicroUsd: afterMicroUsd, afterMicroUsd }
  const threshold = alertBelowOf(endpoints, { ...state, lastTopUpMicroUsd })
  if (threshold === account.alertBelowMicroUsd) return
  tables.accounts.putSync(account.number, withThreshold(account, threshold))
}

function withThreshold(account: Account, threshold: number | undefined): Account {
  const { alertBelowMicroUsd: _, ...rest } = account
  return threshold === undefined ? rest : { ...rest, alertBelowMicroUsd: threshold }
}

/** The last top-up, else the opening credit. References name all credits, so no charge is read. */
function lastTopUpOf(tables: Tables, { number }: Account): number {
  const references = tables.references.getRange({ start: [number, ''], end: [number + 1, ''] })
  const rows = Array.from(references, ({ value }) => value).sort((a, b) => b - a)
  for (const row of [...rows, 1]) {
    const movement = tables.journal.get([number, row])
    if (movement?.kind === 'top-up' || movement?.kind === 'opening') return movement.amountMicroUsd
  }
  return 0
}
