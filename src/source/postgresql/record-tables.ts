/**
 * The tables or views of a database that hold records: a row becomes the line of JSON that it would
 * be in a file. Fields and rows have one order, so that the same rows are the same lines in every
 * database.
 */
import { limits } from '../../limits.ts'
import { neededFields, type SourceFileName, tableNameOf } from '../source-files.ts'
import { fieldNamesOf } from '../table-fields.ts'

export interface RecordTable {
  readonly name: string
  readonly file: SourceFileName
  /** They name a row, and rows are ordered by them. */
  readonly keys: readonly string[]
}

export const recordTables: readonly RecordTable[] = [
  tableOf('authorities.ndjson', ['sdu']),
  tableOf('connections.ndjson', ['from', 'to', 'kind']),
  tableOf('topics.ndjson', ['topic']),
  // The last correction of a field counts.
  tableOf('corrections.ndjson', ['date', 'sdu']),
]

function tableOf(file: SourceFileName, keys: readonly string[]): RecordTable {
  return { name: tableNameOf(file), file, keys }
}

/** An SDU may be a number in its table. In a record it is a text, ordered as a number. */
const numberFields = ['sdu', 'from', 'to']

export function linesQuery(table: RecordTable, columns: readonly string[]): string {
  const fields = fieldNamesOf(table.file)
    .filter((field) => columns.includes(field))
    .map((field) =>
      numberFields.includes(field) ? `"${field}"::text AS "${field}"` : `"${field}"`,
    )
  const keys = table.keys.filter((key) => columns.includes(key))
  const named = keys.map((key) => `"${key}"::text COLLATE "C" AS "${key}"`)
  const order = keys.map((key) =>
    numberFields.includes(key) ? `length("${key}"), "${key}"` : `lower("${key}"), "${key}"`,
  )
  // A value of type json is given as it is written; a line end in it stands outside its texts. A line
  // that is too long is rejected, whatever is behind it.
  return `SELECT left(line, ${limits.lineBytesMax + 1}) FROM (
    SELECT ${named.join(', ')}, translate(row_to_json(r)::text, E'\\n\\r', '  ') COLLATE "C" AS line
    FROM (SELECT ${fields.join(', ')} FROM "${table.name}") r
  ) l ORDER BY ${order.join(', ')}, line`
}

/** `connections[from=1,to=twitter:ann,kind=follows]`, read from its line. */
export function positionsIn({ name, file, keys }: RecordTable): (line: string) => string {
  const shapes = keys.map((key) => ({
    key,
    shape: new RegExp(`[{,]"${key}":"((?:[^"\\\\]|\\\\.)*)"`),
  }))
  return (line) => {
    const named = shapes.flatMap(({ key, shape }) => {
      const text = shape.exec(line)?.[1]?.slice(0, keyCharactersMax)
      return text === undefined && !neededFields[file].includes(key) ? [] : [`${key}=${text ?? ''}`]
    })
    return `${name}[${named.join(',')}]`
  }
}

const keyCharactersMax = 100
