/**
 * The admin thread, started by `AdminThread`: it opens the ledger for itself and serves the admin API on its own
 * listener. Errors go to the main thread, which logs them.
 */
import { parentPort } from 'node:worker_threads'
import type { Books } from '../ledger/books/books.ts'
import { openBooks } from '../ledger/books/open-books.ts'
import { Channel } from '../process/channel.ts'
import type { AdminNotices, AdminOrder, AdminThreadCalls } from './admin-thread.ts'
import { AdminApi } from './answering.ts'
import { type AdminListener, listenForAdmin } from './listener.ts'

const port = parentPort
if (port === null) throw new Error('an admin thread is started by a service')

/** Ledger and listener; `close` also ends a start that failed half-way. */
class Serving {
  #books: Books | undefined
  #listener: AdminListener | undefined

  async start({ place, data, ledger, ...context }: AdminOrder): Promise<string> {
    const books = await openBooks({ data, ledger, clock: Date.now })
    this.#books = books
    const onError = (error: unknown, requestId: string) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      channel.notify('fail', { message, requestId })
    }
    const api = new AdminApi({ ...context, data, books, clock: Date.now, onError })
    this.#listener = await listenForAdmin(api, place)
    return this.#listener.place
  }

  async close(): Promise<void> {
    await this.#listener?.close()
    await this.#books?.close()
  }
}

const serving = new Serving()
const channel = new Channel<AdminThreadCalls, AdminNotices>(port, {
  start: (order) => serving.start(order),
  close: () => serving.close(),
})
