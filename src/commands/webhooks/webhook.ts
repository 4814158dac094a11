/**
 * The commands of webhooks. A secret is printed once, by the command that made it. The running service
 * delivers; only `webhook test` sends by itself.
 */
import { randomUUID } from 'node:crypto'
import { withWebhooks } from '../../ledger/open-webhooks.ts'
import { endpointId } from '../../ledger/webhooks/records.ts'
import type { ListedEndpoint } from '../../ledger/webhooks/store.ts'
import { type BalanceThreshold, formatUsd } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { checkedReceiver } from '../../webhooks/receiver-address.ts'
import { sendMessage } from '../../webhooks/send.ts'
import { testMessage } from '../../webhooks/signature.ts'
import { type Command, command, refuseToLose, type Terminal } from '../command.ts'
import { printTable } from '../table.ts'

const add = command({
  operands: 'URL',
  settings: ['data', 'ledger', 'account', 'events', 'below', 'sdus', 'webhookPrivate', 'json'],
  help: 'send events to an address, of one account or of all; prints the secret, once',
  run: async ({ operands: [address = ''], values, terminal, clock }) => {
    refuseToLose('secret', terminal)
    const { account, events, below, sdus, webhookPrivate } = values
    const url = checkedReceiver(address, webhookPrivate)
    const order = { url, account: account === '' ? null : account, events, below, sdus }
    const added = await withWebhooks({ ...values, clock }, (webhooks) => webhooks.add(order))
    printSecret(endpointId(added), added.secrets[0]!.text, values.json, terminal)
  },
})

const list = command({
  operands: '',
  settings: ['data', 'ledger', 'json'],
  help: 'list the endpoints, and how deliveries to them go; never a secret',
  run: async ({ values, terminal, clock }) => {
    const all = await withWebhooks({ ...values, clock }, (webhooks) => webhooks.list())
    if (values.json) return terminal.print(JSON.stringify(all.map(listedJson)))
    const header = ['ENDPOINT', 'ACCOUNT', 'STATE', 'PENDING', 'URL', 'LAST FAILURE']
    const rows = all.map((each) => [
      endpointId(each),
      each.account ?? '(operator)',
      stateOf(each),
      String(each.pending),
      each.url,
      each.health.failure ?? '-',
    ])
    printTable(terminal, header, rows)
  },
})

const remove = command({
  operands: 'ENDPOINT',
  settings: ['data', 'ledger', 'json'],
  help: 'remove an endpoint and the events that wait for it',
  run: async ({ operands: [id = ''], values, terminal, clock }) => {
    await withWebhooks({ ...values, clock }, (webhooks) => webhooks.remove(id))
    terminal.print(
      values.json ? JSON.stringify({ endpoint: id, removed: true }) : `${id} is removed`,
    )
  },
})

const rotate = command({
  operands: 'ENDPOINT',
  settings: ['data', 'ledger', 'overlap', 'json'],
  help: 'make a new secret and print it; the one before signs, too, for the overlap',
  run: async ({ operands: [id = ''], values, terminal, clock }) => {
    refuseToLose('secret', terminal)
    const rotated = await withWebhooks({ ...values, clock }, (webhooks) =>
      webhooks.rotate(id, values.overlap),
    )
    printSecret(id, rotated.secrets[0]!.text, values.json, terminal)
  },
})

const replay = command({
  operands: 'ID',
  settings: ['data', 'ledger', 'json'],
  help: 'send the event ID again; or all that wait for the endpoint ID, which ends its pause',
  run: async ({ operands: [id = ''], values, terminal, clock }) => {
    const events = await withWebhooks({ ...values, clock }, (webhooks) => webhooks.replay(id))
    terminal.print(values.json ? JSON.stringify({ events }) : `${events} to be sent`)
  },
})

const test = command({
  operands: 'ENDPOINT',
  settings: ['data', 'ledger', 'webhookPrivate', 'json'],
  help: 'send the event webhook.test at once, and say what the receiver answered',
  run: async ({ operands: [id = ''], values, terminal, clock }) => {
    const endpoint = await withWebhooks({ ...values, clock }, (webhooks) => webhooks.endpoint(id))
    const message = testMessage(`evt_test_${randomUUID()}`, clock())
    const options = { allowsPrivate: values.webhookPrivate, clock }
    const attempt = await sendMessage(endpoint.url, message, endpoint.secrets, options)
    if (!attempt.ok)
      throw new Refusal('request-failed', `${id} did not take it: ${attempt.failure}`)
    terminal.print(values.json ? JSON.stringify({ delivered: true }) : `${id} took it`)
  },
})

/** `webhook add`, `list`, `remove`, `rotate`, `replay` and `test`. */
export const webhookCommands: Readonly<Record<string, Command>> = {
  'webhook add': add,
  'webhook list': list,
  'webhook remove': remove,
  'webhook rotate': rotate,
  'webhook replay': replay,
  'webhook test': test,
}

function printSecret(id: string, secret: string, json: boolean, terminal: Terminal): void {
  terminal.print(json ? JSON.stringify({ endpoint: id, secret }) : secret)
  if (!json) terminal.report(`endpoint ${id}; this is the only time the secret is shown`)
}

function stateOf({ health }: ListedEndpoint): 'paused' | 'failing' | 'active' {
  if (health.pausedAtMs !== null) return 'paused'
  return health.failingSinceMs === null ? 'active' : 'failing'
}

function listedJson(each: ListedEndpoint) {
  const { url, account, events, below, sdus, pending, failed, health, createdAtMs } = each
  return {
    endpoint: endpointId(each),
    ...{ account, url, events, below: below.map(thresholdText), sdus },
    ...{ state: stateOf(each), pending, given_up: failed, last_failure: health.failure },
    created: timeText(createdAtMs),
    delivered: timeText(health.deliveredAtMs),
    failing_since: timeText(health.failingSinceMs),
    paused: timeText(health.pausedAtMs),
  }
}

function thresholdText(threshold: BalanceThreshold): string {
  return 'percent' in threshold ? `${threshold.percent}%` : formatUsd(threshold.microUsd)
}

function timeText(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
