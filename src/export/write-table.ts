/** Tables into files, each whole or not at all: written under another name and renamed at its end. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParquetWriter } from 'hyparquet-writer'
import type { ColumnType, ExportColumn, ExportTable } from './tables.ts'

export const exportFormats = ['ndjson', 'csv', 'parquet'] as const

export type ExportFormat = (typeof exportFormats)[number]

/** Number of rows that are written at once; of Parquet a row group. */
const rowsAtOnce = 20_000

/** Takes pieces of a table; `end` writes what belongs behind the last. */
interface TableSink {
  readonly write: (rows: readonly (readonly unknown[])[]) => void
  readonly end: () => void
}

/** Writes `DIR/NAME.FORMAT`, over an earlier file; after an error nothing is left behind. */
export async function writeTable(
  directory: string,
  table: ExportTable,
  format: ExportFormat,
  onProgress: (rows: number) => void,
): Promise<{ path: string; rows: number }> {
  const path = join(directory, `${table.name}.${format}`)
  const temporary = `${path}.${process.pid}.tmp`
  const descriptor = openSync(temporary, 'w')
  let count = 0
  try {
    const sink = await sinks[format](table.columns, (bytes) => writeFileSync(descriptor, bytes))
    for (const rows of piecesOf(table.rows)) {
      sink.write(rows)
      count += rows.length
      onProgress(count)
      // A signal is heard between two pieces.
      await new Promise(setImmediate)
    }
    sink.end()
    fsyncSync(descriptor)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  return { path, rows: count }
}

type WriteBytes = (bytes: Uint8Array) => void

const sinks: Readonly<
  Record<
    ExportFormat,
    (columns: readonly ExportColumn[], write: WriteBytes) => TableSink | Promise<TableSink>
  >
> = {
  ndjson: (columns, write) => ({
    write: (rows) =>
      write(Buffer.from(rows.map((row) => `${objectText(columns, row)}\n`).join(''))),
    end: () => {},
  }),
  csv: (columns, write) => {
    write(Buffer.from(csvText([columns.map(({ name }) => name)])))
    return { write: (rows) => write(Buffer.from(csvText(rows))), end: () => {} }
  },
  parquet: parquetSink,
}

/** Cells that say nothing are left out. */
function objectText(columns: readonly ExportColumn[], row: readonly unknown[]): string {
  const members = columns.flatMap(({ name }, index) => {
    const cell = row[index] ?? null
    return cell === null ? [] : [[name, cell]]
  })
  return JSON.stringify(Object.fromEntries(members))
}

export function csvText(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join()}\r\n`).join('')
}

/** What a spreadsheet would run as a formula, but for numbers. */
const formula = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/

/** A cell in the form of RFC 4180; a text that a spreadsheet would run begins with an apostrophe. */
function csvCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  const plain = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  const text = typeof cell === 'string' && formula.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const parquetTypes = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
} as const

async function parquetSink(
  columns: readonly ExportColumn[],
  write: WriteBytes,
): Promise<TableSink> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  const fields = columns.map(({ name, type }) => ({
    ...{ name, ...parquetTypes[type] },
    repetition_type: 'OPTIONAL' as const,
  }))
  const schema = [{ name: 'root', num_children: fields.length }, ...fields]
  const writer: ParquetWriter = new ParquetWriter({ writer: bytes, schema })
  const flush = () => {
    write(new Uint8Array(bytes.buffer, 0, bytes.index))
    bytes.index = 0
  }
  return {
    write: (rows) => {
      const columnData = columns.map(({ name, type }, index) => ({
        name,
        data: rows.map((row) => parquetCell(row[index] ?? null, type)),
      }))
      writer.write({ columnData, rowGroupSize: rowsAtOnce })
      flush()
    },
    end: () => {
      writer.finish()
      flush()
    },
  }
}

function parquetCell(cell: unknown, type: ColumnType): unknown {
  return type === 'integer' && cell !== null ? BigInt(cell as number) : cell
}

/** At least one piece, so that a table without rows is a file with columns. */
function* piecesOf(
  rows: Iterable<readonly unknown[]>,
): Generator<readonly (readonly unknown[])[], void> {
  let piece: (readonly unknown[])[] = []
  for (const row of rows) {
    piece.push(row)
    if (piece.length < rowsAtOnce) continue
    yield piece
    piece = []
  }
  yield piece
}
