/**
 * A table as lines of JSON: what is read, counted and digested of a table are the records that it makes, so
 * that equal records have one fingerprint in whatever form they lie.
 */
import { Refusal } from '../../problems.ts'
import { unreadableRecord } from '../source.ts'
import type { SourceFileName } from '../source-files.ts'
import type { FieldMap } from './table-map.ts'
import { CellFault, type RowReader, rowReader } from './table-records.ts'
import { isDamaged, type TableRow, type TableRows } from './table-rows.ts'

const chunkBytes = 1 << 18

/** First character of a line whose row is no record. No line of JSON begins with it. */
const faultMark = '!'

/** Why a row is no record, and the row as it is reported. */
export interface RowFault {
  /** The field that is wrong, or `line`. */
  readonly field: string
  readonly reason: string
  readonly text: string
}

/** The fault of a line's row; undefined for a record. */
export function rowFaultIn(line: string): RowFault | undefined {
  return line.startsWith(faultMark) ? JSON.parse(line.slice(faultMark.length)) : undefined
}

function faultLine(fault: RowFault): string {
  return faultMark + JSON.stringify(fault)
}

/**
 * The lines of a table, in chunks of some 256 KiB, one line for each row below the header.
 * @param place name of the table in messages.
 * @throws Refusal `source-unreadable`, `wrong-usage` where the columns do not fit.
 */
export async function* tableChunks(
  place: string,
  file: SourceFileName,
  rows: TableRows,
  map: FieldMap | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let lineOf: RowReader | undefined
  let lines: string[] = []
  let characters = 0
  for await (const piece of rows) {
    for (const row of piece) {
      if (lineOf === undefined) {
        lineOf = checkedReader(place, file, columnsIn(place, row), map)
        continue
      }
      const line = isDamaged(row) ? faultLine({ field: 'line', ...row }) : lineOf(row)
      lines.push(line)
      characters += line.length
      if (characters < chunkBytes) continue
      yield Buffer.from(`${lines.join('\n')}\n`)
      lines = []
      characters = 0
    }
  }
  if (lineOf === undefined) throw new Refusal('source-unreadable', `${place} is empty`)
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

/** The columns that a header names. @throws Refusal `source-unreadable` for a header that cannot be read. */
export function columnsIn(place: string, header: TableRow): readonly string[] {
  if (!isDamaged(header)) return header.map((name) => String(name).trim())
  throw new Refusal('source-unreadable', `${place}: the header ${header.reason}`)
}

/** Reads rows that are as long as the header; of any other the line says so. */
function checkedReader(
  place: string,
  file: SourceFileName,
  columns: readonly string[],
  map: FieldMap | undefined,
): RowReader {
  const read = rowReader(place, file, columns, map)
  return (cells) => {
    // A blank line or a note is no record, and counts where lines are counted.
    if (cells.every(isBlank) || isNote(cells, columns)) return ''
    const isFitting = cells.length === columns.length || isOnlyPadded(cells, columns.length)
    if (isFitting) return readOrFault(read, cells)
    const cellCount = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`
    const reason = `has ${cellCount} where the header has ${columns.length}`
    return faultLine({ field: 'line', reason, text: textOfRow(cells) })
  }
}

function readOrFault(read: RowReader, cells: readonly unknown[]): string {
  try {
    return read(cells)
  } catch (error) {
    const fault =
      error instanceof CellFault
        ? { field: error.field, reason: error.message }
        : { field: 'record', reason: unreadableRecord(error) }
    return faultLine({ ...fault, text: textOfRow(cells) })
  }
}

function textOfRow(cells: readonly unknown[]): string {
  return JSON.stringify(cells, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** A line that only says something about the table. */
function isNote(cells: readonly unknown[], columns: readonly string[]): boolean {
  const [first] = cells
  return (
    cells.length === 1 && columns.length > 1 && typeof first === 'string' && first.startsWith('#')
  )
}

function isBlank(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')
}

/** Programs that write tables may end rows with blank cells. */
function isOnlyPadded(cells: readonly unknown[], columns: number): boolean {
  return cells.length > columns && cells.slice(columns).every((cell) => cell === '')
}
