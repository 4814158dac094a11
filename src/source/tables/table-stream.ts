/**
 * A table as a stream of records, digested as lines of JSON, so that equal records have one
 * fingerprint in whatever form they lie.
 */
import { limits } from '../../limits.ts'
import { Refusal } from '../../problems.ts'
import type { PlainRecord, RecordFault, RecordStream } from '../plain-records.ts'
import { type OnProgress, unreadableRecord } from '../source.ts'
import type { SourceFileName } from '../source-files.ts'
import type { FieldMap } from './table-map.ts'
import { CellFault, noField, tableColumns } from './table-records.ts'
import { isDamaged, type TableRow, type TableRows } from './table-rows.ts'

/** Before what is digested of a row that is no record: no line of JSON begins with it. */
const faultMark = '!'

interface Table {
  readonly path: string
  readonly place: string
  readonly file: SourceFileName
  readonly map: FieldMap | undefined
  readonly rows: (onProgress: OnProgress | undefined) => TableRows
}

/** One for each row below the header that is not blank. */
export function recordsOfTable({ path, place, file, map, rows }: Table): RecordStream {
  return {
    positionOf: ({ number }) => `${place} row ${number}`,
    read: async function* ({ visit, onProgress, hash, isWanted }) {
      let recordOf: RowRecordReader | undefined
      let number = 0
      for await (const piece of rows(onProgress)) {
        const digested: string[] = []
        for (const row of piece) {
          if (recordOf === undefined) {
            recordOf = rowRecordReader(path, file, columnsIn(path, row), map)
            continue
          }
          number += 1
          const record = recordOf(number, row)
          digested.push(record === undefined ? '' : digestedText(record))
          if (record !== undefined && isWanted?.(number) !== false) visit?.(record)
        }
        if (digested.length > 0) hash?.update(`${digested.join('\n')}\n`)
        yield
      }
      if (recordOf === undefined) throw new Refusal('source-unreadable', `${path} is empty`)
    },
  }
}

function digestedText({ text, fault }: PlainRecord): string {
  return fault === undefined || fault === tooLong
    ? text
    : faultMark + JSON.stringify({ ...fault, text })
}

export function columnsIn(place: string, header: TableRow): readonly string[] {
  if (!isDamaged(header)) return header.map((name) => String(name).trim())
  throw new Refusal('source-unreadable', `${place}: the header ${header.reason}`)
}

type RowRecordReader = (number: number, row: TableRow) => PlainRecord | undefined

const tooLong: RecordFault = { field: 'line', reason: 'is too long' }

/** A row of another length than the header is a fault; a blank row or a note is nothing. */
function rowRecordReader(
  path: string,
  file: SourceFileName,
  columns: readonly string[],
  map: FieldMap | undefined,
): RowRecordReader {
  const { missing, recordOf } = tableColumns(path, file, columns, map)
  if (missing[0] !== undefined) throw noField(path, missing[0], columns)
  return (number, row) => {
    const lost = (text: string, fault: RecordFault) => ({ number, text, value: undefined, fault })
    if (isDamaged(row)) return lost(row.text, { field: 'line', reason: row.reason })
    if (row.every(isBlank) || isNote(row, columns)) return undefined
    if (row.length !== columns.length && !isOnlyPadded(row, columns.length)) {
      const cellCount = `${row.length} ${row.length === 1 ? 'cell' : 'cells'}`
      const reason = `has ${cellCount} where the header has ${columns.length}`
      return lost(textOfRow(row), { field: 'line', reason })
    }
    let value: object
    try {
      value = recordOf(row)
    } catch (error) {
      const fault =
        error instanceof CellFault
          ? { field: error.field, reason: error.message }
          : { field: 'record', reason: unreadableRecord(error) }
      return lost(textOfRow(row), fault)
    }
    const text = JSON.stringify(value)
    return Buffer.byteLength(text) > limits.lineBytesMax
      ? lost(text, tooLong)
      : { number, text, value }
  }
}

function textOfRow(cells: readonly unknown[]): string {
  return JSON.stringify(cells, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

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
