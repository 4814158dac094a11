/**
 * The statements that read tables of records in DuckDB. Names of columns are parts of them, in quotes; values never are.
 * A value of a type that has no reader comes as a text.
 */
import type { ReadColumn } from '../../duckdb/reading-database.ts'
import { numberFields, type RecordTable } from '../postgresql/record-tables.ts'
import { fieldNameOf } from '../tables/table-records.ts'

/** Statement of the names of the tables and views. */
export const tablesStatement = `
  SELECT table_name::VARCHAR AS name FROM information_schema.tables
  WHERE table_catalog = current_database() AND table_schema = 'main'`

/** Statement with the columns of a table and without its rows. */
export function columnsStatement({ name }: RecordTable): string {
  return `SELECT * FROM ${quoted(name)} LIMIT 0`
}

/** Statement of the number of rows. */
export function countStatement({ name }: RecordTable): string {
  return `SELECT count(*)::DOUBLE AS rows FROM ${quoted(name)}`
}

/**
 * Statement of the rows of a table: columns in the order of the fields, rows in the order of their keys, and rows of
 * the same keys in the order of everything else in them.
 * @param columns those that a field is read from.
 */
export function rowsStatement(table: RecordTable, columns: readonly ReadColumn[]) {
  const placeOf = ({ name }: ReadColumn) => {
    const place = table.fields.indexOf(fieldNameOf(name))
    return place < 0 ? table.fields.length : place
  }
  const inOrder = [...columns].sort((one, other) => placeOf(one) - placeOf(other))
  const header = inOrder.map(({ name }) => name)
  const keys = table.keys.flatMap((key) => {
    const column = header.find((name) => fieldNameOf(name) === key)
    if (column === undefined) return []
    const text = `${quoted(column)}::VARCHAR`
    return [numberFields.includes(key) ? `length(${text})` : `lower(${text})`, text]
  })
  const order = [...keys, ...inOrder.map((_, place) => place + 1)].join(', ')
  const cells = inOrder.map(cellOf).join(', ')
  const statement = `SELECT ${cells} FROM ${quoted(table.name)} ORDER BY ${order}`
  return { header, statement }
}

/** A column under its own name. JSON is a text that DuckDB has a name of its own for; other types are written as it. */
function cellOf({ name, isReadable, isNested }: ReadColumn): string {
  if (isReadable) return quoted(name)
  const text = isNested ? `to_json(${quoted(name)})::VARCHAR` : `${quoted(name)}::VARCHAR`
  return `${text} AS ${quoted(name)}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
