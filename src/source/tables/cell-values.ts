/**
 * The value of a cell of a table as a member of a record. A value that is of no use as one stays as it is: the schema
 * of records says what is wrong.
 */
import type { FieldType } from './table-fields.ts'

const usualSeparators = /[;|]/
/** Texts that people and spreadsheets write for an unknown value. No handle, name or country is spelled so. */
const nothing = /^(?:[-–—.?/*]+|#?[nN]\/[aA]|NULL|\\N|#(?:NULL|NUM|REF|VALUE|NAME|DIV\/0)[!?])$/
const groupSigns = /[,'’\s]/g
const groupedNumber = /^[+-]?\d{1,3}(?:[,'’\s]\d{3})+(?:\.\d+)?$/
const commaNumber = /^[+-]?\d+,\d+$/
const dottedCount = /^\d{1,3}(?:\.\d{3})+$/
const shortCount = /^(\d+(?:[.,]\d+)?)\s*([kmb])$/i
const shortUnits: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }
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
  if (text === '' || nothing.test(text)) return undefined
  if (type === 'number') return numberIn(text)
  if (type === 'count') return countIn(text)
  if (type === 'boolean') return booleans[text.toLowerCase()] ?? text
  if (type === 'json') return jsonIn(text) ?? text
  if (type !== 'list') return text
  const json = text.startsWith('[') ? jsonIn(text) : undefined
  return json ?? itemsOf(text.split(separator ?? usualSeparators))
}

/** Of what a Parquet file holds: numbers, times, lists, objects. */
function cellValueOfType(cell: unknown, type: FieldType): unknown {
  const plain = typeof cell === 'bigint' ? cell.toString() : jsonOf(cell)
  if (plain instanceof Date) return Number.isNaN(plain.getTime()) ? undefined : timeText(plain)
  if (type === 'text') return isNoText(plain) ? plain : String(plain)
  if (typeof plain === 'string' && type === 'number') return numberIn(plain)
  if (typeof plain === 'string' && type === 'count') return countIn(plain)
  if (type === 'list' && !Array.isArray(plain)) return [plain]
  return Array.isArray(plain) ? plain.filter((item) => item !== null) : plain
}

/** Beyond 2⁵³ a number may stand for another one, and an SDU of it for another person. */
function isNoText(value: unknown): boolean {
  if (typeof value !== 'number') return typeof value === 'object'
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** Whole numbers of 64 bits inside of lists and objects as numbers, or as texts where a number is not exact. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(jsonOf)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonOf(inner)]))
}

/** A day where it is midnight, as a column of days has it. */
function timeText(time: Date): string {
  const text = time.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
}

function numberIn(text: string): unknown {
  if (plainNumber.test(text)) return Number(text)
  if (groupedNumber.test(text)) return Number(text.replace(groupSigns, ''))
  return commaNumber.test(text) ? Number(text.replace(',', '.')) : text
}

/** A number, also as people shorten it (`1.2M`); dots that can only part thousands do. */
function countIn(text: string): unknown {
  if (dottedCount.test(text)) return Number(text.replaceAll('.', ''))
  const [, digits = '', unit = ''] = shortCount.exec(text) ?? []
  if (unit === '') return numberIn(text)
  return Math.round(Number(digits.replace(',', '.')) * shortUnits[unit.toLowerCase()]!)
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
