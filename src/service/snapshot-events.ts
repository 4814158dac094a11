/** Tells the ledger once of each snapshot that is announced, and of each sync that is held back. */
import type { NewEvent } from '../ledger/books/events.ts'
import type { Follower } from './follower.ts'

type Seen = Pick<Follower['state'], 'announced' | 'heldBack'>

/** Returns what tells of all that is new; what the ledger refuses is told again with the next call. */
export function snapshotTeller(note: (event: NewEvent, isAgain: boolean) => Promise<void>) {
  let toldAnnounced: string | undefined
  let toldHeld: string | undefined
  let isTelling = false

  async function tell({ announced, heldBack }: Seen): Promise<void> {
    if (announced !== undefined && announced !== toldAnnounced) {
      const event = { kind: 'snapshot.announced', subject: announced, details: {} } as const
      // One that it finds when it starts may have been told of long ago; one that comes later may come again.
      await note(event, toldAnnounced !== undefined)
      toldAnnounced = announced
    }
    const { reason, sourceFingerprint: subject = '' } = heldBack ?? {}
    const held = reason && `${subject} ${reason}`
    if (held !== undefined && held !== toldHeld) {
      await note({ kind: 'snapshot.held-back', subject, details: { reason } }, false)
    }
    toldHeld = held
  }

  return async (seen: Seen): Promise<void> => {
    if (isTelling) return
    isTelling = true
    // The ledger reports by itself that it is away.
    await tell(seen).catch(() => {})
    isTelling = false
  }
}
