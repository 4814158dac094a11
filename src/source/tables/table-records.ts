/** Rows of a table → records, as lines of JSON have them: which columns make which fields. */
import { createHash } from 'node:crypto'
import { Refusal } from '../../problems.ts'
import { neededFields, type SourceFileName } from '../source-files.ts'
import { fieldOf, hintFor, type TableField } from '../table-fields.ts'
import { ambiguousList, type CellOptions, cellValue, plainJson } from './cell-values.ts'
import type { FieldMap, FieldSource } from './table-map.ts'

interface FieldReader extends TableField {
  readonly read: (cells: readonly unknown[]) => unknown
}

export interface TableColumns {
  readonly columns: readonly string[]
  /** Columns that no field is read from. */
  readonly unread: readonly string[]
  /** Needed fields that no column is. */
  readonly missing: readonly string[]
  readonly mapped: ReadonlySet<string>
  readonly recordOf: (cells: readonly unknown[]) => object
}

/** @throws Refusal `wrong-usage` for a column of the map that the table has not. */
export function tableColumns(
  place: string,
  file: SourceFileName,
  columns: readonly string[],
  map?: FieldMap,
): TableColumns {
  const read = new Set<string>()
  const sources = [...(map?.fields ?? [])]
  const fields = sources.map(([name, source]): FieldReader => {
    const field = fieldOf(file, name)!
    for (const column of columnsOf(source)) {
      read.add(column)
      if (columns.includes(column)) continue
      const hint = hintFor(column, columns, 'it has')
      throw new Refusal('wrong-usage', `${place} has no column ${column} for ${name}${hint}`)
    }
    return { ...field, read: reading(name, field, source, columns) }
  })
  const mapped = new Set(fields.map(({ path }) => path.join('.')))
  for (const column of columns) {
    const name = fieldNameOf(column)
    const field = fieldOf(file, name)
    if (field === undefined || mapped.has(field.path.join('.'))) continue
    mapped.add(field.path.join('.'))
    read.add(column)
    fields.push({ ...field, read: reading(name, field, { column }, columns) })
  }
  const twice = columns.find((column, index) => read.has(column) && columns.indexOf(column) < index)
  if (twice !== undefined) {
    throw new Refusal('source-unreadable', `${place} has two columns called ${twice}`)
  }
  return {
    columns,
    unread: columns.filter((column) => !read.has(column)),
    missing: neededFields[file].filter((name) => !mapped.has(name)),
    mapped,
    recordOf: (cells) => recordOf(fields, cells),
  }
}

function recordOf(fields: readonly FieldReader[], cells: readonly unknown[]): object {
  const record = newObject()
  for (const { path, read } of fields) {
    const value = read(cells)
    if (value !== undefined) put(record, path, plainJson(value))
  }
  dropSocialsWithoutHandle(record)
  return record
}

/** `Country Name` and `country_name` are one. */
function fieldNameOf(column: string): string {
  return column.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

function columnsOf(source: FieldSource): readonly string[] {
  if ('column' in source) return [source.column]
  if ('columns' in source) return source.columns
  return 'key' in source ? [source.key].flat() : []
}

export class CellFault extends Error {
  readonly field: string

  constructor(field: string, reason: string) {
    super(reason)
    this.field = field
  }
}

function reading(
  name: string,
  { type }: TableField,
  source: FieldSource,
  columns: readonly string[],
): FieldReader['read'] {
  const where = name === 'name' ? name : name === 'country_name' ? 'country' : 'field'
  if ('value' in source) return () => cellValue(source.value, type, { where })
  const places = columnsOf(source).map((column) => columns.indexOf(column))
  if ('key' in source) return (cells) => sduOfKey(places.map((place) => cells[place]))
  if ('columns' in source) {
    const textsOf = (cells: readonly unknown[]) =>
      places.map((place) => cellValue(cells[place], 'text', { where }) ?? '')
    return (cells) => cellValue(textsOf(cells).join(' '), type, { where })
  }
  const [place] = places
  const options: CellOptions = { ...source, where }
  return (cells) => {
    const value = cellValue(cells[place!], type, options)
    if (value !== ambiguousList) return value
    const map = `${name}: { column: ${source.column}, separator: "," }`
    throw new CellFault(
      name,
      `may be one item or several in the column ${source.column}: say in --map what parts them, as \`${map}\``,
    )
  }
}

/**
 * 64 bits of the SHA-256 of the texts, as a decimal number. Two of a million people have the same
 * with a chance of 3 in 10⁸; the second is rejected. Undefined where a text is blank.
 */
function sduOfKey(keys: readonly unknown[]): string | undefined {
  const texts = keys.map((key) => textOfKey(key).trim())
  if (texts.includes('')) return undefined
  return createHash('sha256').update(texts.join('\0')).digest().readBigUInt64BE().toString()
}

/** Blank where it says nothing, or is a number that may stand for another one. */
function textOfKey(key: unknown): string {
  const value = cellValue(key, 'text')
  return typeof value === 'string' ? value : ''
}

/** Without a prototype: a column may be called `socials.__proto__`. */
function newObject(): Record<string, unknown> {
  return Object.create(null)
}

function put(record: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = record
  for (const name of path.slice(0, -1)) {
    // A cell of JSON may stand where other columns have members.
    const there = Object.hasOwn(inner, name) ? inner[name] : undefined
    const next = typeof there === 'object' && there !== null ? there : newObject()
    inner[name] = next
    inner = next as Record<string, unknown>
  }
  inner[path.at(-1)!] = value
}

/** A social without a handle says nothing, whatever its other columns hold. */
function dropSocialsWithoutHandle({ socials }: Record<string, unknown>): void {
  if (typeof socials !== 'object' || socials === null) return
  const byPlatform = socials as Record<string, unknown>
  for (const [platform, social] of Object.entries(byPlatform)) {
    const isObject = typeof social === 'object' && social !== null
    if (isObject && !Object.hasOwn(social, 'handle')) delete byPlatform[platform]
  }
}

export function noField(place: string, field: string, columns: readonly string[]): Refusal {
  const example = field === 'sdu' ? '{ key: COLUMN }' : 'COLUMN'
  const has = `it has ${columns.join(', ')}`
  const hint = `say in --map which it is, as \`${field}: ${example}\`; \`sync --check\` proposes a map`
  return new Refusal('source-unreadable', `${place} has no column ${field}; ${hint}; ${has}`)
}
