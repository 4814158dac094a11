/**
 * The cause of a change: its actor, and over HTTP the `Idempotency-Key` whose answer is kept in the same transaction
 * as the change, so that the change is made once, however often it is asked for.
 */

/** The author of a change, and the place from which it is made. */
interface Actor {
  /** The id of an admin key, or a user of the operating system. */
  readonly name: string
  /** The address of a client, or the host of a command line. */
  readonly from: string
}

/** An answer that is to be kept with its change. */
interface AnswerToKeep {
  /** Id of one `Idempotency-Key` of one admin key. */
  readonly id: string
  /** A digest of what is asked. */
  readonly question: string
  /** Makes the text that is kept of what the change returns; it cannot be read without the admin key. */
  readonly seal: (result: unknown) => string
}

/** A cause. */
export interface Cause extends Actor {
  readonly answer?: AnswerToKeep
}

/** A kept answer. */
export interface StoredAnswer {
  readonly question: string
  readonly sealed: string
  /** Milliseconds since the epoch. */
  readonly atMs: number
}

/** Duration for which answers are kept; ms. */
export const answersKeptMs = 86_400_000

/** The change was made before under the same `Idempotency-Key`; nothing was changed now. */
export class AnsweredBefore extends Error {
  readonly kept: StoredAnswer

  constructor(kept: StoredAnswer) {
    super('answered before')
    this.kept = kept
  }
}
