/**
 * The commands of the list of removals: of this directory, with an entry in the audit log of the ledger, or with
 * `--url` of a running service. They sync nothing: `forget` records a removal and syncs at once.
 */
import { Refusal } from '../../problems.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { settleKey } from '../../sync/removals/key-place.ts'
import { withOperations, withReading } from '../admin/books.ts'
import type { CommandRun, CommandRuns } from '../command.ts'
import { printTable } from '../table.ts'

/** An entry of the list as the API shows it. */
interface ListedRemoval {
  readonly removal_id: string
  readonly reason: string
  readonly at: string
  readonly undone: string | null
}

const list: CommandRun<'removal list'> = async ({ operands: [sdu], values, terminal, clock }) => {
  const place = { ...values, clock }
  const { results } = await withReading(place, (call) => call('listRemovals', { query: { sdu } }))
  if (values.json) return terminal.print(JSON.stringify(results))
  const rows = results.map(({ removal_id, reason, at, undone }: ListedRemoval) => {
    return [removal_id, at, undone ?? '-', reason]
  })
  printTable(terminal, ['REMOVAL', 'AT', 'UNDONE', 'REASON'], rows)
}

const add: CommandRun<'removal add'> = async ({
  operands: [sdu = ''],
  values,
  terminal,
  clock,
}) => {
  const { reason, force } = values
  if (reason === '')
    throw new Refusal('wrong-usage', 'removal add needs --reason, which is kept with the removal')
  const added = await withOperations({ ...values, clock }, (call) =>
    call('addRemoval', { body: { sdu, reason, force } }),
  )
  if (values.json) return terminal.print(JSON.stringify(added))
  for (const each of added.elsewhere as readonly { handle: string; sdu: string }[]) {
    terminal.report(
      `${each.handle} belongs to the SDU ${each.sdu} now: remove it too if that is the same person`,
    )
  }
  terminal.print(`removal ${added.removal_id} is recorded; the next sync publishes without them`)
}

const undo: CommandRun<'removal undo'> = async ({
  operands: [removal_id = ''],
  values,
  terminal,
  clock,
}) => {
  const undone = await withOperations({ ...values, clock }, (call) =>
    call('undoRemoval', { params: { removal_id } }),
  )
  if (values.json) return terminal.print(JSON.stringify(undone))
  terminal.print(`removal ${removal_id} ${undone.undone ? 'is' : 'had been'} undone`)
}

const key: CommandRun<'removal key'> = async ({
  values: { snapshots, removalKey, json },
  terminal,
}) => {
  const done = await withDirectoryLock(snapshots, async () => settleKey(snapshots, removalKey))
  const { length, key: found } = readRemovals(snapshots)
  if (length === 0) throw new Refusal('snapshot-missing', `${snapshots}: nobody was removed here`)
  const file = found.file ?? null
  const isThere = found.secret !== undefined
  if (json) return terminal.print(JSON.stringify({ key_file: file, found: isThere }))
  if (done !== undefined) terminal.report(done)
  terminal.print(isThere ? `${file}` : `${file}, which is not there: put it back from a backup`)
}

/** `removal list`, `add`, `undo` and `key`. */
export const removalCommands: CommandRuns<'removal'> = {
  'removal list': list,
  'removal add': add,
  'removal undo': undo,
  'removal key': key,
}
