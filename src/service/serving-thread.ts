/**
 * A serving thread: one HTTP server over the shared snapshot. It does as the main thread orders,
 * and keeps serving what it has while it prepares what comes next.
 */
import { randomFillSync } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Api } from '../api/api.ts'
import { FailedKeyLimit, monotonicNs, RateLimit } from '../api/limits/rate-limit.ts'
import type { Status } from '../api/open-replies.ts'
import { prepareServed, type Served } from '../api/served.ts'
import { RequestIds } from '../api/write/request-ids.ts'
import { type Answerers, type HttpServer, listen } from '../http/server.ts'
import { Balances } from '../ledger/live/balances.ts'
import { Keyring } from '../ledger/live/keyring.ts'
import { Reservations } from '../ledger/live/reservations.ts'
import { mcpEndpoint } from '../mcp/endpoint.ts'
import { askApi, TopicList } from '../mcp/local.ts'
import { McpWorker } from '../mcp/mcp-worker.ts'
import type { Prices } from '../operations.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { accessLog, logError, newLog, standardError } from '../telemetry/log.ts'
import { readMetrics, type SharedMetrics, ThreadMetrics } from '../telemetry/metrics.ts'
import { metricsText } from '../telemetry/metrics-text.ts'
import type { Guard, Order, PlacedThreadStart, Report } from './protocol.ts'

/** A preparation holds the thread for a slice, then leaves it to requests for a pause. */
const sliceMs = 1
const pauseMs = 2

/** How finely waits of the event loop are seen, and how often the longest is told. */
const delayResolutionMs = 20
const delayIntervalMs = 1_000

class ServingThread {
  readonly #report: (report: Report) => void
  readonly #keyring = new Keyring(Date.now)
  readonly #answerers: Answerers
  readonly #metrics: ThreadMetrics
  readonly #guard: Guard
  #served: Served | undefined
  #prepared: Served | undefined
  #server: HttpServer | undefined
  #status: Status = { ready: false, facts: {} }
  #obeyed = Promise.resolve()
  #closing = false

  constructor(start: PlacedThreadStart, report: (report: Report) => void) {
    const { balances, prices, mcpOrigins, logLevel, accessLogSample, guard } = start
    const log = newLog(logLevel, Date.now, standardError())
    const onError = (error: unknown, requestId: string) => logError(log, error, requestId)
    this.#report = report
    this.#guard = guard
    const metrics = new ThreadMetrics(start.metrics, start.place)
    this.#metrics = metrics
    watchEventLoop(metrics)
    const onCharged = metrics.charged.bind(metrics)
    const api = new Api({
      served: () => this.#served,
      reservations: new Reservations(this.#keyring, new Balances(balances), prices, onCharged),
      ...limitsOf(guard),
      clock: performance.now.bind(performance),
      ids: new RequestIds(randomFillSync),
      open: {
        status: () => this.#status,
        openApi: start.openApi,
        metricsText: () => metricsTextOf(start.metrics, prices),
      },
      onRefusal: (refusal) => metrics.count(refusal),
      onError,
      onReply: accessLog(log, accessLogSample, Math.random),
    })
    const onMcpError = (error: unknown) => onError(error, 'mcp')
    const topics = new TopicList(() => this.#served?.catalog)
    const handler = new McpWorker({
      ask: (question) => askApi(api, question),
      topics: () => topics.get(),
      onError: onMcpError,
    })
    const asyncRoute = mcpEndpoint({ api, handler, origins: mcpOrigins, onError: onMcpError })
    this.#answerers = { api, asyncRoute }
  }

  /** Closes every socket at once. */
  cut(): void {
    this.#server?.cut()
  }

  /** Takes what needs no report at once, and everything else in its order. */
  receive(order: Order): void {
    if (order.kind === 'take-keys') this.#keyring.replace(order.table)
    else if (order.kind === 'take-status') this.#status = order.status
    else {
      if (order.kind === 'close') this.#closing = true
      // A failure is a bug: unhandled, it ends the thread, and the main thread replaces it.
      this.#obeyed = this.#obeyed.then(() => this.#obey(order))
    }
  }

  async #obey(order: Exclude<Order, { kind: `take-${string}` }>): Promise<void> {
    if (order.kind === 'listen') {
      const watch = { ...this.#guard, metrics: this.#metrics }
      this.#server = await listen(this.#answerers, order.host, order.port, watch)
      const port = this.#server?.port
      this.#report(port === undefined ? { kind: 'cannot-listen' } : { kind: 'listening', port })
      this.#answerers.asyncRoute?.prepare()
    } else if (order.kind === 'prepare') {
      this.#prepared = await this.#prepare(order.snapshot)
      this.#report({ kind: 'prepared' })
    } else if (order.kind === 'switch') {
      this.#served = this.#prepared
      this.#prepared = undefined
      this.#report({ kind: 'switched' })
    } else if (order.kind === 'serve') {
      this.#served = await this.#prepare(order.snapshot)
      this.#report({ kind: 'switched' })
    } else {
      await this.#server?.close()
      this.#report({ kind: 'closed' })
    }
  }

  /**
   * Prepares a snapshot between requests; a thread that serves nothing yet has no requests to wait
   * for. Undefined when the thread is to close before it is done.
   */
  async #prepare(snapshot: Snapshot): Promise<Served | undefined> {
    const metrics = this.#metrics
    const onFind = (isHit: boolean) => metrics.count(isHit ? 'cacheHits' : 'cacheMisses')
    const steps = prepareServed(snapshot, { before: this.#served, onFind })
    for (;;) {
      const sliceEnd = performance.now() + sliceMs
      do {
        const step = steps.next()
        if (step.done) return step.value
      } while (this.#served === undefined || performance.now() < sliceEnd)
      await sleep(pauseMs)
      if (this.#closing) return undefined
    }
  }
}

/** The limits that are set. */
function limitsOf(guard: Guard) {
  const { limits, rateLimit, failedKeyLimit } = guard
  return {
    rateLimit: rateLimit === 0 ? undefined : new RateLimit(limits, guard, monotonicNs),
    failedKeys: failedKeyLimit === 0 ? undefined : new FailedKeyLimit(limits, guard, monotonicNs),
  }
}

function metricsTextOf(shared: SharedMetrics, prices: Prices): string {
  const surroundings = { prices, nowMs: Date.now(), residentBytes: process.memoryUsage.rss() }
  return metricsText(readMetrics(shared), surroundings)
}

/** Tells every second how long the event loop has kept something waiting at most. */
function watchEventLoop(metrics: ThreadMetrics): void {
  const delays = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delays.enable()
  const tell = () => {
    // What is measured is the time between two looks, which are a resolution apart by themselves.
    const seconds = delays.count === 0 ? 0 : delays.max / 1e9 - delayResolutionMs / 1000
    metrics.set('eventLoopDelaySeconds', Math.max(0, seconds))
    delays.reset()
  }
  setInterval(tell, delayIntervalMs).unref()
}

const port = parentPort
if (port === null) throw new Error('a serving thread is started by the main thread')
const thread = new ServingThread(workerData, (report) => port.postMessage(report))
port.on('message', (order: Order) => thread.receive(order))
// Node.js ends the whole process when a thread ends with open sockets that are not its own.
process.on('uncaughtExceptionMonitor', () => thread.cut())
