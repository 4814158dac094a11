/** The tables of the record, read back for documents: cells are the texts that the run printed. */
import { rowsOf } from '../../scripts/markdown-table.ts'
import { originOf, readRecord } from './record.ts'

export interface RecordedTable {
  /** The day, the commit, the format and the machine. */
  readonly origin: string
  readonly day: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * The table with that column, or with that line above it.
 * @returns undefined where the bench was not recorded. @throws Error where the run has no such table.
 */
export function recordedTable(bench: string, word: string): RecordedTable | undefined {
  const run = readRecord().find((each) => each.bench === bench)
  if (run === undefined) return undefined
  const blocks = run.lines.join('\n').split(/\n\n+/)
  const day = run.startedAt.slice(0, 10)
  for (const [at, block] of blocks.entries()) {
    const [columns, ...rows] = rowsOf(block)
    if (columns === undefined || !(columns.includes(word) || blocks[at - 1] === word)) continue
    return { day, origin: `${day}, ${originOf(run)}`, columns, rows }
  }
  throw new Error(`the recorded run of ${bench} has no table '${word}'`)
}

export type NamedCells = Readonly<Record<string, string>>

export function namedRows({ columns, rows }: RecordedTable): NamedCells[] {
  return rows.map((row) => Object.fromEntries(columns.map((title, at) => [title, row[at] ?? ''])))
}

/** A recorded figure: `1,234` and `98%` are numbers. @throws Error where a cell is none. */
export function figureOf(cells: NamedCells | undefined, column: string): number {
  const value = Number(cells?.[column]?.replace(/[,%]/g, '') || Number.NaN)
  if (Number.isNaN(value)) throw new Error(`no figure '${column}' in ${JSON.stringify(cells)}`)
  return value
}
