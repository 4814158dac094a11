/**
 * The audit log: one entry for each change that a person or a program made to the books or to what is served,
 * with its actor. Entries are numbered without gaps.
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
  /** Details of the request. */
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

/** Proves the entries of a log, which are added in their order: a gap is named, and a last entry that is not there. */
export class TrailProof {
  readonly contradictions: string[] = []
  #last = 0

  add({ number }: TrailEntry): void {
    const next = this.#last + 1
    if (number !== next) {
      this.contradictions.push(`audit log, entry ${number}: it stands where entry ${next} belongs`)
    }
    this.#last = number
  }

  /** @param written number of the last entry, as the ledger says. */
  end(written: number): readonly string[] {
    if (written !== this.#last) {
      this.contradictions.push(
        `audit log: the last entry that was written is entry ${written}, the last that is there is entry ${this.#last}`,
      )
    }
    return this.contradictions
  }
}
