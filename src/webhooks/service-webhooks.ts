/**
 * The webhooks of a running service: it delivers the events of its ledger, and reports the snapshots that it
 * serves and syncs that are held back. A report that the ledger refuses is made again until it is written.
 */
import { droppedMark } from '../ledger/webhooks/addressing.ts'
import type { WebhookStore } from '../ledger/webhooks/store.ts'
import { Regularly } from '../process/timing/regularly.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Log } from '../telemetry/log.ts'
import type { ServiceFact } from '../telemetry/metrics.ts'
import { Deliverer } from './deliverer.ts'
import { sendMessage } from './send.ts'
import { type HeldBackSync, noteAnnouncements, noteHeldBack } from './sources.ts'

/** The settings of a service that its webhooks need. */
interface WebhookSettings {
  readonly webhookPrivate: boolean
  readonly clock: () => number
  readonly log: Log
}

/** Time after which a refused report is made again, ms. */
const againMs = 5_000

export class ServiceWebhooks {
  readonly #store: WebhookStore
  readonly #deliverer: Deliverer
  readonly #log: Log
  /** The facts still to be reported, the newest of each kind. */
  #files: readonly ChangeFile[] | undefined
  #heldBack: HeldBackSync | undefined
  #seenHeldBack = ''
  /** Events that the ledger dropped since it was made; no number until it was asked. */
  #dropped = Number.NaN
  #turn: Promise<void> = Promise.resolve()
  #timer: Regularly | undefined

  constructor(store: WebhookStore, { webhookPrivate, clock, log }: WebhookSettings) {
    this.#store = store
    this.#log = log
    this.#deliverer = new Deliverer({
      store,
      send: ({ url, secrets }, message, signal) =>
        sendMessage(url, message, secrets, { allowsPrivate: webhookPrivate, clock, signal }),
      monotonicMs: () => performance.now(),
      random: Math.random,
      report: (line) => log('webhook', line),
    })
  }

  /** Counts by the names of the metrics. */
  get figures(): Partial<Record<ServiceFact, number>> {
    const { delivered, failedAttempts, givenUp, pausedEndpoints } = this.#deliverer.figures
    return {
      webhooksDelivered: delivered,
      webhookFailures: failedAttempts,
      webhooksGivenUp: givenUp,
      webhooksPaused: pausedEndpoints,
      webhooksDropped: this.#dropped,
    }
  }

  start(): void {
    this.#deliverer.start()
    this.#timer = new Regularly(againMs, () => this.#look())
    this.#look()
  }

  /** Call this for every snapshot that is served, with the files of changes that lead to it. */
  served(files: readonly ChangeFile[]): void {
    this.#files = files
    if (this.#timer !== undefined) this.#report()
  }

  /** Call this when a snapshot is held back, or no longer is. */
  heldBack(heldBack: HeldBackSync | undefined): void {
    const seen = heldBack === undefined ? '' : `${heldBack.at} ${heldBack.reason}`
    if (seen === this.#seenHeldBack) return
    this.#seenHeldBack = seen
    this.#heldBack = heldBack
    if (this.#timer !== undefined) this.#report()
  }

  /** Ends the work under way; the session of the ledger stays open. */
  async stop(): Promise<void> {
    this.#timer?.stop()
    await this.#turn
    await this.#deliverer.stop()
  }

  /** A ledger that cannot be read is reported by others. */
  #look(): void {
    this.#report()
    this.#turn = this.#turn
      .then(async () => {
        this.#dropped = Number((await this.#store.mark(droppedMark)) ?? 0)
      })
      .catch(() => {})
  }

  #report(): void {
    if (this.#files === undefined && this.#heldBack === undefined) return
    this.#turn = this.#turn
      .then(() => this.#reportOnce())
      .catch((error: Error) => this.#log('webhook', `an event is not written: ${error.message}`))
  }

  async #reportOnce(): Promise<void> {
    const [files, heldBack] = [this.#files, this.#heldBack]
    if (files !== undefined) await noteAnnouncements(this.#store, files)
    if (files === this.#files) this.#files = undefined
    if (heldBack !== undefined) await noteHeldBack(this.#store, heldBack)
    if (heldBack === this.#heldBack) this.#heldBack = undefined
  }
}
