/**
 * The audit log: one entry for each change that a person or a program made to the books or to what is served, with its
 * actor. Entries are numbered without gaps. Over HTTP the cause of a change is also the request with its
 * `Idempotency-Key`, which is noted in the same transaction, so that the change is made once, however often it is asked for.
 */

/** Plain JSON about a change; never a secret. */
export type TrailFacts = Readonly<Record<string, unknown>>

/** Content of an entry about a change. */
export interface TrailContent {
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** An admin key (`adm_…`), a user of the operating system, or the service. */
  readonly actor: string
  /** The address of the client, or the host of the command line. */
  readonly from: string
  /** The action, such as `account.top-up`. */
  readonly action: string
  /** The account, key or snapshot that it concerns. */
  readonly subject: string
  readonly details: TrailFacts
  /** The subject as it was; null where there was none. */
  readonly before: TrailFacts | null
  /** The subject as it is since; null where there is none any more. */
  readonly after: TrailFacts | null
}

/** An entry in its place. */
export interface TrailEntry extends TrailContent {
  /** From 1, without gaps. */
  readonly number: number
}

/** The author of a change, and the place from which it is made. */
interface Actor {
  /** The id of an admin key, or a user of the operating system. */
  readonly name: string
  /** The address of a client, or the host of a command line. */
  readonly from: string
}

/** A request that is carried out once. */
interface KeyedRequest {
  /** Id of one `Idempotency-Key` of one admin key. */
  readonly id: string
  /** A digest of what is asked. */
  readonly question: string
  /** The ids of what the change made or changed. @param result what the change returned. */
  readonly idsOf: (result: unknown) => MadeIds
}

/** Ids by the names that they have in answers: `{ key_id: 'key_…' }`. */
export type MadeIds = Readonly<Record<string, string>>

/** A cause. */
export interface Cause extends Actor {
  readonly request?: KeyedRequest
}

/** A change as it is noted under the id of its request. */
export interface MadeChange {
  readonly question: string
  readonly made: MadeIds
}

/** The change was made before under the same `Idempotency-Key`; nothing was changed now. */
export class MadeBefore extends Error {
  readonly change: MadeChange

  constructor(change: MadeChange) {
    super('made before')
    this.change = change
  }
}
