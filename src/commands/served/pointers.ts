/**
 * The commands of the served state: the announced or pinned snapshot, a sync that was held back, and prices of queries.
 * They work on this directory, or with `--url` on a running service; the audit log of its ledger has each change.
 */
import type { CallOperation } from '../../admin/local-calls.ts'
import { formatUsd } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { type ServedPlace, withOperations, withReading } from '../admin/books.ts'
import type { CommandRun, CommandRuns } from '../command.ts'
import { printTable } from '../table.ts'

/** A sync that was held back, as the API shows it. */
interface HeldBack {
  readonly reason: string
  readonly at: string
  readonly source_fingerprint: string
}

const announce: CommandRun<'snapshot announce'> = async ({
  operands: [snapshot_id = ''],
  values,
  terminal,
  clock,
}) => {
  const done = await withOperations({ ...values, removalKey: '', clock }, (call) =>
    call('announceSnapshot', { params: { snapshot_id } }),
  )
  if (values.json) return terminal.print(JSON.stringify(done))
  const what = done.changed ? 'announced' : 'was announced before'
  terminal.print(`${what}: snapshot ${done.snapshot_id}`)
}

const heldBack: CommandRun<'snapshot held-back'> = async ({ values, terminal, clock }) => {
  const found = await heldBackOf({ ...values, removalKey: '', clock })
  if (values.json) return terminal.print(JSON.stringify(found))
  const { held_back: held, released } = found
  if (held === null) return terminal.print('nothing is held back')
  const mark = released ? ' (released: the next sync of this source publishes it)' : ''
  terminal.print(`held back at ${held.at}: ${held.reason}${mark}`)
  if (held.source_fingerprint !== '') terminal.print(`source ${held.source_fingerprint}`)
}

const release: CommandRun<'snapshot release'> = async ({
  operands: [given],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, removalKey: '', clock }
  const source_fingerprint = given ?? (await heldBackOf(place)).held_back?.source_fingerprint
  if (source_fingerprint === undefined) throw new Refusal('held-back', 'nothing is held back')
  const done = await withOperations(place, (call) =>
    call('releaseHeldBack', { body: { source_fingerprint } }),
  )
  if (values.json) return terminal.print(JSON.stringify(done))
  terminal.print('released: the next sync of this source publishes it')
}

const prices: CommandRun<'prices'> = async ({ values, terminal, clock }) => {
  if (values.url === null) throw new Refusal('wrong-usage', 'prices needs --url')
  const nowhere = { data: '', ledger: null, snapshots: '', removalKey: '' }
  const found = await withReading({ ...values, ...nowhere, clock }, (call) => call('getPrices'))
  if (values.json) return terminal.print(JSON.stringify(found))
  const rows = Object.entries(found.prices_usd as Readonly<Record<string, number>>)
  const shown = rows.map(([route, usd]) => [route, formatUsd(Math.round(usd * 1_000_000))])
  printTable(terminal, ['QUERY', 'USD'], shown)
}

/** `snapshot announce`, `held-back` and `release`. */
export const pointerCommands = {
  'snapshot announce': announce,
  'snapshot held-back': heldBack,
  'snapshot release': release,
}

/** `prices`. */
export const pricesCommands: CommandRuns<'prices'> = { prices }

function heldBackOf(
  place: ServedPlace,
): Promise<{ readonly held_back: HeldBack | null; readonly released: boolean }> {
  return withReading(place, (call: CallOperation) => call('getHeldBack'))
}
