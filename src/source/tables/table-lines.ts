/**
 * A table as lines of JSON: what is read, counted and digested of a table are the records that it makes, so
 * that equal records have one fingerprint in whatever form they lie.
 */
import { ReadyLines } from '../../duckdb/ready-lines.ts'
import { Refusal } from '../../problems.ts'
import type { SourceFileName } from '../source-files.ts'
import type { FieldMap } from './table-map.ts'
import { type RowReader, rowReader } from './table-records.ts'
import type { TablePieces } from './table-rows.ts'

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
  rows: TablePieces,
  map: FieldMap | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let lineOf: RowReader | undefined
  const lines = new GatheredLines()
  for await (const piece of rows) {
    if (piece instanceof ReadyLines) {
      lines.addReady(piece, lineOf!)
      if (lines.isFull) yield lines.taken()
      continue
    }
    for (const row of piece) {
      if (lineOf === undefined) {
        lineOf = checkedReader(place, file, row.map(String), map)
        continue
      }
      lines.add(lineOf(row))
      if (lines.isFull) yield lines.taken()
    }
  }
  if (lineOf === undefined) throw new Refusal('source-unreadable', `${place} is empty`)
  const last = lines.taken()
  if (last.length > 0) yield last
}

/** Lines on their way into one chunk. */
class GatheredLines {
  #chunks: Buffer[] = []
  #lines: string[] = []
  #length = 0

  get isFull(): boolean {
    return this.#length >= chunkBytes
  }

  add(line: string): void {
    this.#lines.push(line)
    this.#length += line.length
  }

  addReady({ bytes, others }: ReadyLines, lineOf: RowReader): void {
    let start = 0
    for (const { at, cells } of others) {
      this.#addBytes(bytes.subarray(start, at))
      this.add(lineOf(cells))
      start = at
    }
    this.#addBytes(bytes.subarray(start))
  }

  #addBytes(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#endLines()
    this.#chunks.push(bytes)
    this.#length += bytes.length
  }

  /** The lines since the last call, each with its end. */
  taken(): Buffer {
    this.#endLines()
    const chunk = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#length = 0
    return chunk
  }

  #endLines(): void {
    if (this.#lines.length === 0) return
    this.#chunks.push(Buffer.from(`${this.#lines.join('\n')}\n`))
    this.#lines = []
  }
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
