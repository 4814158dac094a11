/**
 * The connections of a Parquet file as DuckDB reads them. Nearly all are between two SDUs or handles in their usual
 * spelling: DuckDB proves that and writes their lines itself, some thousand in one text. Any other row comes as cells, in
 * its place. A line is the one that would be made of the cells.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectionKinds } from '../connection-kinds.ts'
import { scan, scanOf, scanParquet } from './parquet-scan.ts'
import type { ReadColumn, ReadingDatabase, ReadRows } from './reading-database.ts'
import { type OtherRow, ReadyLines } from './ready-lines.ts'

/** Rows as cells, or as lines. */
type Piece = ReadRows | ReadyLines

/** Fields of a connection, each in a column of its name. */
const fields = ['from', 'to', 'weight', 'kind'] as const
type Field = (typeof fields)[number]

const whole = /^U?(?:TINY|SMALL|BIG)?INT(?:EGER)?$/
const types: Readonly<Record<Field, (type: string) => boolean>> = {
  from: (type) => type === 'VARCHAR' || whole.test(type),
  to: (type) => type === 'VARCHAR' || whole.test(type),
  weight: (type) => type === 'DOUBLE' || type === 'FLOAT' || whole.test(type),
  kind: (type) => type === 'VARCHAR',
}

/**
 * Rows of one statement, whose lines DuckDB has in memory at once: two row groups of a file that DuckDB wrote, because a
 * statement decodes every row group that it has a row of.
 */
const rowsAtOnce = 2 * 122_880
/** Rows whose lines are one text. */
const rowsOfText = 1 << 12
/** Weights of a size that each type of numbers holds exactly. */
const weightMax = 1_000_000_000
/** Characters of a fraction of at most 15 digits: another fraction of as many is another number. */
const fractionCharactersMax = 16
/** Stands in the place of a row that comes as cells. */
const otherLine = '!\n'
const [otherMark, newline] = [0x21, 0x0a]

/** A handle as records spell it, without a character that JSON escapes, as a pattern of RE2. */
const usualHandle = String.raw`[a-z][a-z0-9_.-]*:[!#-\[\]-~]+`

/**
 * The first rows of a file, as `parquetScan` gives them, but for rows that are lines already.
 * @param columns of the file.
 * @throws Refusal `wrong-usage` where the package of DuckDB is missing.
 */
export function connectionScan(
  path: string,
  columns: readonly string[],
  memoryBytes: number,
): AsyncGenerator<Piece, void, undefined> {
  const isUsual = columns.every((column) => fields.some((field) => field === column))
  return scanParquet<Piece>(path, columns.length, memoryBytes, (database, place, found) =>
    isUsual && found.every(isPlain)
      ? readyPieces(database, place, found)
      : database.rows(scan, [place]),
  )
}

function isPlain({ name, type }: ReadColumn): boolean {
  return types[name as Field](type)
}

/** Rows of one statement. */
interface Part {
  readonly texts: readonly TextOfLines[]
  readonly others: ReadRows
  readonly isLast: boolean
}

async function* readyPieces(
  database: ReadingDatabase,
  place: string,
  columns: readonly ReadColumn[],
): AsyncGenerator<ReadyLines, void, undefined> {
  const members = columns.map(memberOf)
  // DuckDB reads the next rows while those before become connections.
  let next = ahead(partAt(database, place, members, 0))
  try {
    for (let start = rowsAtOnce, isMore = true; isMore; start += rowsAtOnce) {
      const { texts, others, isLast } = await next
      isMore = !isLast
      if (isMore) next = ahead(partAt(database, place, members, start))
      let read = 0
      for (const [text, otherRows, textRows] of texts) {
        yield readyLines(bytesIn(text), others.slice(read, read + otherRows), textRows)
        read += otherRows
        // Each step of a statement begins in a turn of the loop.
        await nextTurn()
      }
    }
  } finally {
    // The database is closed behind this.
    await next.catch(() => {})
  }
}

/** The same promise, whose failure may come before anybody waits for it. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function partAt(
  database: ReadingDatabase,
  place: string,
  members: readonly Member[],
  start: number,
): Promise<Part> {
  // DuckDB passes over the row groups before these numbers, because they stand in the statement.
  const rows = `${scanOf('file_row_number = true')}
    WHERE file_row_number >= ${start} AND file_row_number < ${start + rowsAtOnce}`
  const texts = (await all(database.rows(textsOf(rows, members), [place]))) as TextOfLines[]
  const hasOthers = texts.some(([, otherRows]) => otherRows > 0)
  const others = hasOthers ? await all(database.rows(othersOf(rows, members), [place])) : []
  const length = texts.reduce((sum, [, , textRows]) => sum + textRows, 0)
  return { texts, others, isLast: length < rowsAtOnce }
}

/** Lines, the number of marks of other rows among them, and of rows. */
type TextOfLines = readonly [lines: Uint8Array, otherRows: number, rows: number]

/** Statement of the texts of rows, as bytes: as a string a text would be decoded and encoded again. */
function textsOf(rows: string, members: readonly Member[]): string {
  const line = `concat('{', ${members.map(({ json }) => json).join(', ')}, '}\n')`
  return `SELECT encode(string_agg(line, '' ORDER BY file_row_number)), count(*) FILTER (NOT is_ready)::INTEGER, count(*)::INTEGER
    FROM (SELECT file_row_number, file_row_number // ${rowsOfText} AS text, ${isReady(members)} AS is_ready,
      if(is_ready, ${line}, '${otherLine}') AS line FROM (${rows}))
    GROUP BY text ORDER BY text`
}

/** Statement of the cells of other rows. */
function othersOf(rows: string, members: readonly Member[]): string {
  return `SELECT * EXCLUDE (file_row_number) FROM (${rows})
    WHERE NOT ${isReady(members)} ORDER BY file_row_number`
}

/** A column as a member of a line, in expressions of SQL. */
interface Member {
  /** Whether a cell is in its usual spelling, or missing where it may be. */
  readonly isUsual: string
  /** The member with its comma, NULL for a missing cell. */
  readonly json: string
}

function isReady(members: readonly Member[]): string {
  return `coalesce(${members.map(({ isUsual }) => isUsual).join(' AND ')}, false)`
}

function memberOf({ name, type }: ReadColumn, at: number, columns: readonly ReadColumn[]): Member {
  const cell = `"${name}"`
  const { isUsual, value } =
    name === 'kind' ? kindOf(cell) : name === 'weight' ? weightOf(cell, type) : endOf(cell, type)
  // Both ends are there, so that the comma of a member that may be missing is on the side of one.
  const firstEnd = columns.findIndex((each) => isEnd(each.name))
  const [before, behind] = [at > firstEnd ? ',' : '', at < firstEnd ? ',' : '']
  const isUsualOrNone = isEnd(name) ? isUsual : `(${cell} IS NULL OR ${isUsual})`
  return { isUsual: isUsualOrNone, json: `'${before}"${name}":' || ${value} || '${behind}'` }
}

function isEnd(name: string): boolean {
  return name === 'from' || name === 'to'
}

function kindOf(cell: string) {
  const kinds = connectionKinds.map((kind) => `'${kind}'`).join(', ')
  return { isUsual: `${cell} IN (${kinds})`, value: `'"' || ${cell} || '"'` }
}

function weightOf(cell: string, type: string) {
  const isFitting = `${cell} BETWEEN -${weightMax} AND ${weightMax}`
  if (whole.test(type)) return { isUsual: isFitting, value: `${cell}::VARCHAR` }
  const [text, integer] = [`${cell}::DOUBLE::VARCHAR`, `try_cast(${cell} AS INTEGER)`]
  const isWhole = `coalesce(${integer} = ${cell}, false)`
  const isShort = `strlen(${text}) <= ${fractionCharactersMax} AND NOT contains(${text}, 'e')`
  return {
    isUsual: `(${isFitting} AND (${isWhole} OR (${isShort})))`,
    value: `if(${isWhole}, ${integer}::VARCHAR, ${text})`,
  }
}

function endOf(cell: string, type: string) {
  const value = `'"' || ${cell}::VARCHAR || '"'`
  if (type !== 'VARCHAR') return { isUsual: `${cell} IS NOT NULL`, value }
  const isSdu = `coalesce(try_cast(${cell} AS UBIGINT)::VARCHAR = ${cell}, false)`
  // Only what is no SDU is compared with the pattern, which takes longer.
  const isHandle = `regexp_full_match(${cell}, '${usualHandle}')`
  return { isUsual: `CASE WHEN ${isSdu} THEN true ELSE ${isHandle} END`, value }
}

function bytesIn({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The lines without the marks of other rows, which stand between them. */
function readyLines(bytes: Buffer, cells: ReadRows, length: number): ReadyLines {
  const others: OtherRow[] = []
  let end = cells.length === 0 ? bytes.length : 0
  for (let start = end; start < bytes.length; ) {
    const lineEnd = bytes.indexOf(newline, start) + 1
    if (bytes[start] === otherMark) others.push({ at: end, cells: cells[others.length]! })
    else {
      bytes.copyWithin(end, start, lineEnd)
      end += lineEnd - start
    }
    start = lineEnd
  }
  return new ReadyLines(bytes.subarray(0, end), others, length)
}

async function all(rows: AsyncIterable<ReadRows>): Promise<ReadRows> {
  const found: (readonly unknown[])[] = []
  for await (const some of rows) found.push(...some)
  return found
}
