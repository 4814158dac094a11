/**
 * The thread of the admin API, as the service sees it. It has a connection to the ledger of its own, so that a long
 * proof keeps no charge waiting, and works as the commands of another process do: what it changes, the service sees
 * within a moment.
 */
import type { LedgerPlace } from '../ledger/administration.ts'
import type { Prices } from '../operations.ts'
import { moduleOf, startThread, type Thread } from '../process/thread.ts'
import type { Log } from '../telemetry/log.ts'

/** Where the admin API listens: an address, or the path of a Unix socket. */
export type AdminPlace =
  | { readonly host: string; readonly port: number }
  | { readonly path: string }

/** The place that the value of the setting `admin` names: `HOST:PORT`, `[::1]:PORT` or `unix:PATH`. */
export function adminPlaceOf(text: string): AdminPlace {
  if (text.startsWith('unix:')) return { path: text.slice('unix:'.length) }
  const colon = text.lastIndexOf(':')
  const host = text.slice(0, colon).replace(/^\[|\]$/g, '')
  return { host, port: Number(text.slice(colon + 1)) }
}

/** The dependencies of the thread. */
export interface AdminOrder extends LedgerPlace {
  readonly place: AdminPlace
  readonly snapshots: string
  readonly removalKey: string
  readonly follow: string
  readonly prices: Prices
  readonly webhookPrivate: boolean
}

/** The calls that the thread answers. */
export type AdminThreadCalls = {
  /** Returns where it listens. @throws Refusal `cannot-listen`, `ledger-refused`. */
  start(order: AdminOrder): string
  /** Ends what it answers, and closes the ledger. */
  close(nothing: undefined): void
}

/** What it tells. */
export type AdminNotices = {
  /** An unexpected error. */
  fail(failure: { readonly message: string; readonly requestId: string }): void
}

/** What a service starts it with. */
export interface AdminThreadOptions extends Omit<AdminOrder, 'place'> {
  /** The value of the setting. */
  readonly admin: string
  readonly log: Log
}

/** A thread that died is begun anew after so long, at the same place. */
const restartMs = 1_000

/** The thread, begun anew when it dies. */
export class AdminThread {
  readonly #order: AdminOrder
  readonly #log: Log
  #thread: Thread<AdminThreadCalls, AdminNotices> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: AdminThreadOptions) {
    const { data, ledger, snapshots, removalKey, follow, prices, webhookPrivate } = options
    const served = { snapshots, removalKey, follow, prices, webhookPrivate }
    this.#order = { place: adminPlaceOf(options.admin), data, ledger, ...served }
    this.#log = options.log
  }

  /** Starts it; returns where it listens. @throws Refusal `cannot-listen`, `ledger-refused`. */
  async start(): Promise<string> {
    this.#thread = startThread<AdminThreadCalls, AdminNotices>(
      moduleOf('admin-worker', import.meta.url),
      {
        name: 'the admin thread',
        handlers: {
          fail: ({ message, requestId }) => {
            this.#log('internal-error', message, { request_id: requestId })
          },
        },
        onEnd: (error) => this.#beginAnew(error),
      },
    )
    return this.#thread.channel.call('start', this.#order)
  }

  /** Ends it. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#thread?.channel.call('close', undefined).catch(() => {})
    await this.#thread?.worker.terminate()
  }

  #beginAnew(error: Error): void {
    if (this.#isClosed) return
    this.#log('thread-died', error.message)
    this.#timer = setTimeout(() => {
      this.start().catch((failure: Error) => this.#beginAnew(failure))
    }, restartMs)
  }
}
