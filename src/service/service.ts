/**
 * The service as its main thread runs it: it owns the snapshot store, the ledger and the
 * threads, and serves no requests itself.
 */
import { randomInt } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openApiDocument } from '../api/describe/openapi.ts'
import { createSharedLimits, monotonicMs } from '../api/limits/rate-limit.ts'
import { readyText } from '../api/ready-file.ts'
import { LinkCodes } from '../explorer/link-codes.ts'
import { readSite, type Site, withContacts } from '../explorer/site.ts'
import { certificateEndsAtMs } from '../http/tls.ts'
import { selectOwnerView } from '../ledger/books/account-views.ts'
import { noteEvent } from '../ledger/books/events.ts'
import { createFirstAccount, noteKeyShown } from '../ledger/books/first-account.ts'
import type { LedgerSession } from '../ledger/books/port.ts'
import { selectCursorKey } from '../ledger/books/session-rows.ts'
import type { LeaseSession } from '../ledger/leases/lease-session.ts'
import { openWholeSession, type WholeSession } from '../ledger/leases/whole-session.ts'
import { Commits } from '../ledger/live/commits.ts'
import type { KeyNews } from '../ledger/live/keyring.ts'
import { createSharedPaidQuestions } from '../ledger/live/paid-questions.ts'
import { agentFiles } from '../mcp/agent-files.ts'
import { usdNumber } from '../money.ts'
import type { KeysChange } from '../oauth/exchange.ts'
import { Refusal } from '../problems.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import { closeTexts } from '../snapshot/store/directory.ts'
import { partsOf } from '../snapshot/store/removals.ts'
import { createSharedMetrics, type SharedMetrics, setServiceMetrics } from '../telemetry/metrics.ts'
import { ControlThread } from './control/control-thread.ts'
import { Follower } from './follower.ts'
import { findFreePort, listenAlone } from './listening/listen-alone.ts'
import { Loader } from './loader.ts'
import { Mirroring } from './mirror/mirroring.ts'
import type { LoadedSnapshot, ServedSnapshot, ThreadStart } from './protocol.ts'
import { type ServiceOptions, type ServiceSettings, serviceSettings } from './service-options.ts'
import { snapshotTeller } from './snapshot-events.ts'
import {
  ageSeconds,
  mirrorFacts,
  mirrorFigures,
  stabilityFigures,
  timeText,
  withoutPaths,
} from './status.ts'
import { Threads } from './thread-pool.ts'

/** The files that are served beside the API: the explorer, and what agents look for at a public address. */
function filesOf(options: ServiceOptions): Site | undefined {
  const { explorerReach, publicUrl } = options
  const explorer = explorerReach === 'off' ? [] : withContacts(readSite(), options)
  const files = publicUrl === null ? explorer : [...explorer, ...agentFiles(publicUrl)]
  return files.length === 0 ? undefined : files
}

/** Maximum delay until other nodes of a ledger see that a key was ended, while the database answers. */
const otherNodesMs = 1_000

const statusIntervalMs = 500

/**
 * Starts the service over the snapshot that its directory announces, and answers when it serves.
 * @throws Refusal `snapshot-missing`, `cannot-listen`, `threads-not-started`, `already-running` when
 * another process serves from the same ledger, `ledger-refused`, `ledger-corrupt`.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host, port, log } = options
  const count = options.threads || availableParallelism()
  // Checked before anything else is begun.
  await findFreePort(host, port)
  // The first keys come before there are threads, which are handed all of them when they start.
  let takeKeys: Threads['takeKeys'] = () => {}
  const report = (line: string) => log('ledger', line)
  const session = await openLedger(options, report)
  let commits: Commits | undefined
  let service: Service | undefined
  try {
    commits = await Commits.open(session, {
      // The control thread sells, too.
      ...{ threads: count + 1, prices: options.price, clock: monotonicMs, report },
      onKeys: (news) => takeKeys(news),
      onImbalance: (line) => log('ledger-imbalance', line),
    })
    const cursorKey = await session.atStart(selectCursorKey)
    service = new Service(options, { commits, session }, count, cursorKey)
    takeKeys = service.takeKeys
    await service.start()
    return service
  } catch (error) {
    await (service ?? commits ?? session).close()
    throw error
  }
}

type Session = LedgerSession & Pick<WholeSession | LeaseSession, 'sql' | 'atStart' | 'showMsMax'>

/**
 * The ledger in the directory of the service, or its share of the one in a database.
 * @param report is called with one line when something is lost or fails, and when it works again.
 * @throws Refusal as `openWholeSession` and `openLeaseSession`.
 */
async function openLedger(options: ServiceOptions, report: (line: string) => void) {
  const { data: directory, ledger: uri, ledgerWait: waitMs, lowBalance, clock, ended } = options
  const node = `${hostname()} ${options.host}:${options.port}`
  const shared = { directory, lowMicroUsd: lowBalance, node, report }
  if (uri === null) return openWholeSession({ ...shared, clock })
  const { openLeaseSession } = await import('../ledger/leases/lease-session.ts')
  const clocks = { clock: monotonicMs, wallClock: clock }
  return openLeaseSession({ ...shared, ...clocks, uri, waitMs, ended })
}

export class Service {
  readonly threads: number
  port = 0
  /** Port for operators; undefined if it is `port`. */
  opsPort: number | undefined
  /** The place at which the admin API listens. */
  admin: string | undefined
  /** The key of the account `default`, when the ledger was empty and it was made, or never shown. */
  firstKey: string | undefined
  /** To be called when it was shown; else the next start makes another. */
  readonly firstKeyShown: () => Promise<unknown>
  readonly #threads: Threads
  readonly #options: ServiceOptions
  readonly #commits: Commits
  readonly #session: Session
  readonly #loader: Loader
  readonly #follower: Follower
  readonly #tellOfSnapshots: ReturnType<typeof snapshotTeller>
  readonly #mirroring: Mirroring | undefined
  readonly #control: ControlThread
  readonly #shared: SharedMetrics
  readonly #linkCodes = new LinkCodes({ clock: monotonicMs })
  readonly #certificateEndsAtMs: number
  #fail: (refusal: Refusal) => void = () => {}
  /** Rejects when the service cannot go on: serving threads keep dying. */
  readonly failed = new Promise<never>((_, reject) => {
    this.#fail = reject
  })
  #isReady = () => {}
  readonly ready = new Promise<void>((resolve) => {
    this.#isReady = resolve
  })
  #timer: NodeJS.Timeout | undefined

  constructor(
    options: ServiceOptions,
    { commits, session }: { readonly commits: Commits; readonly session: Session },
    count: number,
    cursorKey: Uint8Array,
  ) {
    const { snapshots, price: prices, tls, wire, log, clock } = options
    this.#options = options
    this.#commits = commits
    this.#session = session
    this.firstKeyShown = () => session.atStart(noteKeyShown)
    this.#tellOfSnapshots = snapshotTeller((event, isAgain) =>
      noteEvent(session.sql, event, isAgain),
    )
    this.threads = count
    // `failed` rejects for its callers. A rejection before the first of them does not end the process.
    this.failed.catch(() => {})
    const onFatal = (refusal: Refusal) => this.#fail(refusal)
    this.#shared = createSharedMetrics(count + 1)
    this.#certificateEndsAtMs = tls === undefined ? Number.NaN : certificateEndsAtMs(tls)
    const start: Omit<ThreadStart, 'place'> = {
      settings: settingsOf(options),
      cursorKey,
      balances: commits.shared,
      questions: createSharedPaidQuestions(),
      openApi: readyText('application/json', JSON.stringify(openApiDocument(prices, options))),
      metrics: this.#shared,
      limits: createSharedLimits(randomInt(2 ** 32)),
      tls,
      site: filesOf(options),
      explorerReach: options.explorerReach,
      ...{ wire, threads: count },
    }
    this.#threads = new Threads(count, start, {
      report: (line) => log('thread-died', line),
      onFatal,
      clock,
      keys: () => commits.keys,
      handlers: {
        readOwner: (key) => session.sql.snapshot((query) => selectOwnerView(query, key)),
        seekKey: (hash) => commits.seek(hash),
        exchangeCode: (code) => this.#linkCodes.exchange(code),
        connectControl: () => this.#control.connect(),
      },
    })
    this.#loader = new Loader(snapshots, options.history, clock, options.texts === 'disk')
    this.#follower = new Follower({
      directory: snapshots,
      example: options.example,
      load: (id, directory) => this.#loader.load(id, directory),
      serve: (snapshot) => this.#serve(snapshot),
      changes: {
        load: (id) => this.#loader.loadChanges(id),
        take: (files) => this.#takeChanges(files),
      },
      onRefused: () => this.#mirroring?.distrust(),
      report: (line, event) => {
        log(event, line)
        this.#publishStatus()
      },
      clock,
    })
    this.#mirroring = options.follow === '' ? undefined : this.#newMirroring(options)
    const { site: _, tls: __, openApi: ___, ...controlled } = start
    this.#control = new ControlThread({
      start: { ...controlled, place: count },
      keys: () => commits.keys,
      snapshot: () => this.#threads.snapshot,
      handlers: {
        seekKey: (hash) => commits.seek(hash),
        takeOver: (change) => this.#takeOver(change),
      },
      onDeath: ({ message }) => log('thread-died', message),
    })
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

  get snapshotId(): string {
    return this.#follower.state.served!.id
  }

  /** A code that the explorer exchanges for a key, once and soon. */
  readonly linkCode = (key: string): string => this.#linkCodes.issue(key)

  readonly look = (): void => void this.#follower.look()

  readonly takeKeys = (news: KeyNews): void => {
    this.#threads.takeKeys(news)
    this.#control.takeKeys(news)
  }

  /** A token that was ended is good nowhere after this; one that was given is looked up wherever it is sent. */
  async #takeOver(change: KeysChange): Promise<void> {
    await this.#commits.follow()
    await this.#threads.reached()
    if (change === 'ended' && this.#options.ledger !== null) await sleep(otherNodesMs)
  }

  /** A mirror brings what the directory lacks: then the start waits for it. */
  async #startFollowing(isWaiting = false): Promise<void> {
    const { follow, log, ended } = this.#options
    try {
      return await this.#follower.start()
    } catch (error) {
      const isMissing = error instanceof Refusal && error.code === 'snapshot-missing'
      if (this.#mirroring === undefined || !isMissing) throw error
      if (!isWaiting) log('mirror', `waiting for the first snapshot of ${follow}`)
      await this.#mirroring.succeeded(ended)
    }
    return this.#startFollowing(true)
  }

  async start(): Promise<void> {
    const { host, opsPort, admin, oauth, commitWindow, pollInterval, wire } = this.#options
    const { firstAccount, openingCredit } = this.#options
    this.#loader.prepare()
    await this.#threads.start()
    this.#mirroring?.start()
    await this.#startFollowing()
    this.#publishStatus()
    // The first account comes when nothing but to listen is left that could fail.
    await listenAlone(host, this.#options.port, async (free) => {
      if (firstAccount !== 'none') {
        const { atStart, showMsMax } = this.#session
        this.firstKey = await atStart((query) =>
          createFirstAccount(query, showMsMax, openingCredit),
        )
      }
      // The account is there before its key is shown.
      if (this.firstKey !== undefined) await this.#commits.follow()
      this.#commits.start(commitWindow)
      await this.#threads.listen(host, free)
      this.port = free
    })
    if (opsPort !== null) {
      await listenAlone(host, opsPort, async (free) => {
        await this.#threads.listen(host, free, true)
        this.opsPort = free
      })
    }
    if (oauth !== null || admin !== '') this.admin = await this.#control.begun()
    this.#follower.follow(pollInterval * 1000)
    this.#timer = setInterval(() => this.#publishStatus(), statusIntervalMs)
    this.#options.log('started', 'serving', {
      ...{ host, port: this.port, ...(this.opsPort && { ops_port: this.opsPort }) },
      threads: this.threads,
      ...(this.admin && { admin: this.admin }),
      snapshot_id: this.snapshotId,
      uwebsockets: `${wire.name} ${wire.version}`,
      node: process.version,
    })
  }

  /**
   * Serves no more, writes what is left of the charges, and ends the threads. Threads before the ledger: what they have
   * recorded is then all there will be.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    // Closing threads ends a preparation that the follower may be waiting for.
    await this.#mirroring?.stop()
    const followed = this.#follower.stop()
    await this.#threads.close()
    await this.#control.close()
    await followed
    await this.#loader.close()
    await this.#commits.close()
    // A start that failed says only why.
    if (this.#timer !== undefined) this.#options.log('stopped', 'every charge is written')
  }

  async #serve(snapshot: LoadedSnapshot): Promise<void> {
    const before = await this.#threads.serve(snapshot).catch((error) => {
      // No thread reads it any more. Its memory is left to the collector.
      closeTexts(snapshot)
      throw error
    })
    // Nothing that keeps the control thread keeps the next swap.
    const isRead = this.#control.serve(snapshot)
    if (before === undefined) return
    void isRead.then(() => this.#loader.recycle(before, isErased(before, snapshot)))
  }

  #takeChanges(changes: readonly ChangeFile[]): void {
    this.#threads.takeChanges(changes)
    this.#control.takeChanges(changes)
  }

  #publishStatus(): void {
    void this.#tellOfSnapshots(this.#follower.state)
    const { served, servedSinceMs, pinned, swaps, refusals, lastRefusal, heldBack, syncedAtMs } =
      this.#follower.state
    const ledgerAvailable = !this.#commits.balances.isUnavailable()
    const { failure } = this.#commits
    const ready = served !== undefined && ledgerAvailable
    const nowMs = this.#options.clock()
    setServiceMetrics(this.#shared, {
      snapshot_bytes: served?.bytes ?? 0,
      snapshot_age_seconds: ageSeconds(served?.madeAtMs, nowMs),
      sync_held_back: Number(heldBack !== undefined),
      sync_age_seconds: ageSeconds(syncedAtMs, nowMs),
      ...mirrorFigures(this.#mirroring?.state, nowMs),
      ...stabilityFigures(served?.stability ?? null),
      swaps_total: swaps,
      snapshot_refusals_total: refusals,
      thread_deaths_total: this.#threads.deaths,
      ledger_available: Number(ledgerAvailable),
      ledger_balanced: Number(this.#commits.isBalanced),
      outbox_age_seconds: (this.#session.outboxAgeMs?.() ?? Number.NaN) / 1000,
      certificate_left_seconds: (this.#certificateEndsAtMs - nowMs) / 1000,
      given_away_usd_total: usdNumber(this.#session.givenAwayMicroUsd()),
      ledger_checkpoint_failures_total: this.#session.checkpointFailures?.() ?? 0,
      ready: Number(ready),
    })
    this.#threads.takeStatus({
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
        last_sync: timeText(syncedAtMs),
        threads: this.threads,
        thread_deaths: this.#threads.deaths,
        ledger_available: ledgerAvailable,
        ledger_failure: failure === undefined ? null : withoutPaths(failure),
        ledger_balanced: this.#commits.isBalanced,
      },
    })
    if (ready) this.#isReady()
  }
}

/** Whether the snapshot before may hold somebody who was removed since. */
function isErased(before: ServedSnapshot, after: ServedSnapshot): boolean {
  const removedFrom = ({ header }: ServedSnapshot) => partsOf(header.sourceFingerprint).digest
  return removedFrom(before) !== removedFrom(after)
}

/** A copy of the settings: an object with more could not be sent to threads. */
function settingsOf(options: ServiceOptions): ServiceSettings {
  const values = serviceSettings.map((name) => [name, options[name]])
  return Object.fromEntries(values)
}
