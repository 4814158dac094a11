/**
 * The port of every source of records. The consumer knows no file, line or table: the state of a source
 * and a position in it are texts that only the source understands.
 */

import type { Texts } from '../memory/text-table.ts'
import type { CorrectionRecord } from './corrections.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from './schema.ts'

/** A source; `openSource` gives one. */
export interface Source {
  /** Name of the source in messages; holds no password. */
  readonly name: string
  /** Interval between two looks of a watch at its stamp, ms. */
  readonly lookIntervalMs: number
  /**
   * The fingerprint of the records that are there now: never the same for others. Costs as much as it
   * has to: one pass over all records, or next to nothing where the mark of an earlier reading still holds.
   * @throws Refusal `source-unreadable`.
   */
  fingerprint(onProgress?: OnProgress, earlier?: SourceMark): Promise<string>
  /**
   * Begins to read the records that are there now.
   * @throws Refusal `source-unreadable`, now or while a stream is read.
   */
  read(options?: ReadOptions): Promise<SourceReading>
  /**
   * The stamp of the present records, found without reading them.
   * @throws Refusal `source-unreadable`.
   */
  stamp(): Promise<Stamp>
  /**
   * Describes how the columns of its tables are read; absent if a source has no tables in files.
   * @throws Refusal `source-unreadable`, `wrong-usage`.
   */
  tables?(): Promise<readonly TableReading[]>
}

/** The reading of the columns of a table in a file. */
export interface TableReading {
  readonly file: string
  /** Columns that no field is read from. */
  readonly unread: readonly string[]
  /** Fields that each record needs and that no column is. */
  readonly missing: readonly string[]
  /** Lines of a map of what unread columns look like. */
  readonly proposed: readonly string[]
}

/** A source at a moment; two that are equal in a field are most likely so in what it stands for. */
export interface Stamp {
  /** Another one once anything was written or put in the place of something. */
  readonly version: string
  /** Another one once there is more or less: while it changes, the source is being written. */
  readonly extent: string
}

/** Mark that a reading leaves behind, so that unchanged records need not be read again. */
export interface SourceMark {
  readonly source: string
  /** Value that the source promises to change whenever a record changes. */
  readonly watermark: string
  /** Fingerprint of the records at this watermark. */
  readonly fingerprint: string
}

/** Options for reading a source. */
export interface ReadOptions {
  /** Called for one stream after the other. */
  readonly onProgress?: OnProgress
  /** Whether connections are read on a thread of their own, from now on. */
  readonly onThreads?: boolean
}

/** Called with the share of a stream that has been read, 0 to 1. */
export type OnProgress = (fraction: number) => void

/** One reading of all records; each of its four streams can be read once, in any order. */
export interface SourceReading {
  readonly corrections: Batches<CorrectionRecord>
  readonly authorities: Batches<AuthorityRecord>
  readonly topics: Batches<TopicRecord>
  readonly connections: AsyncIterable<ConnectionBatch>
  /** Reads some connections once more: those with these numbers of theirs, which ascend. */
  connectionsAt(numbers: Uint32Array): Batches<ConnectionRecord>
  /**
   * The fingerprint of the records that were read.
   * @throws Error while a stream has not been read to its end.
   */
  fingerprint(): string
  /**
   * Whether all that was read was there at one moment; to be asked behind the last stream.
   * @throws Refusal `source-unreadable`.
   */
  isSteady(): Promise<boolean>
  /** The mark of what was read, of a source that has one; to be asked behind the last stream. */
  mark(): SourceMark | undefined
  /** To be called when nothing more is wanted of it. */
  close(): void
}

/** Records in the order of the source, many at once, which keeps the cost of awaiting off each. */
export type Batches<T> = AsyncIterable<readonly SourceEntry<T>[]>

/** One position of a source; `value === undefined` where it holds no record. */
export type SourceEntry<T> = RecordEntry<T> | RejectedEntry

/**
 * A record, and `raw` for the report of a later reject. Texts may share the memory of their
 * whole batch: keep an entry as a copy.
 */
export interface RecordEntry<T> {
  readonly position: string
  readonly raw: string
  readonly value: T
  /** Its wrong fields that were left out, because a record needs none of them. */
  readonly complaints?: readonly FieldComplaint[]
}

/** A field that a record was taken without, and why; both read as a sentence. */
export interface FieldComplaint {
  readonly field: string
  readonly reason: string
  /** The record was taken. */
  readonly isLeftOut: true
}

/** An entry that should be a record and is none. */
interface RejectedEntry extends Reject {
  readonly value: undefined
}

/** The reason of a record at which the program fails, which is a fault of the program. */
export function unreadableRecord(error: unknown): string {
  return `cannot be read (${String(error).split('\n', 1)[0]}): please report it`
}

/** A record that is not taken, and why; `field` and `reason` read as a sentence. */
export interface Reject {
  /** Position in the source, such as `authorities.ndjson:17`. */
  readonly position: string
  /** The path of the field, such as `topics.0.weight`; `record` or `line` for the whole. */
  readonly field: string
  readonly reason: string
  /** The record as it stands in the source. */
  readonly raw: string
}

/**
 * Some connections, in order. A source has many times as many of them as of authorities, and nearly
 * all are between two SDUs: those are columns of numbers, which cost little to make and to pass on.
 */
export interface ConnectionBatch {
  /** The SDUs that no batch before this had: they are numbered on from those. */
  readonly sdus: Texts
  /** Connections between SDUs: the numbers of both, weights, the numbers of kinds. */
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly weights: Float64Array
  readonly kinds: Uint8Array
  /** The number of each, by which `connectionsAt` finds it again; they ascend. */
  readonly numbers: Uint32Array
  /** All other connections, and entries that should be connections and are none. */
  readonly others: readonly OtherConnection[]
  /** The share of all connections that has been read with this batch, 0 to 1. */
  readonly progress: number
}

/** An entry beside the columns of a batch: a connection that is not in the plain spelling, or none. */
export interface OtherConnection {
  /** Number of connections in the columns of its batch that stand before it. */
  readonly place: number
  readonly number: number
  /** Undefined where it is no connection. */
  readonly record: ConnectionRecord | undefined
}
