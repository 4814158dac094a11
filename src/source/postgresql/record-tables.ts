/**
 * The tables of a database that hold records, and the queries that read them: a row becomes the line
 * of JSON that it would be in a file, its columns in the order of the fields, and the rows have one
 * order, so that the same rows are the same lines in every database. A view is as good as a table.
 */
import { limits } from '../../limits.ts'
import { neededFields, type SourceFileName, tableNameOf } from '../source-files.ts'
import { fieldNamesOf } from '../tables/table-fields.ts'

/** A table of records. */
export interface RecordTable {
  readonly name: string
  /** The file whose lines its rows would be. */
  readonly file: SourceFileName
  /** Columns that are read where they are there, named as the fields; any other is ignored. */
  readonly fields: readonly string[]
  /** Those that have to be there. */
  readonly needed: readonly string[]
  /** The fields that name a row, and by which rows are put in order. */
  readonly keys: readonly string[]
}

/** The fields that name a row of each table, by the file whose lines its rows would be. */
const keyFields = {
  'authorities.ndjson': ['sdu'],
  'connections.ndjson': ['from', 'to', 'kind'],
  'topics.ndjson': ['topic'],
  // The last correction of a field counts.
  'corrections.ndjson': ['date', 'sdu'],
} as const satisfies Record<SourceFileName, readonly string[]>

/** Every table; only that of the authorities has to be there. */
export const recordTables: readonly RecordTable[] = Object.entries(keyFields).map(
  ([name, keys]) => {
    const file = name as SourceFileName
    return {
      name: tableNameOf(file),
      file,
      fields: fieldNamesOf(file),
      needed: neededFields[file],
      keys,
    }
  },
)

/** An SDU may be a number in its table. In a record it is a text, ordered as a number. */
const numberFields = ['sdu', 'from', 'to']

/** The query of the lines of a table that has these columns, in their order. */
export function linesQuery(table: RecordTable, columns: readonly string[]): string {
  const fields = table.fields
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

/** Tells where a row stands from its line: `connections[from=1,to=twitter:ann,kind=follows]`. */
export function positionsIn({ name, keys, needed }: RecordTable): (line: string) => string {
  const shapes = keys.map((key) => ({
    key,
    shape: new RegExp(`[{,]"${key}":"((?:[^"\\\\]|\\\\.)*)"`),
  }))
  return (line) => {
    const named = shapes.flatMap(({ key, shape }) => {
      const text = shape.exec(line)?.[1]?.slice(0, keyCharactersMax)
      return text === undefined && !needed.includes(key) ? [] : [`${key}=${text ?? ''}`]
    })
    return `${name}[${named.join(',')}]`
  }
}

/** The longest text of a key in a position. */
const keyCharactersMax = 100
