/** The `changes` commands: what happened from one snapshot to the next, as far as a directory has kept it. */
import { changeTable } from '../export/tables.ts'
import { Refusal } from '../problems.ts'
import type { CommandRun, CommandRuns } from './command.ts'
import { exportTables } from './export-tables.ts'

const exportChanges: CommandRun<'changes export'> = async (call) => {
  const { operands, values } = call
  const table = changeTable(values.snapshots, operands[0])
  if (table === undefined) {
    const reason = `no changes are kept that lead to snapshot ${operands[0]}`
    throw new Refusal('snapshot-missing', `${values.snapshots}: ${reason}`)
  }
  await exportTables(call, [table])
}

export const changesCommands: CommandRuns<'changes'> = {
  'changes export': exportChanges,
}
