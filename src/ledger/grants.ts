/**
 * Notes that are good once, as authorizations keep them in a ledger. To use one is a transaction of the ledger, so it
 * holds for all services of it: of two that use a note at the same time, one does, and the other learns it.
 */
/** A note that is good once. */
export interface OnceNote {
  readonly id: string
  readonly content: string
  /** The owner, of whom at most `notesOfOneMax` notes are kept. */
  readonly whose: string
}

/** Duration for which a note is kept, so that its second use is noticed; ms. */
export const notesKeptMs = 600_000
/** Maximum number of notes: of one owner, and of all. */
export const notesOfOneMax = 50
export const notesMax = 10_000

/** Result of keeping a note: it was kept, a note with its id exists, or there are too many. */
export type NoteKeeping = 'kept' | 'known' | 'full'
