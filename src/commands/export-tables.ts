/** The commands that export write tables into a directory, with progress. */
import { mkdirSync } from 'node:fs'
import { changeTable, type ExportTable } from '../export/tables.ts'
import { type ExportFormat, writeTable } from '../export/write-table.ts'
import { Refusal } from '../problems.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'
import { withProgress } from '../sync/progress.ts'
import { type Call, type CommandRuns, printAnswer } from './command.ts'
import type { exportSettings } from './line/command-table.ts'
import { listLines } from './table.ts'

/**
 * A table is written as a whole or not at all.
 * @throws Refusal `output-failed` for a signal; `store-refused` where the directory cannot be written to.
 */
export async function exportTables(
  call: Call<(typeof exportSettings)[number]>,
  tables: readonly ExportTable[],
): Promise<void> {
  const { values, terminal, interrupted } = call
  const { out, format } = values
  let isInterrupted = false
  void interrupted().then(() => {
    isInterrupted = true
  })
  const written: { path: string; rows: number }[] = []
  await withProgress(terminal, (progress) =>
    orStoreRefused(out, async () => {
      mkdirSync(out, { recursive: true })
      for (const table of tables) {
        progress.phase(`writing ${table.name}`)
        const onProgress = (rows: number) => {
          if (isInterrupted)
            throw new Refusal('output-failed', `interrupted: ${table.name} is left out`)
          progress.update(rows / Math.max(1, table.rowCount))
        }
        written.push(await writeTable(out, table, format as ExportFormat, onProgress))
      }
    }),
  )
  const files = written.map(({ path, rows }) => ({ file: path, rows }))
  printAnswer(call, written, () => listLines(files, ['file', 'rows']))
}

export const changesCommands: CommandRuns<'changes'> = {
  /** What happened from one snapshot to the next, as far as a directory has kept it. */
  'changes export': async (call) => {
    const { operands, values } = call
    const table = changeTable(values.snapshots, operands[0])
    if (table !== undefined) return exportTables(call, [table])
    const reason = `no changes are kept that lead to snapshot ${operands[0]}`
    throw new Refusal('snapshot-missing', `${values.snapshots}: ${reason}`)
  },
}
