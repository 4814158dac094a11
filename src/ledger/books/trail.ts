/**
 * The audit log: one entry for each change that a person or a program made to the books or to what
 * is served, with its actor. Over HTTP the cause is also the request with its `Idempotency-Key`,
 * which is noted in the same transaction, so that the change is made once, however often it is
 * asked for.
 */

/** Plain JSON about a change; never a secret. */
export type TrailFacts = Readonly<Record<string, unknown>>

export interface TrailContent {
  readonly atMs: number
  /** An admin key (`adm_…`), a user of the operating system, or the service. */
  readonly actor: string
  /** The address of the client, or the host of the command line. */
  readonly from: string
  readonly action: string
  readonly subject: string
  readonly details: TrailFacts
  readonly before: TrailFacts | null
  readonly after: TrailFacts | null
}

export interface TrailEntry extends TrailContent {
  /** From 1, without gaps. */
  readonly number: number
}

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

/** The author of a change, as the log names it. */
export interface Cause {
  readonly name: string
  readonly from: string
  readonly request?: KeyedRequest
}

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
