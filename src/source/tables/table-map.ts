/**
 * Which column of a table is which field of a record; one with the name of a field needs no entry.
 * The file is YAML, or JSON, which is YAML too.
 */
import { readFile } from 'node:fs/promises'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { Refusal } from '../../problems.ts'
import { sourceFiles, tableNameOf } from '../source-files.ts'
import { fieldNamesOf, fieldOf, hintFor } from '../table-fields.ts'
import { dateOrders } from './cell-values.ts'

const columnName = z.string().min(1)
const texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])

const fieldSource = z.union(
  [
    columnName.transform((column) => ({ column })),
    z.strictObject({
      column: columnName,
      separator: z.string().min(1).optional(),
      missing: texts.optional(),
      dates: z.enum(dateOrders).optional(),
    }),
    z.strictObject({ columns: z.array(columnName).min(1) }),
    z.strictObject({ key: z.union([columnName, z.array(columnName).min(1)]) }),
    z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) }),
  ],
  'must be a column, {column, separator, missing, dates}, {columns}, {key: column} or {value}',
)

/**
 * A column and how its cells are read, the texts of columns with spaces between them, an SDU made
 * of the texts of columns, or one value for all rows.
 */
export type FieldSource = z.infer<typeof fieldSource>

export interface FieldMap {
  readonly encoding?: string | undefined
  readonly fields: ReadonlyMap<string, FieldSource>
}

/** By the name of the table: `authorities`, `connections`, … */
export type TableMap = ReadonlyMap<string, FieldMap>

const encoding = z.string().refine(isEncoding, 'is no encoding that is known, such as windows-1252')
const tableShape = z.object({ encoding: encoding.optional() }).catchall(fieldSource)
const mapSchema = z.record(z.string(), tableShape)

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name) !== undefined
  } catch {
    return false
  }
}

/** @throws Refusal `wrong-usage` naming the line or the entry that is wrong. */
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
  const map = new Map(
    Object.entries(read.data).map(([table, { encoding, ...fields }]) => [
      table,
      { encoding, fields: new Map(Object.entries(fields)) },
    ]),
  )
  for (const [table, { fields }] of map) checkFields(path, table, fields)
  return map
}

function checkFields(path: string, table: string, fields: FieldMap['fields']): void {
  const tables = sourceFiles.map(tableNameOf)
  const file = sourceFiles.find((file) => tableNameOf(file) === table)
  if (file === undefined) throw noSuch(path, `${table} is no table`, table, tables)
  for (const [name, source] of fields) {
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
  return new Refusal('wrong-usage', `${place}: ${fault}${hintFor(name, names, 'there are')}`)
}
