/**
 * Delivers the events of a ledger: one request at a time for each endpoint, several endpoints at once. An
 * event is marked as delivered after its receiver answered, so a crash repeats it and loses nothing; the next
 * event of an account waits for the one before it, so none overtakes.
 */
import { type Attempt, afterAttempt } from '../ledger/webhooks/attempts.ts'
import { type Endpoint, type EndpointPlace, endpointId } from '../ledger/webhooks/records.ts'
import type { DueEvent, WebhookStore } from '../ledger/webhooks/store.ts'
import { Regularly } from '../process/timing/regularly.ts'
import { messageOf, type WebhookMessage } from './signature.ts'

/** The dependencies of a deliverer. */
interface DelivererOptions {
  readonly store: WebhookStore
  /** Ends with the signal at the latest. */
  readonly send: (
    endpoint: Endpoint,
    message: WebhookMessage,
    signal: AbortSignal,
  ) => Promise<Attempt>
  /** Milliseconds from any origin, never going back. */
  readonly monotonicMs: () => number
  /** A random number from 0 up to but not including 1. */
  readonly random: () => number
  /** Called with one line when an endpoint is paused, an event given up, or the ledger refuses. */
  readonly report: (line: string) => void
}

/** Counts since the start, and the number of paused endpoints. */
interface DeliveryFigures {
  readonly delivered: number
  readonly failedAttempts: number
  readonly givenUp: number
  readonly pausedEndpoints: number
}

const roundMs = 200
/** Interval of the rare work, ms: expiring keys, old events, the count of paused endpoints. */
const rareMs = 60_000
/** Pause of an endpoint with nothing due, ms. */
const restMs = 1_000
const endpointsAtOnceMax = 16
/** Maximum number of events delivered in one go, so that no endpoint keeps its place for ever. */
const eventsAtOnceMax = 100
/** Duration for which ended events can be replayed, ms. */
const keptMs = 7 * 86_400_000

export class Deliverer {
  readonly #options: DelivererOptions
  /** Deliveries under way, by endpoint. */
  readonly #busy = new Map<string, Promise<void>>()
  readonly #restingUntilMs = new Map<string, number>()
  readonly #figures = { delivered: 0, failedAttempts: 0, givenUp: 0, pausedEndpoints: 0 }
  #heldUntilMs = Number.NEGATIVE_INFINITY
  #rareAtMs = Number.NEGATIVE_INFINITY
  #round: Promise<void> | undefined
  #timer: Regularly | undefined
  readonly #stopping = new AbortController()
  #complaint = ''

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  get figures(): DeliveryFigures {
    return this.#figures
  }

  /** Delivers from now on. */
  start(): void {
    this.#timer = new Regularly(roundMs, () => void this.look())
    void this.look()
  }

  /** Ends; requests that are under way are ended, too, and are sent again by the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#timer?.stop()
    await this.#round
    await this.idle()
    await this.#options.store.close()
  }

  /** Resolves when the deliveries that the last look began are done. */
  async idle(): Promise<void> {
    await Promise.all(this.#busy.values())
  }

  /** Starts the deliveries that are due. A failure of the ledger is reported once, and tried again. */
  look(): Promise<void> {
    this.#round ??= this.#lookOnce()
      .then(() => this.#complain(''))
      .catch((error: Error) => this.#complain(error.message))
      .finally(() => {
        this.#round = undefined
      })
    return this.#round
  }

  async #lookOnce(): Promise<void> {
    if (this.#stopping.signal.aborted || !(await this.#holds())) return
    await this.#doRareWork()
    const nowMs = this.#options.monotonicMs()
    for (const place of await this.#options.store.waiting()) {
      const id = endpointId(place)
      const rests = (this.#restingUntilMs.get(id) ?? 0) > nowMs
      if (rests || this.#busy.has(id) || this.#busy.size >= endpointsAtOnceMax) continue
      const done = this.#deliverTo(place)
        .catch((error: Error) => this.#complain(error.message))
        .finally(() => this.#busy.delete(id))
      this.#busy.set(id, done)
    }
  }

  async #holds(): Promise<boolean> {
    const { store, monotonicMs } = this.#options
    const nowMs = monotonicMs()
    this.#heldUntilMs = nowMs + (await store.hold())
    return this.#heldUntilMs > nowMs
  }

  async #doRareWork(): Promise<void> {
    const { store, monotonicMs } = this.#options
    if (monotonicMs() < this.#rareAtMs) return
    this.#rareAtMs = monotonicMs() + rareMs
    this.#restingUntilMs.clear()
    const endpoints = await store.endpoints()
    this.#figures.pausedEndpoints = endpoints.filter(isPaused).length
    if (endpoints.length === 0) return
    await store.noteExpiring()
    await store.prune(store.nowMs() - keptMs)
  }

  async #deliverTo(place: EndpointPlace): Promise<void> {
    const { store, monotonicMs } = this.#options
    for (let sent = 0; sent < eventsAtOnceMax; sent += 1) {
      const due = await store.nextDue(place, store.nowMs())
      if (due === undefined) {
        this.#restingUntilMs.set(endpointId(place), monotonicMs() + restMs)
        return
      }
      // Another node may have taken over while this process stood still.
      if (this.#stopping.signal.aborted || monotonicMs() >= this.#heldUntilMs) return
      await this.#deliver(due)
    }
  }

  async #deliver({ event, endpoint }: DueEvent): Promise<void> {
    const { store, send, random, report } = this.#options
    const { signal } = this.#stopping
    const attempt = await send(endpoint, messageOf(event), signal)
    if (signal.aborted && !attempt.ok) return
    const moment = { nowMs: store.nowMs(), random: random() }
    const after = afterAttempt(event, endpoint.health, attempt, moment)
    await store.settle(after)
    this.#figures[attempt.ok ? 'delivered' : 'failedAttempts'] += 1
    const name = `${endpointId(endpoint)} (${new URL(endpoint.url).host})`
    if (after.health.pausedAtMs !== null) {
      this.#figures.pausedEndpoints += 1
      report(
        `webhook ${name} is paused: ${after.health.failure}; type: webhook replay ${endpointId(endpoint)}`,
      )
    } else if (after.event.endedAtMs !== null && !after.event.delivered) {
      this.#figures.givenUp += 1
      report(`event ${event.id} for ${name} is given up: ${after.event.failure}`)
    }
  }

  #complain(complaint: string): void {
    if (complaint !== '' && complaint !== this.#complaint) {
      this.#options.report(`events of webhooks are not delivered: ${complaint}`)
    }
    this.#complaint = complaint
  }
}

function isPaused({ health }: Endpoint): boolean {
  return health.pausedAtMs !== null
}
