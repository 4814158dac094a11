/**
 * The messages between the main thread and its threads. Sections are shared memory, so that passing a snapshot passes
 * references.
 */
import type { MessagePort } from 'node:worker_threads'
import type { SharedLimits } from '../api/limits/rate-limit.ts'
import type { ReadyFile } from '../api/ready-file.ts'
import type { ExplorerReach } from '../explorer/reach.ts'
import type { Site } from '../explorer/site.ts'
import type { TlsFiles } from '../http/tls.ts'
import type { WireBuild } from '../http/wire-library.ts'
import type { OwnerView, OwnKey } from '../ledger/books/account-views.ts'
import type { SharedBalances } from '../ledger/live/balances.ts'
import type { SharedPaidQuestions } from '../ledger/live/paid-questions.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { TextsOnDisk } from '../snapshot/texts/stored-texts.ts'
import type { SharedMetrics } from '../telemetry/metrics.ts'
import type { ServiceSettings } from './service-options.ts'

export interface ThreadStart {
  readonly settings: ServiceSettings
  /** Key that cursors are written with, the same on all threads and after a restart. */
  readonly cursorKey: Uint8Array
  readonly balances: SharedBalances
  readonly questions: SharedPaidQuestions
  readonly openApi: ReadyFile
  /** Counts of all threads; each thread counts in the region of its place. */
  readonly metrics: SharedMetrics
  readonly limits: SharedLimits
  /** Undefined for plain HTTP. */
  readonly tls: TlsFiles | undefined
  /** The explorer; undefined where it is off. */
  readonly site: Site | undefined
  readonly explorerReach: ExplorerReach
  /** The build that was loaded on the main thread, and so loads on this one. */
  readonly wire: WireBuild
  readonly threads: number
  /** Among the threads, from 0; the control thread has the last. */
  readonly place: number
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Whether it answers only the requests of operators: health, readiness and metrics. */
  readonly forOperators: boolean
}

export type MainCalls = {
  /** An account as a holder of a key sees it; undefined where the ledger has no such key. */
  readOwner(key: OwnKey): OwnerView | undefined
  /** Looks up a key that a thread does not have, by its hash; the threads are handed what is found. */
  seekKey(hash: string): void
  /** The key of a code of the explorer's address, once; undefined for any other code. */
  exchangeCode(code: string): string | undefined
  /** Connects the thread to the control thread; see `LinkCalls`. */
  connectControl(nothing: undefined): MessagePort
}

/** The memory of a snapshot that is no longer served, by the names of its sections. */
export type SpareMemory = Readonly<Record<string, SharedArrayBuffer>>

export interface LoadOrder extends ChangesOrder {
  readonly spare: SpareMemory
  /** Unless given, all texts are read into memory. */
  readonly textsOnDisk?: TextsOnDisk | undefined
  /** Whether requests are served meanwhile, which must not wait for the load. */
  readonly isServing: boolean
}

export interface ServedSnapshot extends Snapshot {
  /** The last at the end; none are known where it is absent. */
  readonly changes?: readonly ChangeFile[]
}

/** A snapshot that was loaded, and facts of its file at that time: it may be gone since. */
export interface LoadedSnapshot extends ServedSnapshot {
  /** Milliseconds since the epoch. */
  readonly writtenAtMs: number
  /** Why the changes do not go back further, where a file is at fault. */
  readonly brokenChanges?: string | undefined
}

export interface ChangesOrder {
  readonly directory: string
  readonly id: string
  /** Those announced before are left out. Milliseconds since the epoch. */
  readonly changesSinceMs: number
}
