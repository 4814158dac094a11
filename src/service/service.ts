/**
 * The service as its main thread runs it: it owns the snapshot store, the ledger and the
 * threads, and serves no requests itself.
 */
import { randomInt } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { openApiDocument } from '../api/describe/openapi.ts'
import { createSharedLimits, monotonicMs } from '../api/limits/rate-limit.ts'
import { readyText } from '../api/ready-file.ts'
import { readSite } from '../explorer/site.ts'
import type { TlsFiles } from '../http/tls.ts'
import type { WireBuild } from '../http/wire-library.ts'
import { Commits } from '../ledger/live/commits.ts'
import type { KeyTable } from '../ledger/live/keyring.ts'
import { createSharedPaidQuestions } from '../ledger/live/paid-questions.ts'
import { openSession } from '../ledger/lmdb/session.ts'
import type { LedgerSession } from '../ledger/port.ts'
import { usdNumber } from '../money.ts'
import { type Prices, routeNames } from '../operations.ts'
import { Refusal } from '../problems.ts'
import { priceSettingOf, type Values } from '../settings.ts'
import type { Stability } from '../snapshot/changes/change.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { partsOf } from '../snapshot/store/removals.ts'
import type { Log } from '../telemetry/log.ts'
import { createSharedMetrics, ServiceMetrics, type SharedMetrics } from '../telemetry/metrics.ts'
import { ChangesFollower } from './changes-follower.ts'
import { Follower } from './follower.ts'
import { listenAlone, refuseIfTaken } from './listen-alone.ts'
import { Loader } from './loader.ts'
import { mirrorFacts, mirrorFigures } from './mirror-status.ts'
import { Mirroring } from './mirroring.ts'
import {
  type LoadedSnapshot,
  type ThreadSettings,
  type ThreadStart,
  threadSettings,
} from './protocol.ts'
import { timeText, withoutPaths } from './status-texts.ts'
import { Threads } from './thread-pool.ts'

/** The settings of a service, in the order in which people read them. */
export const serviceSettings = [
  'host',
  'port',
  'opsPort',
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
  ...routeNames.map(priceSettingOf),
  'commitWindow',
  'pollInterval',
  'rateLimit',
  'rateBurst',
  'lookupRateLimit',
  'failedKeyLimit',
  'connectionRateLimit',
  'connectionsMax',
  'headBytesMax',
  'unknownParameters',
  'compressAbove',
  'unreadBytesMax',
  'mcpInFlightMax',
  'corsOrigins',
  'trustedProxies',
  'tlsCert',
  'tlsKey',
  'mcpOrigins',
  'logLevel',
  'accessLogSample',
] as const

/** What a service is started with: its settings, and what was made of others. */
export interface ServiceOptions extends Values<(typeof serviceSettings)[number]> {
  /** Resolves when the service is to end, also while it starts. */
  readonly ended: Promise<void>
  readonly prices: Prices
  readonly servesExplorer: boolean
  /** Undefined for plain HTTP. */
  readonly tls: TlsFiles | undefined
  readonly clock: () => number
  readonly log: Log
  /** What has loaded of uWebSockets.js. */
  readonly wire: WireBuild
  /** The directory of a snapshot that is served until one is announced. */
  readonly example?: string | undefined
}

/** A running service. */
export interface Service {
  readonly port: number
  /** Where operators ask; undefined where that is `port`. */
  readonly opsPort: number | undefined
  readonly threads: number
  readonly snapshotId: string
  /** The key of the account `default`, when the ledger was empty and it was made, or never shown. */
  readonly firstKey: string | undefined
  /** To be called when it was shown; else the next start makes another. */
  readonly firstKeyShown: () => Promise<void>
  /** Resolves when `/readyz` is to say yes for the first time. */
  readonly ready: Promise<void>
  /** Rejects when the service cannot go on: serving threads keep dying. */
  readonly failed: Promise<never>
  /** Looks at once whether another snapshot is announced. */
  readonly look: () => void
  /** Serves no more, writes what is left of the charges, and ends the threads. */
  readonly close: () => Promise<void>
}

/** How often what `/readyz` says is brought up to date. */
const statusIntervalMs = 500

/**
 * Starts the service over the snapshot that its directory announces, and answers when it serves.
 * @throws Refusal `snapshot-missing`, `cannot-listen`, `threads-not-started`, `already-running` when
 * another process serves from the same ledger, `ledger-refused`, `ledger-corrupt`.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host, port, log } = options
  const count = options.threads || availableParallelism()
  await refuseIfTaken(host, port)
  // The first table comes before there are threads: they take it when they start.
  let threads: Threads | undefined
  const onKeyTable = (table: KeyTable) => threads?.takeKeys(table)
  const report = (line: string) => log('ledger', line)
  const onImbalance = (line: string) => log('ledger-imbalance', line)
  const session = await openLedger(options, report)
  let commits: Commits | undefined
  let running: Running | undefined
  try {
    const order = { threads: count, clock: monotonicMs, onKeyTable, report, onImbalance }
    commits = await Commits.open(session, order)
    running = new Running(options, commits, count, await session.cursorKey())
    threads = running.threads
    threads.takeKeys(commits.keyTable)
    return await running.start()
  } catch (error) {
    await (running ?? commits ?? session).close()
    throw error
  }
}

/** Its library is loaded only for a ledger in a database. */
async function openLedger(
  { data, ledger: uri, ledgerWait: waitMs, clock, host, port, ended }: ServiceOptions,
  report: (line: string) => void,
): Promise<LedgerSession> {
  if (uri === null) return openSession(data, clock)
  const { openLeaseSession } = await import('../ledger/leases/open-lease-session.ts')
  const node = `${hostname()} ${host}:${port}`
  const waiting = { waitMs, ended, clock: monotonicMs, report }
  return openLeaseSession({ uri, directory: data, node, wallClock: clock, ...waiting })
}

/** The parts of a running service, wired to each other. */
class Running {
  readonly threads: Threads
  readonly #options: ServiceOptions
  readonly #commits: Commits
  readonly #count: number
  readonly #loader: Loader
  readonly #changes: ChangesFollower
  readonly #follower: Follower
  readonly #mirroring: Mirroring | undefined
  readonly #shared: SharedMetrics
  readonly #metrics: ServiceMetrics
  #fail: (refusal: Refusal) => void = () => {}
  readonly #failed = new Promise<never>((_, reject) => {
    this.#fail = reject
  })
  #isReady = () => {}
  readonly #ready = new Promise<void>((resolve) => {
    this.#isReady = resolve
  })
  #timer: NodeJS.Timeout | undefined

  constructor(options: ServiceOptions, commits: Commits, count: number, cursorKey: Uint8Array) {
    const { snapshots, prices, tls, wire, log, clock } = options
    this.#options = options
    this.#commits = commits
    this.#count = count
    // Whoever waits for `failed` hears of it; that nobody waits yet is no reason to crash.
    this.#failed.catch(() => {})
    const onFatal = (refusal: Refusal) => this.#fail(refusal)
    this.#shared = createSharedMetrics(count)
    this.#metrics = new ServiceMetrics(this.#shared)
    const start: ThreadStart = {
      settings: threadSettingsOf(options),
      cursorKey,
      balances: commits.shared,
      questions: createSharedPaidQuestions(),
      prices,
      openApi: readyText('application/json', JSON.stringify(openApiDocument(prices))),
      operatorsApart: options.opsPort !== null,
      metrics: this.#shared,
      limits: createSharedLimits(randomInt(2 ** 32)),
      tls,
      site: options.servesExplorer ? readSite() : undefined,
      wire,
    }
    const onDeath = (line: string) => log('thread-died', line)
    this.threads = new Threads(count, start, { report: onDeath, onFatal, clock })
    this.#loader = new Loader(snapshots, options.history, clock)
    this.#changes = new ChangesFollower({
      directory: snapshots,
      load: (id) => this.#loader.loadChanges(id),
      take: (changes) => this.threads.takeChanges(changes),
      report: (line) => log('history-broken', line),
    })
    this.#follower = new Follower({
      directory: snapshots,
      example: options.example,
      load: (id, directory) => this.#loader.load(id, directory),
      serve: (snapshot) => this.#serve(snapshot),
      onSame: (id) => this.#changes.look(id),
      onRefused: () => this.#mirroring?.distrust(),
      report: (line, event) => log(event, line),
      onChange: () => this.#publishStatus(),
      clock,
    })
    this.#mirroring = options.follow === '' ? undefined : this.#newMirroring(options)
  }

  #newMirroring(options: ServiceOptions): Mirroring {
    const { follow, snapshots, keep, activateAfter, transferRate, pollInterval } = options
    return new Mirroring({
      ...{ from: follow, directory: snapshots, keep, activateAfter, transferRate },
      intervalMs: pollInterval * 1000,
      report: (line, event) => options.log(event, line),
      onChange: () => this.#publishStatus(),
      clock: options.clock,
    })
  }

  /** A mirror brings what the directory lacks: then the start waits for it. */
  async #startFollowing(): Promise<void> {
    try {
      return await this.#follower.start()
    } catch (error) {
      const isMissing = error instanceof Refusal && error.code === 'snapshot-missing'
      if (this.#mirroring === undefined || !isMissing) throw error
      await this.#mirroring.succeeded(this.#options.ended)
    }
    return this.#startFollowing()
  }

  async start(): Promise<Service> {
    const { host, commitWindow, pollInterval, wire } = this.#options
    await this.threads.start()
    this.#mirroring?.start()
    await this.#mirroring?.filled(this.#options.ended)
    await this.#startFollowing()
    // The first account comes when nothing but to listen is left that could fail.
    const { port, firstKey } = await listenAlone(host, this.#options.port, async (free) => {
      const firstKey = await this.#commits.createFirstAccount()
      this.#commits.start(commitWindow)
      return { port: await this.threads.listen(host, free), firstKey }
    })
    const opsPort = await this.#listenForOperators()
    this.#follower.follow(pollInterval * 1000)
    this.#timer = setInterval(() => this.#publishStatus(), statusIntervalMs)
    const facts = { host, port, ...(opsPort && { ops_port: opsPort }), threads: this.#count }
    this.#options.log('started', 'serving', {
      ...facts,
      snapshot_id: this.#follower.state.served?.id,
      uwebsockets: `${wire.name} ${wire.version}`,
      node: process.version,
    })
    return {
      port,
      opsPort,
      threads: this.#count,
      snapshotId: this.#follower.state.served!.id,
      firstKey,
      firstKeyShown: () => this.#commits.firstKeyShown(),
      ready: this.#ready,
      failed: this.#failed,
      look: () => void this.#follower.look(),
      close: async () => {
        await this.close()
        this.#options.log('stopped', 'every charge is written')
      },
    }
  }

  async #listenForOperators(): Promise<number | undefined> {
    const { host, opsPort } = this.#options
    if (opsPort === null) return undefined
    return listenAlone(host, opsPort, (free) => this.threads.listen(host, free, true))
  }

  /** Threads before the ledger: what they have recorded is then all there will be. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    // Closing threads ends a preparation that the follower may be waiting for.
    await this.#mirroring?.stop()
    const followed = this.#follower.stop()
    await this.threads.close()
    await followed
    await this.#loader.close()
    await this.#commits.close()
  }

  async #serve(snapshot: LoadedSnapshot): Promise<void> {
    this.#changes.tell(snapshot.brokenChanges)
    const before = await this.threads.serve(snapshot)
    if (before === undefined) return
    const removedFrom = ({ header }: Snapshot) => partsOf(header.sourceFingerprint).digest
    void this.#loader.recycle(before, removedFrom(before) !== removedFrom(snapshot))
  }

  #publishStatus(): void {
    const { served, servedSinceMs, pinned, swaps, refusals, lastRefusal, heldBack } =
      this.#follower.state
    const ledgerAvailable = !this.#commits.balances.isUnavailable()
    const { failure } = this.#commits
    const ready = served !== undefined && ledgerAvailable
    this.#metrics.set({
      snapshotBytes: served?.bytes ?? 0,
      snapshotMadeAtSeconds: (served?.madeAtMs ?? 0) / 1000,
      syncHeldBack: Number(heldBack !== undefined),
      ...mirrorFigures(this.#mirroring?.state),
      ...stabilityFigures(served?.stability ?? null),
      swaps,
      snapshotRefusals: refusals,
      threadDeaths: this.threads.deaths,
      ledgerAvailable: Number(ledgerAvailable),
      givenAwayUsd: usdNumber(this.#commits.givenAwayMicroUsd),
      writtenOffUsd: usdNumber(this.#commits.writtenOffMicroUsd),
      ready: Number(ready),
    })
    this.threads.takeStatus({
      ready,
      facts: {
        snapshot_id: served?.id ?? null,
        served_since: timeText(servedSinceMs),
        pinned,
        swaps,
        refusals,
        last_refusal: lastRefusal
          ? { message: withoutPaths(lastRefusal.message), at: timeText(lastRefusal.atMs) }
          : null,
        ...mirrorFacts(this.#mirroring?.state),
        held_back: heldBack ? { reason: withoutPaths(heldBack.reason), at: heldBack.at } : null,
        threads: this.#count,
        thread_deaths: this.threads.deaths,
        ledger_available: ledgerAvailable,
        ledger_failure: failure === undefined ? null : withoutPaths(failure),
        ledger_balanced: this.#commits.isBalanced,
      },
    })
    if (ready) this.#isReady()
  }
}

/** Figures that are not known are no numbers. */
function stabilityFigures(stability: Stability | null) {
  const unknown = Number.NaN
  return {
    firstTenStayedMean: stability?.firstTen.mean ?? unknown,
    firstTenStayedMin: stability?.firstTen.min ?? unknown,
    firstTenStayedShare: stability?.firstTen.share ?? unknown,
    kendallTauMean: stability?.kendallTau.mean ?? unknown,
    kendallTauMin: stability?.kendallTau.min ?? unknown,
  }
}

/** A copy of the settings that threads take: an object with more could not be sent to them. */
function threadSettingsOf(options: ServiceOptions): ThreadSettings {
  const values = threadSettings.map((name) => [name, options[name]])
  return Object.fromEntries(values)
}
