/**
 * The connections of a Parquet file as DuckDB reads them. Nearly all are between two SDUs in their usual spelling: DuckDB
 * proves that, and their lines are written here of numbers, without a text for each cell. Any other row comes as cells,
 * in its place. A line is the one that would be made of the cells.
 */
import { connectionKinds } from '../connection-kinds.ts'
import { writeDigits, writeWhole } from '../memory/digits.ts'
import { scan, scanParquet } from './parquet-scan.ts'
import type { Chunk, ReadColumn, ReadingDatabase } from './reading-database.ts'
import { type OtherRow, ReadyLines } from './ready-lines.ts'

/** Rows as cells, or as lines. */
type Piece = readonly (readonly unknown[])[] | ReadyLines

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

/** SDUs are halved here, so that each half is a whole number of 31 bits. One of more than 18 digits comes as a cell. */
const half = 1_000_000_000
const halfDigits = 9
/** Weights of a size that each type of numbers holds exactly. */
const weightMax = 1_000_000_000
/** In the place of a weight where there is none. */
const noWeight = -(2 ** 31)
/** More than any line takes. */
const lineBytesMax = 256
const [openingBrace, closingBrace, comma, quote, newline] = [0x7b, 0x7d, 0x2c, 0x22, 0x0a]

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
      ? plainPieces(database, place, found)
      : database.rows(scan, [place]),
  )
}

async function* plainPieces(
  database: ReadingDatabase,
  place: string,
  columns: readonly ReadColumn[],
): AsyncGenerator<Piece, void, undefined> {
  const lines = new Lines(columns.map(({ name }) => name as Field))
  for await (const chunk of database.chunks(statementOf(columns), [place])) yield lines.of(chunk)
}

function isPlain({ name, type }: ReadColumn): boolean {
  return types[name as Field](type)
}

/** The cells of a row, then whether it is plain, the halves of both SDUs, its weight and the number of its kind. */
function statementOf(columns: readonly ReadColumn[]): string {
  const has = (field: Field) => columns.some(({ name }) => name === field)
  const isUsual = (field: Field) =>
    `coalesce(${field}_sdu < ${half}::UBIGINT * ${half} AND ${field}_sdu::VARCHAR = "${field}"::VARCHAR, false)`
  const weight = has('weight') ? '"weight"' : 'NULL'
  const kinds = connectionKinds.map((kind) => `'${kind}'`).join(', ')
  const kind = has('kind') ? `list_position([${kinds}], "kind")` : 'NULL'
  const isKind = has('kind') ? `("kind" IS NULL OR ${kind} IS NOT NULL)` : 'true'
  const isWeight = `(${weight} IS NULL OR ${weight} BETWEEN -${weightMax} AND ${weightMax})`
  const isPlainRow = [isUsual('from'), isUsual('to'), isWeight, isKind].join(' AND ')
  // A vector that holds a NULL is read several times as slowly, all of it.
  const numberOr = (none: string | number, value: string) =>
    `coalesce(try_cast(${value} AS INTEGER), ${none})`
  const halves = (field: Field) =>
    `${numberOr(0, `${field}_sdu // ${half}`)}, ${numberOr(0, `${field}_sdu % ${half}`)}`
  const isWhole = columns.some(({ name, type }) => name === 'weight' && whole.test(type))
  const number = isWhole ? numberOr(noWeight, weight) : `coalesce(${weight}::DOUBLE, ${noWeight})`
  return `SELECT * EXCLUDE (from_sdu, to_sdu), ${isPlainRow}, ${halves('from')}, ${halves('to')}, ${number},
      coalesce(${kind}, 0)::UTINYINT
    FROM (SELECT *, try_cast("from" AS UBIGINT) AS from_sdu, try_cast("to" AS UBIGINT) AS to_sdu FROM (${scan}))`
}

/** Numbers of a plain row, in the places of their columns. */
const numbers = { fromHigh: 1, fromLow: 2, toHigh: 3, toLow: 4, weight: 5, kind: 6 } as const

/** Writes lines of rows that are plain. */
class Lines {
  readonly #columns: number
  readonly #fields: readonly Field[]
  readonly #names: readonly Buffer[]
  readonly #kinds = connectionKinds.map((kind) => Buffer.from(`"${kind}"`))
  #bytes = Buffer.allocUnsafe(0)
  #end = 0

  constructor(columns: readonly Field[]) {
    this.#columns = columns.length
    this.#fields = columns
    this.#names = columns.map((field) => Buffer.from(`"${field}":`))
  }

  /** The rows of a chunk. */
  of({ rowCount, cells }: Chunk): ReadyLines {
    const own = cells.slice(0, this.#columns)
    const read = cells.slice(this.#columns) as ((row: number) => number)[]
    const isPlainRow = cells[this.#columns]!
    const others: OtherRow[] = []
    this.#bytes = Buffer.allocUnsafe(rowCount * lineBytesMax)
    this.#end = 0
    for (let row = 0; row < rowCount; row += 1) {
      if (isPlainRow(row) === true) this.#write(read, row)
      else others.push({ at: this.#end, cells: own.map((cell) => cell(row)) })
    }
    return new ReadyLines(this.#bytes.subarray(0, this.#end), others, rowCount)
  }

  #write(read: readonly ((row: number) => number)[], row: number): void {
    let separator = openingBrace
    for (let place = 0; place < this.#columns; place += 1) {
      const field = this.#fields[place]!
      const number = field === 'weight' || field === 'kind' ? read[numbers[field]]!(row) : 0
      if (number === noWeight || (field === 'kind' && number === 0)) continue
      this.#bytes[this.#end++] = separator
      separator = comma
      this.#copy(this.#names[place]!)
      if (field === 'from') this.#sdu(read[numbers.fromHigh]!(row), read[numbers.fromLow]!(row))
      else if (field === 'to') this.#sdu(read[numbers.toHigh]!(row), read[numbers.toLow]!(row))
      else if (field === 'kind') this.#copy(this.#kinds[number - 1]!)
      else this.#number(number)
    }
    this.#bytes[this.#end++] = closingBrace
    this.#bytes[this.#end++] = newline
  }

  #copy(bytes: Buffer): void {
    // They are short: a call of `set` takes longer.
    for (let at = 0; at < bytes.length; at += 1) this.#bytes[this.#end++] = bytes[at]!
  }

  #number(number: number): void {
    if (Number.isInteger(number) && number >= 0) this.#whole(number)
    else this.#end += this.#bytes.write(JSON.stringify(number), this.#end, 'latin1')
  }

  #sdu(high: number, low: number): void {
    this.#bytes[this.#end++] = quote
    if (high === 0) this.#whole(low)
    else {
      this.#whole(high)
      this.#end += halfDigits
      writeDigits(this.#bytes, this.#end, halfDigits, low)
    }
    this.#bytes[this.#end++] = quote
  }

  #whole(number: number): void {
    this.#end = writeWhole(this.#bytes, this.#end, number)
  }
}
