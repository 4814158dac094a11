/**
 * Records as a source holds them: plain values, as JSON has them, that no reader has looked at yet. Lines and rows of
 * tables become these; whoever reads on need not know which they were.
 */
import type { Hash } from 'node:crypto'
import type { OnProgress } from './source.ts'

/** Why there is no record; both read as a sentence. */
export interface RecordFault {
  readonly field: string
  readonly reason: string
}

/** A record, or why there is none. */
export interface PlainRecord {
  /** Of its line, or of its row below the header; from 1. */
  readonly number: number
  /** The record for a report; a row as JSON. */
  readonly text: string
  /** Its value; undefined where there is none. */
  readonly value: unknown
  readonly fault?: RecordFault | undefined
}

/**
 * Called with each line as `bytes[start, end)`, blank ones too, before it is made a record; returns whether it took it.
 */
export type LineTaker = (number: number, bytes: Buffer, start: number, end: number) => boolean

/** Options of reading a stream. */
export interface StreamOptions {
  readonly onProgress?: OnProgress | undefined
  /** Gets what `digest` digests. */
  readonly hash?: Hash | undefined
  /** Whether a record is wanted; all are unless given. */
  readonly isWanted?: ((number: number) => boolean) | undefined
  /** Takes lines where the records are lines. */
  readonly takeLine?: LineTaker | undefined
}

/** The records of one kind, wherever they lie; they can be read again and again. */
export interface RecordStream {
  /**
   * Calls `visit` with each record in its order, and yields after each piece of the source.
   * @throws Refusal `source-unreadable`, `wrong-usage` for a map that does not fit.
   */
  read(
    visit: (record: PlainRecord) => void,
    options?: StreamOptions,
  ): AsyncGenerator<void, void, undefined>
  /** Digests all records without making them values, where that is cheaper. */
  digest(hash: Hash, onProgress: OnProgress | undefined): Promise<void>
  /** Position of a record, for a person who looks for it. */
  positionOf(record: PlainRecord): string
}
