/**
 * The control thread, started by `ControlThread`. It answers MCP and OAuth from views of the snapshot
 * and of the balances of its own, as a serving thread does, and the admin API on a listener of its
 * own, with a connection to the ledger, as the commands of another process do: the service sees its
 * changes within a moment.
 */
import { setImmediate } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { AdminListener } from '../../admin/listener.ts'
import { type ActiveSnapshot, withChanges } from '../../api/active-snapshot.ts'
import { Api } from '../../api/api.ts'
import { type AsyncRoute, targetPathOf } from '../../http/async-route.ts'
import type { Books } from '../../ledger/books/books.ts'
import { openBooks } from '../../ledger/books/open-books.ts'
import type { KeyNews } from '../../ledger/live/keyring.ts'
import { mcpApplication } from '../../mcp/application.ts'
import { oauthApplication } from '../../oauth/application.ts'
import type { KeysChange } from '../../oauth/exchange.ts'
import { oauthPaths } from '../../oauth/metadata.ts'
import { oauthOf } from '../../oauth/options.ts'
import { oauthServer } from '../../oauth/server.ts'
import { operations, toolNames } from '../../operations.ts'
import { Channel } from '../../process/channel.ts'
import type { ChangeFile } from '../../snapshot/changes/change-file.ts'
import type { ServedSnapshot } from '../protocol.ts'
import { newThreadApi, type ThreadApi, type ThreadApiStart } from '../thread-api.ts'
import { serveLink } from './link.ts'

type Answer = AsyncRoute['answer']

export type ControlQuestions = {
  /** Looks up a key that the thread does not have, by its hash; it is handed what is found. */
  seekKey(hash: string): void
  /** Done when every thread has taken over what was done to keys. */
  takeOver(change: KeysChange): void
}

export type ControlCalls = Control['handlers']

/** The author of changes that OAuth makes, in the audit log. */
const byOAuth = { name: 'oauth', from: 'this service' }

class Control {
  readonly #main: Channel<ControlCalls, ControlQuestions>
  readonly #start: ThreadApiStart
  readonly #parts: ThreadApi
  readonly #api: Api
  readonly #answers = new Map<string, Answer>()
  #served: ActiveSnapshot | undefined
  #books: Books | undefined
  #adminListener: AdminListener | undefined

  constructor(start: ThreadApiStart, end: MessagePort) {
    const main = new Channel<ControlCalls, ControlQuestions>(end, this.handlers)
    this.#main = main
    this.#start = start
    const seekKey = (hash: string) => main.notify('seekKey', hash)
    this.#parts = newThreadApi(start, seekKey, () => this.#served)
    this.#api = new Api(this.#parts.context)
  }

  readonly handlers = {
    /** Returns the place at which the admin API listens. @throws Refusal `ledger-refused`, `cannot-listen`. */
    start: () => this.#begin(),
    /** Takes the end of a link to a serving thread. */
    connect: (link: MessagePort) =>
      serveLink(link, this.#answer, (slot) => this.#api.lostBefore(slot)),
    takeKeys: (news: KeyNews) => this.#parts.keyring.take(news),
    serve: (snapshot: ServedSnapshot) => {
      this.#served = this.#parts.activated(snapshot)
      this.#parts.countFinds(this.#served)
    },
    takeChanges: (files: readonly ChangeFile[]) => {
      this.#served = withChanges(this.#served, files)
    },
    close: async () => {
      // What serving threads have said before, of requests that are over, comes first.
      await setImmediate()
      await this.#adminListener?.close()
      await this.#books?.close()
    },
  }

  readonly #answer: Answer = (request) => {
    const answer = this.#answers.get(targetPathOf(request))
    if (answer === undefined) throw new Error('no application has this path')
    return answer(request)
  }

  async #begin(): Promise<string | undefined> {
    const { data, ledger, admin } = this.#start.settings
    const oauth = oauthOf(this.#start.settings)
    this.#route(operations.mcp.paths, this.#newMcp())
    if (oauth === undefined && admin === '') return undefined
    const books = await openBooks({ data, ledger, clock: Date.now })
    this.#books = books
    if (oauth !== undefined) this.#beginOAuth(oauth, books)
    return admin === '' ? undefined : this.#listenForAdmin(books)
  }

  #beginOAuth(oauth: NonNullable<ReturnType<typeof oauthOf>>, books: Books): void {
    const { cursorKey: secret } = this.#start
    const server = oauthServer({ ...oauth, books: books.by(byOAuth), secret, clock: Date.now })
    const takeOver = (change: KeysChange) => this.#main.call('takeOver', change)
    const application = oauthApplication({ api: this.#api, server, takeOver })
    this.#route(Object.values(oauthPaths), application)
  }

  async #listenForAdmin(books: Books): Promise<string> {
    // Few services have it.
    const [{ adminApi }, { listenForAdmin }] = await Promise.all([
      import('../../admin/answering.ts'),
      import('../../admin/listener.ts'),
    ])
    const { onError } = this.#parts
    const { settings } = this.#start
    const context = { ...settings, books, clock: Date.now, onError }
    this.#adminListener = await listenForAdmin(adminApi(context), settings.admin)
    return this.#adminListener.place
  }

  #route(paths: readonly string[], answer: Answer): void {
    for (const path of paths) this.#answers.set(path, answer)
  }

  #newMcp(): Answer {
    const { price: prices, mcpSearchFetch: searchFetch, publicUrl } = this.#start.settings
    return mcpApplication({
      api: this.#api,
      served: () => this.#served,
      offer: { isCharged: toolNames.some((route) => prices[route] > 0), searchFetch, publicUrl },
      onError: (error) => this.#parts.onError(error, 'mcp'),
    })
  }
}

new Control(workerData, parentPort!)
