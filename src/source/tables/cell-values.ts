/**
 * Cells of a table as members of a record. A cell that is of no use stays as it is: the readers of
 * records say what is wrong.
 */
import { jsonIn } from '../../reading/readers.ts'
import { isMissing, type MissingIn } from '../missing.ts'
import type { FieldType } from '../table-fields.ts'
import { itemsIn, itemsInBrackets } from '../text-lists.ts'

const groupSigns = /[,'’\s]/g
const groupedNumber = /^[+-]?\d{1,3}(?:[,'’\s]\d{3})+(?:\.\d+)?$/
const commaNumber = /^[+-]?\d+,\d+$/
const dottedCount = /^\d{1,3}(?:\.\d{3})+$/
const shortCount = /^(\d+(?:[.,]\d+)?)\s*([kmb])$/i
const shortUnits = { k: 1e3, m: 1e6, b: 1e9 }
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 't', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'f', '0'].map((word) => [word, false] as const),
])

export const dateOrders = ['dmy', 'mdy', 'excel'] as const

export interface CellOptions {
  readonly separator?: string | undefined
  readonly missing?: readonly string[] | undefined
  readonly dates?: (typeof dateOrders)[number] | undefined
  readonly where?: MissingIn
}

/** What parts the items is not known. */
export const ambiguousList = Symbol('ambiguous list')

/** Undefined where the cell says nothing. */
export function cellValue(cell: unknown, type: FieldType, options: CellOptions = {}): unknown {
  if (cell === null || cell === undefined) return undefined
  if (typeof cell !== 'string') return cellValueOfType(cell, type, options)
  const text = plainText(cell.trim())
  if (isMissing(text, options.where) || options.missing?.includes(text)) return undefined
  if (type === 'number') return numberIn(text)
  if (type === 'count') return countIn(text)
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text
  if (type === 'json') return jsonIn(text) ?? text
  if (type === 'time') return timeIn(text, options.dates)
  if (type === 'list') return itemsIn(text, options.separator) ?? ambiguousList
  if (type === 'names') return itemsIn(text, options.separator) ?? [text]
  return type === 'values' ? valuesIn(text, options.separator) : text
}

/** Without what spreadsheets write so that a cell stays a text: `="0012"`, `'0012`, `'=1`. */
function plainText(text: string): string {
  const formula = /^="(.*)"$/s.exec(text)?.[1]
  if (formula !== undefined) return formula.replaceAll('""', '"').trim()
  return /^'[=+\-@\d]/.test(text) ? text.slice(1) : text
}

function valuesIn(text: string, separator: string | undefined): unknown[] {
  return itemsInBrackets(text) ?? itemsIn(text, separator) ?? [text]
}

/** Parquet holds numbers, times, lists, objects. */
function cellValueOfType(cell: unknown, type: FieldType, options: CellOptions): unknown {
  if (typeof cell === 'number' && !Number.isFinite(cell)) return undefined
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? undefined : timeText(cell)
  const plain = typeof cell === 'bigint' ? cell.toString() : cell
  if (type === 'number' || type === 'count') {
    return typeof plain === 'string' ? cellValue(plain, type, options) : plain
  }
  if (type === 'time' && typeof plain === 'number') return timeIn(String(plain), options.dates)
  if (type === 'text' || type === 'time') return isNoText(plain) ? plain : String(plain)
  const isList = type === 'list' || type === 'names' || type === 'values'
  if (Array.isArray(plain)) return plain.filter((item) => item !== null)
  return isList ? [plain] : plain
}

/** Beyond 2⁵³ a number may stand for another one, and an SDU of it for another person. */
function isNoText(value: unknown): boolean {
  if (typeof value !== 'number') return typeof value === 'object'
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** Whole numbers of 64 bits are texts where a number is not exact. */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toJSON()
  if (Array.isArray(value)) return value.map(plainJson)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainJson(inner)]))
}

function timeText(time: Date): string {
  const text = time.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
}

const numbersOfDay = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(.*)$/
/** Day 0 of the spreadsheets' calendar, which has a 29 February 1900 too many. */
const excelDayZeroMs = Date.UTC(1899, 11, 30)

/** With the year first, if the order of its numbers is said; else as it stands. */
function timeIn(text: string, order: CellOptions['dates']): string {
  if (order === 'excel' && plainNumber.test(text)) {
    return timeText(new Date(excelDayZeroMs + Math.round(Number(text) * 86_400) * 1_000))
  }
  const [, first, second, year, rest] = numbersOfDay.exec(text) ?? []
  if (order === 'dmy' && first !== undefined) return `${year}-${second}-${first}${rest}`
  return order === 'mdy' && first !== undefined ? `${year}-${first}-${second}${rest}` : text
}

function numberIn(text: string): unknown {
  if (plainNumber.test(text)) return Number(text)
  if (groupedNumber.test(text)) return Number(text.replace(groupSigns, ''))
  return commaNumber.test(text) ? Number(text.replace(',', '.')) : text
}

/** Also as people shorten it (`1.2M`); dots that can only part thousands do. */
function countIn(text: string): unknown {
  if (dottedCount.test(text)) return Number(text.replaceAll('.', ''))
  const [, digits = '', unit = ''] = shortCount.exec(text) ?? []
  if (unit === '') return numberIn(text)
  return Math.round(
    Number(digits.replace(',', '.')) * shortUnits[unit.toLowerCase() as 'k' | 'm' | 'b'],
  )
}
