/**
 * The fast parsers: the most frequent spellings of a query string without decoding it (`bench/wire` measures the gain).
 * Each gives the value that `queryParser` gives, or nothing for percent-encoding, a repeated value, another parameter.
 */
import { limits } from '../../limits.ts'
import { type FieldName, fieldNames } from '../../request-parameters.ts'
import { isMoreThanName, keyCharacters } from '../../text/bare-names.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'

const nameCharactersMax = 64

const equals = 61
const at = 64
const smallS = 115
const fewDigits = /^\d{1,4}$/
const limitName = '&limit='
const fieldsName = '&fields='

/** One handle that means the same encoded and plain. */
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

const encoded = /[%+]/

/** A part of a query string; undefined where a `%` begins no character, which is the only failure of decoding. */
export function decoded(text: string): string | undefined {
  if (!encoded.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The only handle, of plain characters, up to `end`: a name by its characters, another by `parseHandle`. */
export function fastHandle(query: string, end: number): HandleQuery | undefined {
  const start = valueStart(query, 'handle')
  if (start < 0) return undefined
  const from = query.charCodeAt(start) === at ? start + 1 : start
  let index = from
  let isKey = true
  for (; index < end; index += 1) {
    const unit = query.charCodeAt(index)
    const character = unit < 256 ? keyCharacters[unit]! : 0
    if (character === 0) break
    if (character !== unit) isKey = false
  }
  if (index === end) {
    const name = query.slice(from, end)
    // Most handles are sent as their keys.
    const key = isKey ? name : name.toLowerCase()
    if (isName(key)) return { platform: undefined, key }
  }
  const sent = query.slice(start, end)
  if (sent.length > limits.handleCharactersMax || !plainHandle.test(sent)) return undefined
  return parseHandle(sent)
}

function isName(key: string): boolean {
  return key !== '' && key.length <= nameCharactersMax && !isMoreThanName(key)
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
    const digits = query.slice(index + limitName.length, end)
    limit = fewDigits.test(digits) ? Number(digits) : 0
    if (limit === 0) return undefined
  }
  const fields = end === query.length ? undefined : fastFields(query, end)
  if (fields === undefined && end < query.length) return undefined
  return { limit: Math.min(limit, limits.resultsMax), fields }
}
