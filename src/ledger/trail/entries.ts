/**
 * The audit log: one entry for each change that a person or a program made to the books or to what is served,
 * with its actor. Each entry carries the digest of its content and of the entry before it, as rows of the
 * journal do, so that an entry that was changed, added or removed by other means shows.
 */
import { digestOf } from '../chain/digests.ts'

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
  readonly digest: string
}

/** Number and digest of the last entry. */
export interface TrailHead {
  readonly number: number
  readonly digest: string
}

/** The head of a log without entries. */
export const noEntries: TrailHead = { number: 0, digest: '' }

/** Returns the entry that follows a head. */
export function nextEntry(head: TrailHead, content: TrailContent): TrailEntry {
  const number = head.number + 1
  return { ...content, number, digest: digestOfEntry(head.digest, { ...content, number }) }
}

function digestOfEntry(previous: string, entry: Omit<TrailEntry, 'digest'>): string {
  const { number, atMs, actor, from, action, subject, details, before, after } = entry
  const parts = [number, atMs, actor, from, action, subject, details, before, after]
  return digestOf(['audit', previous, ...parts])
}

/** Proves the entries of a log, which are added in their order: each is named where it is not what was written. */
export class TrailProof {
  readonly contradictions: string[] = []
  #last: TrailHead = noEntries

  add(entry: TrailEntry): void {
    const { number, digest } = entry
    const place = `audit log, entry ${number}`
    if (number !== this.#last.number + 1) {
      this.contradictions.push(`${place}: it stands where entry ${this.#last.number + 1} belongs`)
    } else if (digest !== digestOfEntry(this.#last.digest, entry)) {
      this.contradictions.push(`${place}: it, or what was before it, is not what was written`)
    }
    this.#last = { number, digest }
  }

  /** @param head what the ledger says of the last entry. */
  end(head: TrailHead): readonly string[] {
    const { number, digest } = this.#last
    if (head.number !== number || head.digest !== digest) {
      const written = `the last entry that was written is entry ${head.number}`
      this.contradictions.push(`audit log: ${written}, the last that is there is entry ${number}`)
    }
    return this.contradictions
  }
}
