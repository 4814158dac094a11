/**
 * The cause of a change: its actor, and over HTTP the request with its `Idempotency-Key`, which is noted in the same
 * transaction as the change, so that the change is made once, however often it is asked for.
 */

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
