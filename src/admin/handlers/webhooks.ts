/** The handlers of the operations on endpoints of webhooks. */
import { randomUUID } from 'node:crypto'
import { noted } from '../../ledger/noted/noted.ts'
import { NotedWebhooks } from '../../ledger/noted/noted-webhooks.ts'
import { endpointJson } from '../../ledger/webhooks/endpoint-json.ts'
import { endpointId } from '../../ledger/webhooks/records.ts'
import { checkedReceiver } from '../../webhooks/receiver-address.ts'
import { sendMessage } from '../../webhooks/send.ts'
import { testMessage } from '../../webhooks/signature.ts'
import { handler, pageAmong } from '../handler.ts'

/** The handlers by the names of the operations. */
export const webhookHandlers = {
  listWebhooks: handler(
    'listWebhooks',
    async ({ books, query }) => pageAmong(await books.webhooks().list(), query, endpointId),
    ({ items, next }) => ({ results: items.map(endpointJson), next_cursor: next }),
  ),
  addWebhook: handler(
    'addWebhook',
    async ({ books, webhookPrivate, body: { url, ...order } }) =>
      new NotedWebhooks(books).add({ ...order, url: checkedReceiver(url, webhookPrivate) }),
    (added) => ({ endpoint: endpointId(added), secret: added.secrets[0]!.text }),
  ),
  rotateWebhook: handler(
    'rotateWebhook',
    ({ books, params, body }) =>
      new NotedWebhooks(books).rotate(params.endpoint, body.overlap * 1_000),
    (rotated) => ({ endpoint: endpointId(rotated), secret: rotated.secrets[0]!.text }),
  ),
  removeWebhook: handler(
    'removeWebhook',
    ({ books, params }) => new NotedWebhooks(books).remove(params.endpoint),
    () => ({ removed: true as const }),
  ),
  testWebhook: handler(
    'testWebhook',
    async ({ books, clock, webhookPrivate, params: { endpoint: id } }) => {
      const { url, secrets } = await books.webhooks().endpoint(id)
      const states = { before: { tested: false }, after: { tested: true } }
      const what = { action: 'webhook.test', subject: id.slice(0, 64), ...states }
      return noted(books, what, () => {
        const message = testMessage(`evt_test_${randomUUID()}`, clock())
        return sendMessage(url, message, secrets, { allowsPrivate: webhookPrivate, clock })
      })
    },
    (attempt) =>
      attempt.ok
        ? { delivered: true, failure: null }
        : { delivered: false, failure: attempt.failure },
  ),
  replayWebhook: handler(
    'replayWebhook',
    ({ books, params }) => new NotedWebhooks(books).replay(params.id),
    (events) => ({ events }),
  ),
}
