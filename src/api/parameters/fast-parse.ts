/**
 * The fast parsers: the most frequent spellings of a query string without decoding it (`bench/wire` measures the gain).
 * Each gives the value that `queryParser` gives, or nothing for percent-encoding, a repeated value, another parameter.
 */
import { limits } from '../../limits.ts'
import { type FieldName, fieldNames } from '../../request-parameters.ts'
import { isMoreThanName, keyCharacters } from '../../text/bare-names.ts'
import { parseHandle } from '../../text/handle.ts'
import type { SentHandle } from './meanings.ts'

/** Requests with more are left to the general parser. */
const valuesMax = 16
const nameCharactersMax = 64

const zero = 48
const comma = 44
const equals = 61
const at = 64
const smallS = 115
const limitName = '&limit='
const fieldsName = '&fields='

/** A handle that means the same encoded and plain. */
const plainHandle = /^[\w@:/.~-]+$/

/** Offset of the value of the first parameter if it has this name, singular or plural; else -1. */
export function valueStart(query: string, name: string): number {
  if (!query.startsWith(name)) return -1
  const next = query.charCodeAt(name.length)
  if (next === equals) return name.length + 1
  return next === smallS && query.charCodeAt(name.length + 1) === equals ? name.length + 2 : -1
}

export function firstEnd(query: string): number {
  const end = query.indexOf('&')
  return end < 0 ? query.length : end
}

/** Different handles of plain characters by commas, up to `end`: names by their characters, others by `parseHandle`. */
export function fastHandles(query: string, end: number): readonly SentHandle[] | undefined {
  let index = valueStart(query, 'handle')
  if (index < 0) return undefined
  let handles: SentHandle[] | undefined
  while (index <= end) {
    const start = index
    const keyStart = query.charCodeAt(start) === at ? start + 1 : start
    let isKey = keyStart === start
    for (index = keyStart; index < end; index += 1) {
      const unit = query.charCodeAt(index)
      const character = unit < 256 ? keyCharacters[unit]! : 0
      if (character === 0) break
      if (character !== unit) isKey = false
    }
    const sent = query.slice(start, index)
    // Most handles are sent as their keys.
    const key = isKey ? sent : query.slice(keyStart, index).toLowerCase()
    const read = isName(key) && isEnd(query, index, end) ? undefined : parsedAt(query, start, end)
    if (read === 'not plain') return undefined
    if (read !== undefined) index = start + read.sent.length
    const handle = read ?? { sent, query: { platform: undefined, key } }
    // An empty array that grows has room for 17: most requests have one handle.
    if (handles === undefined) handles = [handle]
    else if (handles.length === valuesMax || isAmong(handles, handle)) return undefined
    else handles.push(handle)
    if (index === end) return handles
    index += 1
  }
  return undefined
}

function isName(key: string): boolean {
  return key !== '' && key.length <= nameCharactersMax && !isMoreThanName(key)
}

function isEnd(query: string, index: number, end: number): boolean {
  return index === end || query.charCodeAt(index) === comma
}

/** A handle that is more than a name and means the same encoded and plain: `twitter:ann`, an address. */
function parsedAt(query: string, start: number, end: number): SentHandle | 'not plain' {
  const next = query.indexOf(',', start)
  const sent = query.slice(start, next < 0 || next > end ? end : next)
  if (sent.length > limits.handleCharactersMax || !plainHandle.test(sent)) return 'not plain'
  return { sent, query: parseHandle(sent) }
}

function isAmong(handles: readonly SentHandle[], { query: { platform, key } }: SentHandle) {
  return handles.some(({ query }) => query.key === key && query.platform === platform)
}

/** Fields in the order of an answer, from `&fields=` to the end of a query string; undefined for anything else. */
export function fastFields(query: string, index: number): readonly FieldName[] | undefined {
  if (!query.startsWith(fieldsName, index)) return undefined
  const names = query.slice(index + fieldsName.length).split(',')
  const fields = fieldNames.filter((name) => names.includes(name))
  return fields.length === names.length ? fields : undefined
}

interface Tail {
  readonly limit: number
  readonly fields: readonly FieldName[] | undefined
}

const noTail: Tail = { limit: limits.resultsDefault, fields: undefined }

/** A limit and fields, or one of them, or neither, up to the end of a query string. */
export function fastTail(query: string, index: number): Tail | undefined {
  if (index === query.length) return noTail
  let limit: number = limits.resultsDefault
  let end = index
  if (query.startsWith(limitName, index)) {
    const next = query.indexOf('&', index + 1)
    end = next < 0 ? query.length : next
    limit = wholeIn(query, index + limitName.length, end)
    if (limit === 0) return undefined
  }
  const fields = end === query.length ? undefined : fastFields(query, end)
  if (fields === undefined && end < query.length) return undefined
  return { limit: Math.min(limit, limits.resultsMax), fields }
}

/** The whole number of at most four digits in `query[start, end)`; 0 for anything else. */
function wholeIn(query: string, start: number, end: number): number {
  if (end === start || end - start > 4) return 0
  let whole = 0
  for (let place = start; place < end; place += 1) {
    const digit = query.charCodeAt(place) - zero
    if (digit < 0 || digit > 9) return 0
    whole = whole * 10 + digit
  }
  return whole
}
