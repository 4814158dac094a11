/**
 * The commands of the list of removals: of this directory, with an entry in the audit log of the ledger, or with
 * `--url` of a running service. They sync nothing: `forget` records a removal and syncs at once.
 */
import { Refusal } from '../../problems.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { settleKey } from '../../sync/removals/key-place.ts'
import { bookSettings, withOperations, withReading } from '../admin/books.ts'
import { type Command, command } from '../command.ts'
import { printTable } from '../table.ts'

const servedSettings = [...bookSettings, 'snapshots', 'removalKey'] as const

/** An entry of the list as the API shows it. */
interface ListedRemoval {
  readonly removal_id: string
  readonly reason: string
  readonly at: string
  readonly undone: string | null
}

const list = command({
  operands: '[SDU]',
  settings: [...servedSettings, 'json'],
  help: 'list the removals of people, which names nobody; with SDU, the removal of that person',
  run: async ({ operands: [sdu], values, terminal, clock }) => {
    const place = { ...values, clock }
    const { results } = await withReading(place, (call) => call('listRemovals', { query: { sdu } }))
    if (values.json) return terminal.print(JSON.stringify(results))
    const rows = results.map(({ removal_id, reason, at, undone }: ListedRemoval) => {
      return [removal_id, at, undone ?? '-', reason]
    })
    printTable(terminal, ['REMOVAL', 'AT', 'UNDONE', 'REASON'], rows)
  },
})

const add = command({
  operands: 'SDU',
  settings: [...servedSettings, 'reason', 'force', 'json'],
  help: 'record the removal of a person, which the next sync honours; forget does both',
  run: async ({ operands: [sdu = ''], values, terminal, clock }) => {
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
  },
})

const undo = command({
  operands: 'REMOVAL',
  settings: [...servedSettings, 'json'],
  help: 'end a removal: the next sync takes the person again where the source has them',
  run: async ({ operands: [removal_id = ''], values, terminal, clock }) => {
    const undone = await withOperations({ ...values, clock }, (call) =>
      call('undoRemoval', { params: { removal_id } }),
    )
    if (values.json) return terminal.print(JSON.stringify(undone))
    terminal.print(`removal ${removal_id} ${undone.undone ? 'is' : 'had been'} undone`)
  },
})

const key = command({
  operands: '',
  settings: ['snapshots', 'removalKey', 'json'],
  help: 'show where the key of the list of removals lies; with --removal-key, move it there',
  run: async ({ values: { snapshots, removalKey, json }, terminal }) => {
    const done = await withDirectoryLock(snapshots, async () => settleKey(snapshots, removalKey))
    const { length, key: found } = readRemovals(snapshots)
    if (length === 0) throw new Refusal('snapshot-missing', `${snapshots}: nobody was removed here`)
    const file = found.file ?? null
    const isThere = found.secret !== undefined
    if (json) return terminal.print(JSON.stringify({ key_file: file, found: isThere }))
    if (done !== undefined) terminal.report(done)
    terminal.print(isThere ? `${file}` : `${file}, which is not there: put it back from a backup`)
  },
})

/** `removal list`, `add`, `undo` and `key`. */
export const removalCommands: Readonly<Record<string, Command>> = {
  'removal list': list,
  'removal add': add,
  'removal undo': undo,
  'removal key': key,
}
