/**
 * The fields that a column of a table may be, by the file whose records it makes, and how the value of
 * a cell becomes one. A value that is of no use as one stays as it is: the schema of records says what is wrong.
 */
import type { SourceFileName } from '../source-files.ts'

/** What a field holds; a `list` is a text with separators, or a list already. */
export type FieldType = 'text' | 'number' | 'boolean' | 'list' | 'json'

const proofFields = { verified_by: 'text', verified_at: 'text' } as const

/** Fields of a fixed name. */
const fixedFields: Readonly<Record<SourceFileName, Readonly<Record<string, FieldType>>>> = {
  'authorities.ndjson': {
    sdu: 'text',
    name: 'text',
    also_known_as: 'list',
    bio: 'text',
    country_name: 'text',
    topics: 'list',
    socials: 'json',
    website: 'text',
    verified: 'boolean',
    ...proofFields,
    authority_score: 'number',
    identifiers: 'json',
    attributes: 'json',
    source: 'text',
    licence: 'text',
    updated_at: 'text',
  },
  'connections.ndjson': {
    from: 'text',
    to: 'text',
    weight: 'number',
    kind: 'text',
    source: 'text',
  },
  'corrections.ndjson': { sdu: 'text', set: 'json', source: 'text', date: 'text' },
  'topics.ndjson': { topic: 'text', aliases: 'list', broader: 'list' },
}

const socialFields: Readonly<Record<string, FieldType>> = {
  handle: 'text',
  followers: 'number',
  verified: 'boolean',
  ...proofFields,
}

/** A field inside a record: `socials.github.followers` is `['socials', 'github', 'followers']`. */
export interface TableField {
  readonly path: readonly string[]
  readonly type: FieldType
}

/** The names of the fields of a file, in the order in which a line has them. */
export function fieldNamesOf(file: SourceFileName): readonly string[] {
  return Object.keys(fixedFields[file])
}

/**
 * The field of a name, as `name`, `socials.github` (its handle), `socials.github.followers`,
 * `identifiers.orcid` or `attributes.party`; undefined for what no record has.
 */
export function fieldOf(file: SourceFileName, name: string): TableField | undefined {
  const [first = '', second, third, ...rest] = name.split('.')
  if (Object.hasOwn(fixedFields[file], first) && second === undefined) {
    return { path: [first], type: fixedFields[file][first]! }
  }
  if (file !== 'authorities.ndjson' || !second || rest.length > 0) return undefined
  if (first === 'socials') {
    const member = third ?? 'handle'
    if (!Object.hasOwn(socialFields, member)) return undefined
    return { path: [first, second, member], type: socialFields[member]! }
  }
  if (third !== undefined) return undefined
  if (first === 'identifiers') return { path: [first, second], type: 'text' }
  return first === 'attributes' ? { path: [first, second], type: 'list' } : undefined
}

const usualSeparators = /[;|]/
const groupedNumber = /^[+-]?\d{1,3}(?:[,'  ]\d{3})+(?:\.\d+)?$/
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  t: true,
  1: true,
  false: false,
  no: false,
  n: false,
  f: false,
  0: false,
}

/**
 * The value of a cell as a member of a record of JSON; undefined where the cell says nothing.
 * @param separator what parts the items of a list; `;` or `|` unless given.
 */
export function cellValue(cell: unknown, type: FieldType, separator?: string): unknown {
  if (cell === null || cell === undefined) return undefined
  if (typeof cell !== 'string') return cellValueOfType(cell, type)
  const text = cell.trim()
  if (text === '') return undefined
  if (type === 'number') return numberIn(text)
  if (type === 'boolean') return booleans[text.toLowerCase()] ?? text
  if (type === 'json') return jsonIn(text) ?? text
  if (type !== 'list') return text
  const json = text.startsWith('[') ? jsonIn(text) : undefined
  return json ?? itemsOf(text.split(separator ?? usualSeparators))
}

/** Of what a Parquet file holds: numbers, times, lists, objects. */
function cellValueOfType(cell: unknown, type: FieldType): unknown {
  const plain = typeof cell === 'bigint' ? cell.toString() : cell
  if (plain instanceof Date) return Number.isNaN(plain.getTime()) ? undefined : timeText(plain)
  if (type === 'text') return typeof plain === 'object' ? plain : String(plain)
  if (type === 'number' && typeof plain === 'string') return numberIn(plain)
  if (type === 'list' && !Array.isArray(plain)) return [plain]
  return Array.isArray(plain) ? plain.filter((item) => item !== null) : plain
}

/** A day where it is midnight, as a column of days has it. */
function timeText(time: Date): string {
  const text = time.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
}

function numberIn(text: string): unknown {
  if (plainNumber.test(text)) return Number(text)
  return groupedNumber.test(text) ? Number(text.replace(/[,'  ]/g, '')) : text
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without blank items, and each once, whatever its case. */
function itemsOf(parts: readonly string[]): string[] {
  const items = new Map<string, string>()
  for (const part of parts) {
    const item = part.trim()
    const key = item.toLowerCase()
    if (item !== '' && !items.has(key)) items.set(key, item)
  }
  return [...items.values()]
}
