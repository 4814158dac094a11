/** Endpoints of webhooks for who administers them: every change is in the audit log, with its cause. */
import type { Books } from '../administration.ts'
import { thresholdText } from '../webhooks/endpoint-json.ts'
import type { Endpoint } from '../webhooks/records.ts'
import type { EndpointOrder, WebhookAdministration } from '../webhooks/store.ts'
import { noted } from './noted.ts'

/** The endpoints of some books. */
export class NotedWebhooks implements WebhookAdministration {
  readonly #books: Books
  readonly #webhooks: WebhookAdministration

  constructor(books: Books) {
    this.#books = books
    this.#webhooks = books.webhooks()
  }

  list = () => this.#webhooks.list()

  endpoint = (id: string) => this.#webhooks.endpoint(id)

  add(order: EndpointOrder): Promise<Endpoint> {
    const { account, url, events, below, sdus } = order
    const after = { account, url, events, below: below.map(thresholdText), sdus: sdus.length }
    const what = { action: 'webhook.add', subject: account ?? 'operator', before: null, after }
    return noted(this.#books, what, () => this.#webhooks.add(order))
  }

  rotate(id: string, overlapMs: number): Promise<Endpoint> {
    const states = { before: { rotated: false }, after: { rotated: true } }
    const details = { overlap_seconds: overlapMs / 1_000 }
    const what = { action: 'webhook.rotate', subject: id.slice(0, 64), details, ...states }
    return noted(this.#books, what, () => this.#webhooks.rotate(id, overlapMs))
  }

  remove(id: string): Promise<void> {
    const states = { before: { removed: false }, after: { removed: true } }
    const what = { action: 'webhook.remove', subject: id.slice(0, 64), ...states }
    return noted(this.#books, what, () => this.#webhooks.remove(id))
  }

  replay(id: string): Promise<number> {
    const states = { before: { replayed: false }, after: { replayed: true } }
    const what = { action: 'webhook.replay', subject: id.slice(0, 64), ...states }
    return noted(this.#books, what, () => this.#webhooks.replay(id))
  }

  close = async () => {}
}
