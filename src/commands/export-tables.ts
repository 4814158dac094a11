/** The common part of the commands that export: they write tables into a directory, with progress. */
import { mkdirSync } from 'node:fs'
import type { ExportTable } from '../export/tables.ts'
import { type ExportFormat, writeTable } from '../export/write-table.ts'
import { Refusal } from '../problems.ts'
import { orStoreRefused } from '../snapshot/store/system-errors.ts'
import { createProgress } from '../sync/progress.ts'
import type { Call } from './command.ts'
import type { exportSettings } from './line/command-table.ts'
import { listLines } from './table.ts'

/**
 * A table is written as a whole or not at all.
 * @throws Refusal `output-failed` for a signal; `store-refused` where the directory cannot be written to.
 */
export async function exportTables(
  { values: { out, format, json }, terminal, interrupted }: Call<(typeof exportSettings)[number]>,
  tables: readonly ExportTable[],
): Promise<void> {
  const progress = createProgress(terminal)
  let isInterrupted = false
  void interrupted().then(() => {
    isInterrupted = true
  })
  const written: { path: string; rows: number }[] = []
  try {
    await orStoreRefused(out, async () => {
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
    })
  } finally {
    progress.stop()
  }
  if (json) return terminal.print(JSON.stringify(written))
  const files = written.map(({ path, rows }) => ({ file: path, rows }))
  for (const line of listLines(files, ['file', 'rows'])) terminal.print(line)
}
