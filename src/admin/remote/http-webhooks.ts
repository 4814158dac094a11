/** The endpoints of webhooks of a running service over its admin API, as commands use them. */

import { thresholdText } from '../../ledger/webhooks/endpoint-json.ts'
import type { Endpoint, EndpointHealth } from '../../ledger/webhooks/records.ts'
import { newHealth, placeNamed } from '../../ledger/webhooks/records.ts'
import type {
  EndpointOrder,
  ListedEndpoint,
  WebhookAdministration,
} from '../../ledger/webhooks/store.ts'
import { parseThreshold } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { HttpBooks } from './http-books.ts'

/** Endpoints as the admin API shows and changes them. */
export class HttpWebhooks implements WebhookAdministration {
  readonly #books: HttpBooks

  constructor(books: HttpBooks) {
    this.#books = books
  }

  async add({ below, ...order }: EndpointOrder): Promise<Endpoint> {
    const body = { ...order, below: below.map(thresholdText) }
    return secretOf(await this.#books.call('addWebhook', { body }))
  }

  async list(): Promise<readonly ListedEndpoint[]> {
    const found = await this.#books.all('listWebhooks')
    return found.map((each) => ({
      ...placeNamed(each.endpoint)!,
      ...{ url: each.url, account: each.account, events: each.events, sdus: each.sdus },
      below: each.below.map((text: string) => parseThreshold(text)!),
      ...{ pending: each.pending, failed: each.given_up, health: healthOf(each) },
      createdAtMs: Date.parse(each.created),
    }))
  }

  async endpoint(): Promise<never> {
    throw new Refusal('wrong-usage', 'no secret of an endpoint is read over the admin API')
  }

  async remove(endpoint: string): Promise<void> {
    await this.#books.call('removeWebhook', { params: { endpoint } })
  }

  async rotate(endpoint: string, overlapMs: number): Promise<Endpoint> {
    const given = { params: { endpoint }, body: { overlap: Math.ceil(overlapMs / 1_000) } }
    return secretOf(await this.#books.call('rotateWebhook', given))
  }

  async replay(id: string): Promise<number> {
    return (await this.#books.call('replayWebhook', { params: { id } })).events
  }

  async close(): Promise<void> {}
}

type Json = Awaited<ReturnType<HttpBooks['call']>>

/** The endpoint that was just made or changed, as far as a command prints it: its name and its secret. */
function secretOf({ endpoint, secret }: Json): Endpoint {
  const none = { url: '', events: [], below: [], sdus: [], createdAtMs: 0, health: newHealth }
  return { ...placeNamed(endpoint)!, ...none, secrets: [{ text: secret, untilMs: null }] }
}

function healthOf({ paused, failing_since, delivered, last_failure }: Json): EndpointHealth {
  return {
    pausedAtMs: timeOf(paused),
    failingSinceMs: timeOf(failing_since),
    deliveredAtMs: timeOf(delivered),
    failure: last_failure,
  }
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
