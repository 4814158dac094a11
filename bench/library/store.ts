/** What the bench of the library measures: stores that find the scores of a batch of handles. */

/** A batch as texts, and as lines. */
export interface Batch {
  readonly json: string
  readonly lines: Uint8Array
}

/** One manner to find the scores of a batch, in memory or on the disk of so many bytes. */
export interface Store {
  readonly bytes: number
  readonly close?: () => Promise<void>
  /** The sum keeps the work from being left out. */
  readonly scoresOf: (texts: readonly string[], batch: Batch) => number | Promise<number>
}
