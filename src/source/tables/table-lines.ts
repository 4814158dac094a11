/**
 * A table as lines of JSON: what is read, counted and digested of a table are the records that it makes, so
 * that equal records have one fingerprint in whatever form they lie.
 */
import { Refusal } from '../../problems.ts'
import type { SourceFileName } from '../source-files.ts'
import type { FieldMap } from './table-map.ts'
import { type RowReader, rowReader } from './table-records.ts'
import type { TableRows } from './table-rows.ts'

const chunkBytes = 1 << 18

/** First character of a line whose row is no record. No line of JSON begins with it. */
const faultMark = '!'

/** Why a row is no record, and the row as JSON. */
export interface RowFault {
  readonly reason: string
  readonly text: string
}

/** The fault of a line's row, and the row as JSON; undefined for a record. */
export function rowFaultIn(line: string): RowFault | undefined {
  if (!line.startsWith(faultMark)) return undefined
  const [reason, row] = [line.slice(faultMark.length, line.indexOf(': ')), line.indexOf(': ') + 2]
  return { reason, text: line.slice(row) }
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
        lineOf = checkedReader(place, file, row.map(String), map)
        continue
      }
      const line = lineOf(row)
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

/** Reads rows that are as long as the header; of any other the line says so. */
function checkedReader(
  place: string,
  file: SourceFileName,
  columns: readonly string[],
  map: FieldMap | undefined,
): RowReader {
  const twice = columns.find((column, index) => column !== '' && columns.indexOf(column) < index)
  if (twice !== undefined) {
    throw new Refusal('source-unreadable', `${place} has two columns called ${twice}`)
  }
  const read = rowReader(place, file, columns, map)
  return (cells) => {
    // A blank line is no record, and counts where lines are counted.
    if (cells.every(isBlank)) return ''
    const isFitting = cells.length === columns.length || isOnlyPadded(cells, columns.length)
    if (isFitting) return read(cells)
    const cellCount = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`
    const fault = `has ${cellCount} where the header has ${columns.length}`
    return `${faultMark}${fault}: ${JSON.stringify(cells)}`
  }
}

function isBlank(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')
}

/** Programs that write tables may end rows with blank cells. */
function isOnlyPadded(cells: readonly unknown[], columns: number): boolean {
  return cells.length > columns && cells.slice(columns).every((cell) => cell === '')
}
