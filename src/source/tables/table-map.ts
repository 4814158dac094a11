/**
 * The map of a table: which column is which field of a record. A column with the name of a field needs no
 * entry. The file is YAML, or JSON, which is YAML too.
 */
import { readFile } from 'node:fs/promises'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { Refusal } from '../../problems.ts'
import { nearestOf } from '../../text/nearest.ts'
import { sourceFiles, tableNameOf } from '../source-files.ts'
import { fieldNamesOf, fieldOf } from './table-fields.ts'

const columnName = z.string().min(1)
const separator = z.string().min(1)

const fieldSource = z.union(
  [
    columnName.transform((column) => ({ column })),
    z.strictObject({ column: columnName, separator: separator.optional() }),
    z.strictObject({ key: z.union([columnName, z.array(columnName).min(1)]) }),
    z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) }),
  ],
  'must be a column, {column, separator}, {key: column} or {value}',
)

/** Source of a field: a column, an SDU made of the texts of columns, or one value for all rows. */
export type FieldSource = z.infer<typeof fieldSource>

/** Sources of fields, by the names of the fields. */
export type FieldMap = Readonly<Record<string, FieldSource>>

/** The maps of the tables of a source, by the name of the table: `authorities`, `connections`, … */
export type TableMap = Readonly<Partial<Record<string, FieldMap>>>

const mapSchema = z.record(z.string(), z.record(z.string(), fieldSource))

/**
 * Reads a map.
 * @throws Refusal `wrong-usage` naming the line or the entry that is wrong.
 */
export async function readTableMap(path: string): Promise<TableMap> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Refusal('wrong-usage', `${path} cannot be read: ${error.message}`)
  })
  let content: unknown
  try {
    content = parseYaml(text)
  } catch (error) {
    throw new Refusal('wrong-usage', `${path}: ${(error as Error).message.split('\n', 1)[0]}`)
  }
  const read = mapSchema.safeParse(content ?? {})
  if (!read.success) {
    const { path: place, message } = read.error.issues[0]!
    throw new Refusal('wrong-usage', `${path}: ${place.join(': ') || 'the map'}: ${message}`)
  }
  for (const [table, fields] of Object.entries(read.data)) checkFields(path, table, fields)
  return read.data
}

function checkFields(path: string, table: string, fields: FieldMap): void {
  const tables = sourceFiles.map(tableNameOf)
  const file = sourceFiles.find((file) => tableNameOf(file) === table)
  if (file === undefined) throw noSuch(path, `${table} is no table`, table, tables)
  for (const [name, source] of Object.entries(fields)) {
    if (fieldOf(file, name) === undefined) {
      throw noSuch(`${path}: ${table}`, `${name} is no field`, name, fieldNamesOf(file))
    }
    const isEnd = ['sdu', 'from', 'to'].includes(name)
    if ('key' in source && !isEnd) {
      throw new Refusal('wrong-usage', `${path}: ${table}: ${name}: only an SDU is made of a key`)
    }
  }
}

function noSuch(place: string, fault: string, name: string, names: readonly string[]): Refusal {
  const nearest = nearestOf(name, names)
  const hint = nearest === undefined ? `; there are ${names.join(', ')}` : `; is it ${nearest}?`
  return new Refusal('wrong-usage', `${place}: ${fault}${hint}`)
}
