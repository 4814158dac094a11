/** The thread of an `OAuthThread`: the authorization server over the books. */
import { parentPort } from 'node:worker_threads'
import type { Books } from '../ledger/books/books.ts'
import { openBooks } from '../ledger/open-administration.ts'
import { Channel } from '../process/channel.ts'
import type { OAuthOrder, OAuthThreadCalls } from './oauth-thread.ts'
import { OAuthServer } from './server.ts'

const port = parentPort
if (port === null) throw new Error('an OAuth thread is started by a service')

/** The actor of changes in the audit log. */
const cause = { name: 'oauth', from: 'this service' }

/** The server with its books, until it is closed. */
class Serving {
  #books: Books | undefined
  #server: OAuthServer | undefined

  async start({ data, ledger, ...order }: OAuthOrder): Promise<void> {
    this.#books = await openBooks({ data, ledger, clock: Date.now, cause })
    this.#server = new OAuthServer({ ...order, books: this.#books, clock: Date.now })
  }

  answer(...[request]: Parameters<OAuthServer['answer']>): ReturnType<OAuthServer['answer']> {
    return this.#server!.answer(request)
  }

  async close(): Promise<void> {
    await this.#books?.close()
  }
}

const serving = new Serving()
new Channel<OAuthThreadCalls, Record<never, never>>(port, {
  start: (order) => serving.start(order),
  answer: (request) => serving.answer(request),
  close: () => serving.close(),
})
