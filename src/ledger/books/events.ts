/** Events: what happened that an operator may want to act on. They are read; nothing sends them. */

/** Kinds of events, in the order of the documents. */
export const eventKinds = [
  'balance.low',
  'cap.reached',
  'key.expiring',
  'account.suspended',
  'account.resumed',
  'snapshot.announced',
  'snapshot.held-back',
] as const

export interface NewEvent {
  readonly kind: (typeof eventKinds)[number]
  /** Name of an account, id of a key or a snapshot, or fingerprint of a source. */
  readonly subject: string
  /** Plain JSON; never a secret. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface LedgerEvent extends NewEvent {
  /** Counts up: whoever has seen an event has seen all with smaller numbers. */
  readonly number: number
  readonly atMs: number
}

export interface EventRange {
  readonly after: number
  readonly limit: number
}

export const eventsKeptMs = 30 * 86_400_000

/** Time before the end of a key from which on it is expiring, ms. */
export const keyExpiringMs = 7 * 86_400_000
