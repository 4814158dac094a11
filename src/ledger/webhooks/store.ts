/**
 * Webhooks as commands administer them and as the deliverer uses them, wherever the ledger is kept. Every
 * change is durable when its promise resolves. At most one process of a ledger delivers at a time.
 */
import { randomBytes } from 'node:crypto'
import type { BalanceThreshold } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { nearestOf } from '../../text/nearest.ts'
import type { AfterAttempt } from './attempts.ts'
import { type WebhookEventType, webhookEvents, webhookEventTypes } from './event-types.ts'
import {
  type Endpoint,
  type EndpointPlace,
  type EventDraft,
  newHealth,
  type OutgoingEvent,
  placeNamed,
  type SigningSecret,
} from './records.ts'

/** An endpoint to be added. */
export interface EndpointOrder {
  /** Checked by the caller; see `src/webhooks/receiver-address.ts`. */
  readonly url: string
  /** Null for an endpoint of the operator, which hears of all accounts. */
  readonly account: string | null
  /** Empty: every type that the endpoint may have. */
  readonly events: readonly string[]
  readonly below: readonly BalanceThreshold[]
  readonly sdus: readonly string[]
}

/** An endpoint as it is listed; never with a secret. */
export interface ListedEndpoint extends Omit<Endpoint, 'secrets'> {
  /** The name of its account; null for the operator's. */
  readonly account: string | null
  readonly pending: number
  /** Events that were given up, at most the last ten. */
  readonly failed: readonly string[]
}

/** An event that is due, and where it goes. */
export interface DueEvent {
  readonly event: OutgoingEvent
  readonly endpoint: Endpoint
}

/** Administers endpoints. A refused change throws a Refusal and has changed nothing. */
export interface WebhookAdministration {
  /** Returns the endpoint with its secret, which no list shows. */
  add(order: EndpointOrder): Promise<Endpoint>
  list(): Promise<readonly ListedEndpoint[]>
  endpoint(id: string): Promise<Endpoint>
  /** Removes an endpoint with the events that wait for it. */
  remove(id: string): Promise<void>
  /** Gives an endpoint a new secret; the one before signs, too, until the overlap ends. */
  rotate(id: string, overlapMs: number): Promise<Endpoint>
  /**
   * Sends one event again, by its id; or all that wait for an endpoint, at once, and ends its pause.
   * @returns the number of events to be sent.
   */
  replay(id: string): Promise<number>
  close(): Promise<void>
}

/** The webhooks of a ledger, with the operations that the deliverer needs besides. */
export interface WebhookStore extends WebhookAdministration {
  /** Takes or keeps the right to deliver. Returns for how many milliseconds from the call on; 0: not. */
  hold(): Promise<number>
  /** The endpoints that events wait for, without paused ones. */
  waiting(): Promise<readonly EndpointPlace[]>
  /** The next event of an endpoint that is due and no earlier event of the same account is before. */
  nextDue(place: EndpointPlace, nowMs: number): Promise<DueEvent | undefined>
  /** Writes what an attempt left behind. Does nothing where the endpoint is gone. */
  settle(after: AfterAttempt): Promise<void>
  /** Every endpoint. */
  endpoints(): Promise<readonly Endpoint[]>
  /** The value of a mark; undefined where there is none. */
  mark(name: string): Promise<string | undefined>
  /**
   * Writes events unless their mark has this value already, and the mark with them; does nothing where
   * there are no endpoints.
   */
  note(
    mark: string,
    value: string,
    draftsFor: (endpoint: Endpoint) => readonly EventDraft[],
  ): Promise<void>
  /** Writes `key.expiring`, once for each key and end. */
  noteExpiring(): Promise<void>
  /** Removes events that ended before a time. */
  prune(beforeMs: number): Promise<void>
  readonly nowMs: () => number
}

/** Endpoints that an account, or the operator, may have. */
const endpointsPerOwnerMax = 10
const thresholdsMax = 10
const sdusMax = 1_000

/**
 * A new endpoint, checked.
 * @throws Refusal `wrong-usage` for an order that contradicts itself or asks too much.
 */
export function newEndpoint(
  order: EndpointOrder,
  place: EndpointPlace,
  existing: readonly Endpoint[],
  nowMs: number,
): Endpoint {
  const { url, below, sdus } = order
  const isOperators = place.owner === 0
  const events = checkedTypes(order.events, isOperators)
  if (below.length > thresholdsMax) refuse(`an endpoint has at most ${thresholdsMax} thresholds`)
  if (sdus.length > sdusMax) refuse(`an endpoint watches at most ${sdusMax} SDUs`)
  if (sdus.some((sdu) => !/^\d{1,32}$/.test(sdu))) refuse('an SDU is up to 32 digits')
  if (existing.filter(({ owner }) => owner === place.owner).length >= endpointsPerOwnerMax) {
    refuse(`an account has at most ${endpointsPerOwnerMax} endpoints, and so has the operator`)
  }
  const secrets = [newSecret()]
  return { ...place, url, events, below, sdus, secrets, createdAtMs: nowMs, health: newHealth }
}

/** All that an endpoint may have, where none is named. */
function checkedTypes(named: readonly string[], isOperators: boolean): readonly WebhookEventType[] {
  const allowed = webhookEventTypes.filter(
    (type) => isOperators || !('operatorOnly' in webhookEvents[type]),
  )
  for (const name of named) {
    const hint = `did you mean '${nearestOf(name, allowed) ?? allowed[0]}'?`
    if (!Object.hasOwn(webhookEvents, name)) refuse(`there is no event '${name}': ${hint}`)
    if (!allowed.some((type) => type === name)) {
      refuse(`${name} is for endpoints of the operator only`)
    }
  }
  return named.length === 0 ? allowed : allowed.filter((type) => named.includes(type))
}

function refuse(reason: string): never {
  throw new Refusal('wrong-usage', reason)
}

function newSecret(): SigningSecret {
  return { text: `whsec_${randomBytes(32).toString('base64')}`, untilMs: null }
}

/** The endpoint with a new secret; the current one stays valid for the overlap. */
export function withNewSecret(endpoint: Endpoint, overlapMs: number, nowMs: number): Endpoint {
  const [current] = endpoint.secrets
  const before = overlapMs === 0 ? [] : [{ ...current!, untilMs: nowMs + overlapMs }]
  return { ...endpoint, secrets: [newSecret(), ...before] }
}

/** @throws Refusal `ledger-refused` for a text that names no endpoint, or no event where one is meant. */
export function checkedPlace(id: string): EndpointPlace & { readonly n?: number } {
  const place = placeNamed(id)
  if (place === undefined)
    throw new Refusal('ledger-refused', `'${id.slice(0, 60)}' names no endpoint or event`)
  return place
}

/** The place of an endpoint. @throws Refusal `ledger-refused` for a text that names none. */
export function checkedEndpoint(id: string): EndpointPlace {
  const { owner, number, n } = checkedPlace(id)
  if (n !== undefined) throw new Refusal('ledger-refused', `${id} is an event, not an endpoint`)
  return { owner, number }
}

/** The endpoint after its pause: its events go on. */
export function resumed(endpoint: Endpoint): Endpoint {
  return { ...endpoint, health: { ...endpoint.health, pausedAtMs: null } }
}

/** @throws Refusal `ledger-refused` when there is no such endpoint or event. */
export function found<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Refusal('ledger-refused', `there is no ${id}`)
  return value
}

/** Ended events that a list looks at for those that were given up, and how many of these it names. */
export const endedListedMax = 1_000
const failedListedMax = 10

/** The endpoint without its secrets, and what a list says besides. @param ended its events that ended, the last first. */
export function listed(
  { secrets: _, ...endpoint }: Endpoint,
  ended: readonly OutgoingEvent[],
  more: Pick<ListedEndpoint, 'account' | 'pending'>,
): ListedEndpoint {
  const failed = ended.filter(({ delivered }) => !delivered).map(({ id }) => id)
  return { ...endpoint, ...more, failed: failed.slice(0, failedListedMax) }
}
