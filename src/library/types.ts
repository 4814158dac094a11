/**
 * The types of the package: what `openIndex` takes and gives. Items and options are those of the HTTP API. It imports only
 * what is published with it.
 */
import type { FieldsOf } from '../client/client.ts'
import type { Params, Schemas } from '../client/contract.ts'

/**
 * The source of snapshots: a directory of them, object storage (`s3://bucket/prefix`), the `https://` address
 * of the same objects, or the value of `share` from another thread.
 */
export type IndexSource = string | SharedIndex

/** An index that another thread shares. It goes through `postMessage` without a copy. */
export interface SharedIndex {
  readonly kind: 'authority-index'
  readonly version: string
  readonly snapshot: object
}

/** Progress of opening. */
export interface OpenProgress {
  /** `fetch`: from object storage into a directory. `load`: from the directory into memory. */
  readonly step: 'fetch' | 'load'
  /** 0 to 1. */
  readonly share: number
}

/** Options for opening an index. */
export interface OpenOptions {
  /** Whether the index follows the announced snapshots. It keeps the process running until `close`. */
  readonly follow?: boolean | undefined
  /** Aborting it ends the opening, or closes the open index. */
  readonly signal?: AbortSignal | undefined
  /** Called after each swap to another snapshot. */
  readonly onSwap?: ((snapshot: SnapshotInfo, previous: SnapshotInfo) => void) | undefined
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined
  /** Called with a line about each failure to follow; the index answers from the snapshot that it has. */
  readonly onProblem?: ((line: string) => void) | undefined
  /** Directory for snapshots from object storage; a temporary one unless given. */
  readonly directory?: string | undefined
  /**
   * Storage of the texts of people: memory, or the disk, from which they are read when an answer needs them. Such
   * a call waits for the disk. `memory` unless given.
   */
  readonly texts?: 'memory' | 'disk' | undefined
}

/** Summary of a snapshot. */
export interface SnapshotInfo {
  readonly id: string
  /** Time at which its records were made, ISO 8601; null if they do not say. */
  readonly created_at: string | null
  readonly authorities: number
  readonly topics: number
  readonly handles: number
  readonly recipe: number
}

/** A source and its publisher. */
type Ranked = Schemas['Source'] & {
  [N in 'sdu' | 'name' | 'authority_score' | 'rank' | 'topic']: Exclude<
    Schemas['Source'][N],
    undefined
  >
}

/** A source with the publisher's fields that `fields` chooses, each null if it is unknown. */
type ChosenSource = Pick<Schemas['Source'], 'source' | 'reason' | 'index' | 'position'> & {
  [N in keyof ChosenFields]: ChosenFields[N] | null
}

/** An item of which `fields` chooses the fields. */
type ChosenFields = FieldsOf<never, { fields: readonly string[] }>

/** Items of an aligned answer may be null. */
type AlignedItem<T, O> = O extends { aligned: true } ? FieldsOf<T, O> | null : FieldsOf<T, O>

/** An answer: the members of the service's body, without `duration` and `request_id`. */
export interface IndexAnswer<T> {
  results: T[]
}

/** An answer that may be a page. */
export type PagedAnswer<T> = IndexAnswer<T> & Schemas['PeersPage']

/** The answer to a search; `way` found it: the `X-Search-Way` of the service. */
export type SearchPage<T> = IndexAnswer<T> & Schemas['SearchPage'] & { way: string }

type OneOrMore = string | readonly string[]

/** Options for the contents of items; `aligned`, for lists: one item for each value that was sent, `null` without a match. */
type ItemOptions = Params['match'] & Pick<Params['rank'], 'aligned'>

/**
 * The operations over one snapshot. Each is synchronous, takes microseconds to find a person and
 * gives new plain objects. Each throws `InvalidParameter` and `MalformedRequest` as the service answers 400.
 */
export interface IndexQueries {
  readonly snapshot: SnapshotInfo
  /** The top owner of one handle, identifier or address; null if nobody in the index has it. */
  get(handle: string): Schemas['Match'] | null
  /**
   * The owners of handles, identifiers and addresses. A text is read as the service reads the parameter of
   * a GET, a list as it reads the list of a POST: up to 1,000.
   */
  match<O extends ItemOptions = Record<never, never>>(
    handles: OneOrMore,
    options?: O,
  ): IndexAnswer<AlignedItem<Schemas['Match'], O>>
  /** Profiles by SDU, one text or up to 1,000 as a list. */
  detail<O extends ItemOptions = Record<never, never>>(
    sdus: OneOrMore,
    options?: O,
  ): IndexAnswer<AlignedItem<Schemas['Profile'], O>>
  /** The top authorities connected with handles: up to 50. */
  peers<O extends Params['peers'] = Record<never, never>>(
    handles: OneOrMore,
    options?: O,
  ): PagedAnswer<FieldsOf<Schemas['Summary'], O>>
  /** People by topic, keywords or name. */
  search<O extends Params['search'] = Record<never, never>>(
    query: string,
    options?: O,
  ): SearchPage<FieldsOf<Schemas['Summary'], O>>
  /** Sources in the order of their publishers' authority: up to 1,000. */
  rank<O extends Params['rank'] = Record<never, never>>(
    sources: readonly string[],
    options?: O,
  ): IndexAnswer<O extends { fields: readonly string[] } ? ChosenSource : Ranked>
  topics(options?: Params['topics']): PagedAnswer<Schemas['Topic']>
  autocomplete(query: string, options?: Params['autocomplete']): IndexAnswer<Schemas['Suggestion']>
  /**
   * The authority score of the top owner of each handle, `NaN` without an owner: for pipelines, without
   * an object a handle and without a limit. Handles are a list, or lines of UTF-8 in one buffer.
   * @param options.out is filled and returned; at least as long as there are handles.
   */
  scores(
    handles: readonly string[] | Uint8Array,
    options?: { out?: Float64Array | undefined },
  ): Float64Array
  /** The same of ranks in a topic, 0 for those who have none; without a topic, in each one's core topic. */
  ranks(
    handles: readonly string[] | Uint8Array,
    topic?: string,
    options?: { out?: Uint32Array | undefined },
  ): Uint32Array
  /** Explanations of the ranks of people in their core topics, by SDU. */
  explain(sdus: OneOrMore): IndexAnswer<{ sdu: string; explanation: Schemas['Explanation'] }>
}

/** A snapshot that stays the same. */
export interface IndexView extends IndexQueries {
  /** A handle for a `worker_threads` worker, which opens it by `openIndex` without another copy in memory. */
  share(): SharedIndex
}

/** An open index: each call answers from the newest snapshot. */
export interface AuthorityIndex extends IndexView {
  /** The snapshot of this moment, for several calls that belong together. */
  at(): IndexView
  /** Ends following and gives the memory up; later calls throw `IndexClosed`. */
  close(): Promise<void>
  [Symbol.dispose](): void
}
