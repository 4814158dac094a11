/**
 * The port of every source of records: its state and a position in it are texts that only the
 * source understands.
 */

import type { Texts } from '../memory/text-table.ts'
import type { CorrectionRecord } from './corrections.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from './schema.ts'

export interface Source {
  /** For messages; holds no password. */
  readonly name: string
  readonly lookIntervalMs: number
  /**
   * Never the same for other records. One pass over all of them, or next to nothing where the mark
   * of an earlier reading still holds.
   * @throws Refusal `source-unreadable`.
   */
  fingerprint(onProgress?: OnProgress, earlier?: SourceMark): Promise<string>
  read(options?: ReadOptions): Promise<SourceReading>
  /** Found without reading the records. @throws Refusal `source-unreadable`. */
  stamp(): Promise<Stamp>
  /** @throws Refusal `source-unreadable`, `wrong-usage`. */
  tables?(): Promise<readonly TableReading[]>
}

export interface TableReading {
  readonly file: string
  readonly unread: readonly string[]
  readonly missing: readonly string[]
  /** Lines of a map of what unread columns look like. */
  readonly proposed: readonly string[]
}

/** Two that are equal in a field are most likely so in what it stands for. */
export interface Stamp {
  /** Differs once anything was written or replaced. */
  readonly version: string
  /** Differs once there is more or less: while it changes, the source is being written. */
  readonly extent: string
}

/** Left behind by a reading, so that unchanged records need not be read again. */
export interface SourceMark {
  readonly source: string
  /** The source promises to change it whenever a record changes. */
  readonly watermark: string
  readonly fingerprint: string
}

export interface ReadOptions {
  readonly onProgress?: OnProgress
  readonly onThreads?: boolean
}

/** Of one stream after the other, 0 to 1. */
export type OnProgress = (fraction: number) => void

/** Each stream can be read once, in any order. */
export interface SourceReading {
  readonly corrections: Batches<CorrectionRecord>
  readonly authorities: Batches<AuthorityRecord>
  readonly topics: Batches<TopicRecord>
  readonly connections: AsyncIterable<ConnectionBatch>
  /** Reads some connections once more, by their numbers, which ascend. */
  connectionsAt(numbers: Uint32Array): Batches<ConnectionRecord>
  /** @throws Error while a stream has not been read to its end. */
  fingerprint(): string
  /**
   * Whether all was there at one moment; to be asked behind the last stream.
   * @throws Refusal `source-unreadable`.
   */
  isSteady(): Promise<boolean>
  /** Undefined for a source that has none; to be asked behind the last stream. */
  mark(): SourceMark | undefined
  close(): void
}

/** In the order of the source; many at once keep the cost of awaiting off each. */
export type Batches<T> = AsyncIterable<readonly SourceEntry<T>[]>

export type SourceEntry<T> = RecordEntry<T> | RejectedEntry

/** Texts may share the memory of their whole batch: keep an entry as a copy. */
export interface RecordEntry<T> {
  readonly position: string
  readonly raw: string
  readonly value: T
  readonly complaints?: readonly FieldComplaint[]
}

interface FieldComplaint {
  readonly field: string
  readonly reason: string
  readonly isLeftOut: true
}

interface RejectedEntry extends Reject {
  readonly value: undefined
}

/** The reason of a record at which the program fails, which is the program's fault. */
export function unreadableRecord(error: unknown): string {
  return `cannot be read (${String(error).split('\n', 1)[0]}): please report it`
}

/** `field` and `reason` read as a sentence. */
export interface Reject {
  /** Such as `authorities.ndjson:17`. */
  readonly position: string
  /** Such as `topics.0.weight`; `record` or `line` for the whole. */
  readonly field: string
  readonly reason: string
  readonly raw: string
}

/** In order. Nearly all are between two SDUs: those are columns of numbers, cheap to pass on. */
export interface ConnectionBatch {
  /** The SDUs that no batch before this had: they are numbered on from those. */
  readonly sdus: Texts
  /** Connections between SDUs: the numbers of both, weights, the numbers of kinds. */
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly weights: Float64Array
  readonly kinds: Uint8Array
  /** They ascend; `connectionsAt` finds a connection by its number. */
  readonly numbers: Uint32Array
  readonly others: readonly OtherConnection[]
  /** The share of all connections that has been read, 0 to 1. */
  readonly progress: number
}

/** A connection that is not in the plain spelling, or an entry that is none. */
export interface OtherConnection {
  /** Number of connections in the columns of its batch that stand before it. */
  readonly place: number
  readonly number: number
  readonly record: ConnectionRecord | undefined
}
