/**
 * A query string → the parameters of a route, or the one problem that the caller should mend
 * first. Both published spellings of a parameter are read, mixed and repeated as they come.
 */

import { limits } from '../../limits.ts'
import { parameters } from '../../operations.ts'
import type { Problem } from '../../problems.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'

/** A handle as it was sent, and what it means. */
export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** What a query string holds: decoded names and values, in order. */
export type Pairs = readonly (readonly [name: string, value: string])[]

/** A value, or why there is none. */
export type Parsed<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Problem; readonly value?: undefined }

function invalid(detail: string): { readonly problem: Problem } {
  return { problem: { code: 'invalid-parameter', detail } }
}

/**
 * Splits and decodes a query string: `+` is a space, `%` must begin the UTF-8 of a character.
 * A name without `=` has an empty value.
 */
export function parsePairs(query: string): Parsed<Pairs> {
  const pairs: [string, string][] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (name === undefined || value === undefined) {
      const detail = `'${part.slice(0, 100)}' is not percent-encoded UTF-8`
      return { problem: { code: 'malformed-request', detail } }
    }
    pairs.push([name, value])
  }
  return { value: pairs }
}

const encoded = /[%+]/

function decode(text: string): string | undefined {
  if (!encoded.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Its only failure: a `%` that begins no character.
    return undefined
  }
}

function single(pairs: Pairs, name: string): Parsed<string | undefined> {
  const [first, second] = pairs.filter((pair) => pair[0] === name)
  return second === undefined ? { value: first?.[1] } : invalid(`${name} is given more than once`)
}

/** The `query` of a search: 1 to 256 characters, trimmed. */
export function parseText(pairs: Pairs): Parsed<string> {
  const given = single(pairs, 'query')
  if (given.problem !== undefined) return given
  const text = given.value?.trim() ?? ''
  if (text === '') return invalid('query is missing or blank: give a topic or a keyword')
  // Characters are code points; a text has at most as many as it has code units.
  if (text.length > limits.queryCharactersMax && [...text].length > limits.queryCharactersMax) {
    return invalid(`query is longer than ${limits.queryCharactersMax} characters`)
  }
  return { value: text }
}

/** `limit`: 1 or more, 10 when absent; more than 50 is 50 (AIP-158). */
export function parseLimit(pairs: Pairs): Parsed<number> {
  const given = single(pairs, 'limit')
  if (given.problem !== undefined) return given
  if (given.value === undefined) return { value: limits.resultsDefault }
  const limit = /^\d+$/.test(given.value) ? Number(given.value) : 0
  if (limit < 1) return invalid('limit is not a whole number above zero')
  return { value: Math.min(limit, limits.resultsMax) }
}

/** The values of a parameter in any of its spellings: separated by commas, repeated, or both. */
function several(pairs: Pairs, names: readonly string[]): Parsed<readonly string[]> {
  const values: string[] = []
  for (const [name, list] of pairs) {
    if (!names.includes(name)) continue
    for (const item of list.split(',')) {
      const value = item.trim()
      if (value !== '') values.push(value)
    }
  }
  if (values.length === 0) return invalid(`${names[0]} is missing or blank`)
  if (values.length > limits.valuesPerRequestMax) {
    return invalid(`${names[0]} holds more than ${limits.valuesPerRequestMax} values`)
  }
  return { value: values }
}

/** `sdus` or `sdu`: each 1–32 digits; each different one once, in the order of the request. */
export function parseSdus(pairs: Pairs): Parsed<readonly string[]> {
  const given = several(pairs, parameters.sdus.spellings)
  if (given.problem !== undefined) return given
  const wrong = given.value.find((sdu) => !isSdu(sdu))
  if (wrong !== undefined) {
    return invalid(`sdus: '${wrong.slice(0, 100)}' is not 1 to ${limits.sduDigitsMax} digits`)
  }
  return { value: [...new Set(given.value)] }
}

function isSdu(text: string): boolean {
  return text.length <= limits.sduDigitsMax && /^\d+$/.test(text)
}

/** `handles` or `handle`: each different handle once, however it is spelled, in request order. */
export function parseHandles(pairs: Pairs): Parsed<readonly SentHandle[]> {
  const given = several(pairs, parameters.handles.spellings)
  if (given.problem !== undefined) return given
  const handles = new Map<string, SentHandle>()
  for (const sent of given.value) {
    if (sent.length > limits.handleCharactersMax) {
      return invalid(`handles: a handle is longer than ${limits.handleCharactersMax} characters`)
    }
    const query = parseHandle(sent)
    const identity = `${query.platform ?? ''}:${query.key}`
    if (!handles.has(identity)) handles.set(identity, { sent, query })
  }
  return { value: [...handles.values()] }
}
