/** What the operations on endpoints of webhooks do. */

import { NotedWebhooks } from '../../ledger/noted/noted-webhooks.ts'
import { endpointJson } from '../../ledger/webhooks/endpoint-json.ts'
import { endpointId } from '../../ledger/webhooks/records.ts'
import { checkedReceiver } from '../../webhooks/receiver-address.ts'
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
  replayWebhook: handler(
    'replayWebhook',
    ({ books, params }) => new NotedWebhooks(books).replay(params.id),
    (events) => ({ events }),
  ),
}
