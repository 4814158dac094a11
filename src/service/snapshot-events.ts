/** Tells the ledger once of each snapshot that is announced, and of each sync that is held back. */
import type { NewEvent } from '../ledger/books/events.ts'
import type { Follower } from './follower.ts'

type Seen = Pick<Follower['state'], 'announced' | 'heldBack'>

export class SnapshotEvents {
  readonly #note: (event: NewEvent, isAgain: boolean) => Promise<void>
  #announced: string | undefined
  #heldBack: string | undefined
  #isTelling = false

  constructor(note: (event: NewEvent, isAgain: boolean) => Promise<void>) {
    this.#note = note
  }

  /** Tells what is new; what the ledger refuses is told again with the next call. */
  async tell(seen: Seen): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      await this.#tell(seen)
    } catch {
      // The ledger reports by itself that it is away.
    } finally {
      this.#isTelling = false
    }
  }

  async #tell({ announced, heldBack }: Seen): Promise<void> {
    if (announced !== undefined && announced !== this.#announced) {
      const event = { kind: 'snapshot.announced', subject: announced, details: {} } as const
      // One that it finds when it starts may have been told of long ago; one that comes later may come again.
      await this.#note(event, this.#announced !== undefined)
      this.#announced = announced
    }
    const { reason, sourceFingerprint: subject = '' } = heldBack ?? {}
    const held = reason && `${subject} ${reason}`
    if (held !== undefined && held !== this.#heldBack) {
      await this.#note({ kind: 'snapshot.held-back', subject, details: { reason } }, false)
    }
    this.#heldBack = held
  }
}
