/**
 * The records of webhooks, wherever the ledger is kept: endpoints, and the events that wait for delivery. An
 * event is written in the transaction that caused it, once for each endpoint that wants it. Times are
 * milliseconds since the epoch.
 */
import type { BalanceThreshold } from '../../money.ts'
import type { WebhookEventType } from './event-types.ts'

/** Identifies an endpoint: the number of its account (0: the operator), and a number of its own. */
export interface EndpointPlace {
  readonly owner: number
  readonly number: number
}

/** A secret that deliveries are signed with. */
export interface SigningSecret {
  /** `whsec_` and 32 random bytes in base64. */
  readonly text: string
  /** The end of its overlap after a rotation; null for the current one. */
  readonly untilMs: number | null
}

/** State of the deliveries to an endpoint. */
export interface EndpointHealth {
  readonly pausedAtMs: number | null
  /** Time of the first failure since the last success. */
  readonly failingSinceMs: number | null
  readonly deliveredAtMs: number | null
  /** Why the last attempt failed; null after a success. */
  readonly failure: string | null
}

/** Destination of events, and the types and limits that select them. */
export interface Endpoint extends EndpointPlace {
  readonly url: string
  readonly events: readonly WebhookEventType[]
  readonly below: readonly BalanceThreshold[]
  /** Filter of `authority.changed` events. */
  readonly sdus: readonly string[]
  /** The current one first. */
  readonly secrets: readonly SigningSecret[]
  readonly createdAtMs: number
  readonly health: EndpointHealth
}

/** An event before it is addressed to endpoints. */
export interface EventDraft {
  readonly type: WebhookEventType
  /** The account that it concerns; 0 for none. Events of one account keep their order. */
  readonly accountNumber: number
  /** Plain JSON. */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event on its way to one endpoint. `n` counts up over all events of a ledger. */
export interface OutgoingEvent extends EventDraft, EndpointPlace {
  readonly n: number
  /** The same for every attempt: receivers recognise a repetition by it. */
  readonly id: string
  readonly atMs: number
  readonly attempts: number
  readonly firstAttemptAtMs: number | null
  readonly nextAtMs: number
  readonly failure: string | null
  /** Time at which it was delivered or given up; null while it waits. */
  readonly endedAtMs: number | null
  readonly delivered: boolean
}

/** An endpoint that never delivered anything. */
export const newHealth: EndpointHealth = {
  pausedAtMs: null,
  failingSinceMs: null,
  deliveredAtMs: null,
  failure: null,
}

/** The public name of an endpoint: `wh_3_1`. */
export function endpointId({ owner, number }: EndpointPlace): string {
  return `wh_${owner}_${number}`
}

/** The endpoint that a public name, or the id of an event, is of; `n` for an event. */
export function placeNamed(id: string): (EndpointPlace & { readonly n?: number }) | undefined {
  const match = /^(?:wh_(\d{1,9})_(\d{1,9})|evt_(\d{1,9})_(\d{1,9})_(\d{1,15})_[0-9a-f]{12})$/.exec(
    id,
  )
  if (match === null) return undefined
  const [, owner, number, ofOwner, ofNumber, n] = match
  if (n === undefined) return { owner: Number(owner), number: Number(number) }
  return { owner: Number(ofOwner), number: Number(ofNumber), n: Number(n) }
}
