/**
 * A serving thread: one HTTP server over the shared snapshot. It does what the main thread asks, and keeps serving
 * what it has while it prepares what comes next.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type ActiveSnapshot, withChanges } from '../api/active-snapshot.ts'
import { Api, type ApiContext } from '../api/api.ts'
import { monotonicMs } from '../api/limits/rate-limit.ts'
import type { Status } from '../api/public-endpoints.ts'
import { fillCache, warmUp } from '../api/warm-up.ts'
import { linkEndpoint } from '../explorer/link-endpoint.ts'
import { sitePages } from '../explorer/site-replies.ts'
import { type HttpServer, listen, type ServerOptions } from '../http/server.ts'
import type { ThreadBalances } from '../ledger/live/balances.ts'
import type { KeyNews } from '../ledger/live/keyring.ts'
import { limits } from '../limits.ts'
import { mcpEndpoint } from '../mcp/endpoint.ts'
import { oauthEndpoint } from '../oauth/endpoint.ts'
import { challengeOf } from '../oauth/metadata.ts'
import { type OperationName, routeNames } from '../operations.ts'
import { Channel } from '../process/channel.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import { readMetrics } from '../telemetry/metrics.ts'
import { metricsText } from '../telemetry/metrics-text.ts'
import { accountEndpoint } from './account/endpoint.ts'
import { ControlLink } from './control/link.ts'
import type { ListenAddress, MainCalls, ServedSnapshot, ThreadStart } from './protocol.ts'
import { newThreadApi, type ThreadApi } from './thread-api.ts'
import { threadClock } from './thread-time.ts'

/** Duration for which the text of the metrics is kept: a flood of `/metrics` makes it ten times a second at most. */
const metricsKeptMs = 100

/** Operations for operators; and operations for everybody, if operators have a port of their own. */
const operatorNames: ReadonlySet<OperationName> = new Set(['health', 'readiness', 'metrics'])
const publicNames: ReadonlySet<OperationName> = new Set([
  ...routeNames,
  'mcp',
  'account',
  'health',
  'openApi',
])

export type ServingCalls = ServingWorker['handlers']

class ServingWorker {
  readonly #parts: ThreadApi
  readonly #public: ServerOptions
  readonly #operators: ServerOptions
  readonly #start: ThreadStart
  #served: ActiveSnapshot | undefined
  #prepared: ActiveSnapshot | undefined
  readonly #servers: HttpServer[] = []
  #status: Status = { ready: false, facts: {} }
  #done: Promise<unknown> = Promise.resolve()

  constructor(start: ThreadStart, end: MessagePort) {
    const main = new Channel<ServingCalls, MainCalls>(end, this.handlers)
    this.#start = start
    const { settings, site, explorerReach, tls } = start
    const { mcpOrigins, mcpInFlightMax, oauth, opsPort, trustedProxies } = settings
    const seekKey = (hash: string) => main.notify('seekKey', hash)
    const parts = newThreadApi(start, seekKey, () => this.#served)
    this.#parts = parts
    const { balances } = parts
    const control = new ControlLink(() => main.call('connectControl', undefined))
    const context: ApiContext = {
      ...parts.context,
      open: {
        status: () => this.#statusNow(),
        openApi: start.openApi,
        metricsText: keptFor(metricsKeptMs, () => metricsTextOf(start, balances)),
      },
      onLost: control.lost,
    }
    const api = new Api({ ...context, answers: opsPort === null ? undefined : publicNames })
    const { answer } = control
    const mcpRoute = mcpEndpoint({
      ...{ api, answer, origins: mcpOrigins, inFlightMax: mcpInFlightMax },
      challenge: oauth === null ? undefined : challengeOf.bind(undefined, oauth),
    })
    const accountRoute = accountEndpoint({
      api,
      readOwner: (key) => main.call('readOwner', key),
      settings,
    })
    const oauthRoutes = oauth === null ? [] : [oauthEndpoint({ api, issuer: oauth, answer })]
    const exchange = (code: string) => main.call('exchangeCode', code)
    const linkRoutes = explorerReach === 'off' ? [] : [linkEndpoint({ api, exchange })]
    const pages = site && sitePages(api, site, explorerReach === 'on')
    const asyncRoutes = [mcpRoute, accountRoute, ...oauthRoutes, ...linkRoutes]
    const { unreadBytesMax } = limits
    const { connections: connectionLimit, metrics } = parts
    const watched = { ...settings, connectionLimit, metrics }
    this.#public = { api, asyncRoutes, pages, ...watched, tls, unreadBytesMax }
    // Operators are answered however many others there are.
    const unlimited = { ...context, scrapes: undefined, answers: operatorNames }
    this.#operators = { api: new Api(unlimited), tls, trustedProxies, unreadBytesMax }
  }

  /** The main thread, which reports the state, may hang in the commit that keeps the service from selling. */
  #statusNow(): Status {
    if (!this.#parts.balances.isUnavailable()) return this.#status
    return { ready: false, facts: { ...this.#status.facts, ledger_available: false } }
  }

  cut(): void {
    for (const server of this.#servers) server.cut()
  }

  /** One after the other; `start` and `take…` do not wait. */
  readonly handlers = {
    start: () => {},
    takeKeys: (news: KeyNews) => this.#parts.keyring.take(news),
    takeStatus: (status: Status) => {
      this.#status = status
    },
    takeChanges: (files: readonly ChangeFile[]) => {
      this.#served = withChanges(this.#served, files)
    },
    /** Returns whether the address can be listened on. */
    listen: (address: ListenAddress) => this.#inTurn(() => this.#listen(address)),
    prepare: (snapshot: ServedSnapshot) =>
      this.#inTurn(async () => {
        this.#prepared = await this.#prepare(snapshot)
        if (this.#served === undefined) await this.#practise(this.#prepared)
      }),
    switch: () =>
      this.#inTurn(async () => {
        this.#served = this.#prepared
        this.#prepared = undefined
      }),
    /** `prepare` and `switch` at once, for a thread that is brought up. */
    serve: (snapshot: ServedSnapshot) =>
      this.#inTurn(async () => {
        const prepared = await this.#prepare(snapshot)
        // The others answer meanwhile; where there are none, practice would keep everybody waiting.
        if (this.#start.threads > 1) await this.#practise(prepared)
        this.#served = prepared
      }),
    close: () =>
      this.#inTurn(async () => {
        await Promise.all(this.#servers.map((server) => server.close()))
      }),
  }

  /** Does one thing after the other. A failure is a bug: it ends the thread, which is replaced. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#done.then(work)
    this.#done = done.catch((error) => {
      setImmediate(() => {
        throw error
      })
    })
    return done
  }

  async #listen({ host, port, forOperators }: ListenAddress): Promise<boolean> {
    const server = await listen(forOperators ? this.#operators : this.#public, host, port)
    if (server !== undefined) this.#servers.push(server)
    return server !== undefined
  }

  /** Only before the first snapshot: what the compiler has seen then holds for the next ones. */
  async #practise(prepared: ActiveSnapshot): Promise<void> {
    await warmUp(prepared, { workMsMax: this.#start.settings.warmUpMs, clock: threadClock() })
  }

  /** Begins with the answers that clients want at the moment. */
  async #prepare(snapshot: ServedSnapshot): Promise<ActiveSnapshot> {
    const prepared = this.#parts.activated(snapshot)
    const queries = this.#served?.cache.askedAgain() ?? []
    const clock = performance.now.bind(performance)
    await fillCache(prepared, queries, { clock, rest: (ms) => sleep(ms) })
    this.#parts.countFinds(prepared)
    return prepared
  }
}

function keptFor(keptMs: number, make: () => string): () => string {
  let text = ''
  let madeAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = monotonicMs()
    if (nowMs - madeAtMs < keptMs) return text
    text = make()
    madeAtMs = nowMs
    return text
  }
}

function metricsTextOf({ metrics, settings, wire }: ThreadStart, balances: ThreadBalances): string {
  const residentBytes = process.memoryUsage.rss()
  const read = readMetrics(metrics)
  const stopped = balances.isUnavailable() ? { ledger_available: 0, ready: 0 } : {}
  const reading = { ...read, service: { ...read.service, ...stopped } }
  return metricsText(reading, { prices: settings.price, wire, residentBytes })
}

const thread = new ServingWorker(workerData, parentPort!)
// Node.js ends the whole process when a thread ends with open sockets that are not its own.
process.on('uncaughtExceptionMonitor', () => thread.cut())
