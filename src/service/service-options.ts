/** The options of a service. Threads get its settings. */
import type { ExplorerReach } from '../explorer/reach.ts'
import type { TlsFiles } from '../http/tls.ts'
import type { WireBuild } from '../http/wire-library.ts'
import type { Values } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'

/** The settings of a service, in the order in which people read them. */
export const serviceSettings = [
  'host',
  'port',
  'opsPort',
  'admin',
  'removalKey',
  'threads',
  'explorer',
  'snapshots',
  'history',
  'follow',
  'activateAfter',
  'transferRate',
  'keep',
  'data',
  'ledger',
  'ledgerWait',
  'firstAccount',
  'openingCredit',
  'lowBalance',
  'price',
  'commitWindow',
  'texts',
  'warmUpMs',
  'pollInterval',
  'rateLimit',
  'rateBurst',
  'lookupRateLimit',
  'failedKeyLimit',
  'connectionRateLimit',
  'connectionsMax',
  'headBytesMax',
  'unknownParameters',
  'mcpInFlightMax',
  'corsOrigins',
  'trustedProxies',
  'tlsCert',
  'tlsKey',
  'mcpOrigins',
  'mcpSearchFetch',
  'publicUrl',
  'oauth',
  'oauthLogin',
  'oauthSecret',
  'contact',
  'privacy',
  'logLevel',
  'accessLogSample',
] as const

export type ServiceSettings = Values<(typeof serviceSettings)[number]>

export interface ServiceOptions extends ServiceSettings {
  /** Resolves when the service is to end, also while it starts. */
  readonly ended: Promise<void>
  readonly explorerReach: ExplorerReach
  /** Undefined for plain HTTP. */
  readonly tls: TlsFiles | undefined
  readonly clock: () => number
  readonly log: Log
  readonly wire: WireBuild
  /** The directory of a snapshot that is served until one is announced. */
  readonly example?: string | undefined
}
