/**
 * The thread of the admin API, as the service sees it. It has its own connection to the ledger, so that a long proof
 * keeps no charge waiting, and works as the commands of another process do: the service sees its changes within a
 * moment.
 */
import type { LedgerPlace } from '../ledger/books/administration.ts'
import type { Prices } from '../operations.ts'
import { LastingThread, moduleOf } from '../process/thread.ts'
import type { Log } from '../telemetry/log.ts'

/** Place at which the admin API listens: an address, or the path of a Unix socket. */
export type AdminPlace =
  | { readonly host: string; readonly port: number }
  | { readonly path: string }

/** The place that the value of the setting `admin` names: `HOST:PORT`, `[::1]:PORT` or `unix:PATH`. */
function adminPlaceOf(text: string): AdminPlace {
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
}

/** The calls that the thread answers. */
export type AdminThreadCalls = {
  /** Returns the place at which it listens. @throws Refusal `cannot-listen`, `ledger-refused`. */
  start(order: AdminOrder): string
  /** Ends the requests in progress, and closes the ledger. */
  close(nothing: undefined): void
}

/** Reports of the thread to the service. */
export type AdminNotices = {
  /** An unexpected error. */
  fail(failure: { readonly message: string; readonly requestId: string }): void
}

/** Options of the thread. */
interface AdminThreadOptions extends Omit<AdminOrder, 'place'> {
  /** The value of the setting. */
  readonly admin: string
  readonly log: Log
}

/**
 * The thread, begun anew at the same place when it dies. Its start returns the place at which it listens, and throws
 * the Refusals `cannot-listen` and `ledger-refused`.
 */
export class AdminThread extends LastingThread<string, AdminThreadCalls, AdminNotices> {
  constructor({ admin, log, ...options }: AdminThreadOptions) {
    const { data, ledger, snapshots, removalKey, follow, prices } = options
    const served = { snapshots, removalKey, follow, prices }
    const order = { place: adminPlaceOf(admin), data, ledger, ...served }
    super(moduleOf('admin-worker', import.meta.url), {
      name: 'the admin thread',
      handlers: {
        fail: ({ message, requestId }) => log('internal-error', message, { request_id: requestId }),
      },
      begin: (channel) => channel.call('start', order),
      end: (channel) => channel.call('close', undefined),
      onDeath: ({ message }) => log('thread-died', message),
    })
  }
}
