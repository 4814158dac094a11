/** The `changes` commands: what happened from one snapshot to the next, as far as a directory has kept it. */
import { changeTable } from '../../export/tables.ts'
import { Refusal } from '../../problems.ts'
import { type Command, command } from '../command.ts'
import { exportSettings, exportTables } from './export-tables.ts'

const exportChanges = command({
  operands: '[SINCE]',
  settings: ['snapshots', ...exportSettings],
  help: 'write all changes that are kept to a file; with SINCE, those behind that snapshot',
  run: async (call) => {
    const { operands, values } = call
    const table = changeTable(values.snapshots, operands[0])
    if (table === undefined) {
      const reason = `no changes are kept that lead to snapshot ${operands[0]}`
      throw new Refusal('snapshot-missing', `${values.snapshots}: ${reason}`)
    }
    await exportTables(call, [table])
  },
})

export const changesCommands: Readonly<Record<string, Command>> = {
  'changes export': exportChanges,
}
