/**
 * What the main thread and its threads say to each other. Sections are shared memory, so that
 * passing a snapshot passes references.
 */

import type { LimitSettings, SharedLimits } from '../api/limits/rate-limit.ts'
import type { Status } from '../api/open-replies.ts'
import type { TlsFiles } from '../http/tls.ts'
import type { SharedBalances } from '../ledger/live/balances.ts'
import type { KeyTable } from '../ledger/live/keyring.ts'
import type { Prices } from '../operations.ts'
import type { RefusalCode } from '../problems.ts'
import type { LogLevel } from '../settings.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { SectionName } from '../snapshot/sections.ts'
import type { SharedMetrics } from '../telemetry/metrics.ts'

/** What a serving thread is started with. */
export interface ThreadStart {
  readonly balances: SharedBalances
  readonly prices: Prices
  /** The OpenAPI document as JSON. */
  readonly openApi: string
  /** Web origins that may use MCP, beside those of this computer. */
  readonly mcpOrigins: readonly string[]
  readonly logLevel: LogLevel
  /** Share of the requests that are logged, from 0 to 1. */
  readonly accessLogSample: number
  /** Where each thread counts, in the region of its place. */
  readonly metrics: SharedMetrics
  readonly guard: Guard
}

/** What the threads are started with, and which of them this one is, from 0. */
export interface PlacedThreadStart extends ThreadStart {
  readonly place: number
}

/** What keeps the service from being abused: limits, and who is believed and let through. */
export interface Guard extends LimitSettings {
  readonly limits: SharedLimits
  /** Of all threads together; 0 is no limit. */
  readonly connectionsMax: number
  /** Web origins whose pages may read answers. */
  readonly corsOrigins: readonly string[]
  /** Addresses and networks of proxies whose word is taken. */
  readonly trustedProxies: readonly string[]
  /** Undefined for plain HTTP. */
  readonly tls: TlsFiles | undefined
}

/** To a serving thread; `serve` is `prepare` and `switch` at once, for a thread that is brought up. */
export type Order =
  | { readonly kind: 'listen'; readonly host: string; readonly port: number }
  | { readonly kind: 'prepare'; readonly snapshot: Snapshot }
  | { readonly kind: 'switch' }
  | { readonly kind: 'serve'; readonly snapshot: Snapshot }
  | { readonly kind: 'take-keys'; readonly table: KeyTable }
  | { readonly kind: 'take-status'; readonly status: Status }
  | { readonly kind: 'close' }

/** From a serving thread; each answers one order. What is taken is not reported. */
export type Report =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'cannot-listen' }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'switched' }
  | { readonly kind: 'closed' }

/** The memory of the sections of a snapshot that is no longer served. */
export type SectionBuffers = { readonly [N in SectionName]?: SharedArrayBuffer }

/** What a loading thread is started with. */
export interface LoadOrder {
  readonly directory: string
  readonly id: string
  readonly spare: SectionBuffers
}

/** What a loading thread found: a snapshot that is whole, or why it is not to be served. */
export type LoadReport =
  | { readonly snapshot: Snapshot }
  | { readonly refusal: { readonly code: RefusalCode; readonly message: string } }
