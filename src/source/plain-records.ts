/** Records, of lines or of tables, as plain values that no reader has looked at yet. */
import type { Hash } from 'node:crypto'
import type { OnProgress } from './source.ts'

/** Both read as a sentence. */
export interface RecordFault {
  readonly field: string
  readonly reason: string
}

export interface PlainRecord {
  /** Of its line, or of its row below the header; from 1. */
  readonly number: number
  /** The record for a report; a row as JSON. */
  readonly text: string
  readonly value: unknown
  readonly fault?: RecordFault | undefined
}

/** Called with each line as `bytes[start, end)`, blank ones too; returns whether it took it. */
export type LineTaker = (number: number, bytes: Buffer, start: number, end: number) => boolean

export interface StreamOptions {
  /** Called with each record; without it values are made only where the digest needs them. */
  readonly visit?: ((record: PlainRecord) => void) | undefined
  readonly onProgress?: OnProgress | undefined
  /** Gets all records as lines. */
  readonly hash?: Hash | undefined
  readonly isWanted?: ((number: number) => boolean) | undefined
  readonly takeLine?: LineTaker | undefined
}

export interface RecordStream {
  /**
   * Yields after each piece of the source; can be called again.
   * @throws Refusal `source-unreadable`, `wrong-usage` for a map that does not fit.
   */
  read(options: StreamOptions): AsyncGenerator<void, void, undefined>
  positionOf(record: PlainRecord): string
}
