/**
 * The commands of webhooks. A secret is printed once, by the command that made it. The running service
 * delivers; only `webhook test` sends by itself, or has the service send at once with `--url`.
 */
import { endpointJson, endpointState } from '../../ledger/webhooks/endpoint-json.ts'
import { endpointId } from '../../ledger/webhooks/records.ts'
import { Refusal } from '../../problems.ts'
import { checkedReceiver } from '../../webhooks/receiver-address.ts'
import { withEndpoints, withOperations } from '../admin/books.ts'
import { type CommandRun, type CommandRuns, refuseToLose, type Terminal } from '../command.ts'
import { printTable } from '../table.ts'

const add: CommandRun<'webhook add'> = async ({
  operands: [address = ''],
  values,
  terminal,
  clock,
}) => {
  refuseToLose('secret', terminal)
  const { account, events, below, sdus, webhookPrivate } = values
  // Over the admin API the service knows which addresses are allowed.
  const url = values.url === null ? checkedReceiver(address, webhookPrivate) : address
  const order = { url, account: account === '' ? null : account, events, below, sdus }
  const added = await withEndpoints({ ...values, clock }, (webhooks) => webhooks.add(order))
  printSecret(endpointId(added), added.secrets[0]!.text, values.json, terminal)
}

const list: CommandRun<'webhook list'> = async ({ values, terminal, clock }) => {
  const all = await withEndpoints({ ...values, clock }, (webhooks) => webhooks.list())
  if (values.json) return terminal.print(JSON.stringify(all.map(endpointJson)))
  const header = ['ENDPOINT', 'ACCOUNT', 'STATE', 'PENDING', 'URL', 'LAST FAILURE']
  const rows = all.map((each) => [
    endpointId(each),
    each.account ?? '(operator)',
    endpointState(each),
    String(each.pending),
    each.url,
    each.health.failure ?? '-',
  ])
  printTable(terminal, header, rows)
}

const remove: CommandRun<'webhook remove'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  await withEndpoints({ ...values, clock }, (webhooks) => webhooks.remove(id))
  terminal.print(values.json ? JSON.stringify({ endpoint: id, removed: true }) : `${id} is removed`)
}

const rotate: CommandRun<'webhook rotate'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  refuseToLose('secret', terminal)
  const rotated = await withEndpoints({ ...values, clock }, (webhooks) =>
    webhooks.rotate(id, values.overlap),
  )
  printSecret(id, rotated.secrets[0]!.text, values.json, terminal)
}

const replay: CommandRun<'webhook replay'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  const events = await withEndpoints({ ...values, clock }, (webhooks) => webhooks.replay(id))
  terminal.print(values.json ? JSON.stringify({ events }) : `${events} to be sent`)
}

const test: CommandRun<'webhook test'> = async ({
  operands: [id = ''],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, snapshots: '', removalKey: '', clock }
  const { delivered, failure } = await withOperations(place, (call) =>
    call('testWebhook', { params: { endpoint: id } }),
  )
  if (!delivered) throw new Refusal('request-failed', `${id} did not take it: ${failure}`)
  terminal.print(values.json ? JSON.stringify({ delivered: true }) : `${id} took it`)
}

/** `webhook add`, `list`, `remove`, `rotate`, `replay` and `test`. */
export const webhookCommands: CommandRuns<'webhook'> = {
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
