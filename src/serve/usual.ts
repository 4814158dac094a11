/**
 * The usual spellings of a query string, read character by character. Whatever is spelled otherwise
 * (percent-encoding, several values, other parameters) is for `parameters.ts`, which reads these too
 * and to the same effect.
 */
import type { RouteName } from '../ledger/route.ts'
import { limits } from '../settings.ts'
import type { AnswerCache } from './answer-cache.ts'

/** What a usual query string asks for: a cached search by its query string, one SDU or one handle. */
export interface Usual {
  readonly text: string
  /** Peers only. */
  readonly limit: number
}

const digits = 1
const handleCharacters = 2
/** What a character code may stand in, as a sum of the above. */
const classes = new Uint8Array(128)
for (const character of '0123456789') classes[character.charCodeAt(0)] = digits | handleCharacters
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.') {
  classes[character.charCodeAt(0)] = handleCharacters
}
const at = 64
const ampersand = 38
const limitName = '&limit='

/** Reads a usual query string, or answers undefined. */
export function readUsual(route: RouteName, query: string, cache: AnswerCache): Usual | undefined {
  if (route === 'search') {
    return cache.get(query) === undefined ? undefined : { text: query, limit: 0 }
  }
  if (route === 'detail') return readSdu(query)
  return readHandle(query, route === 'peers')
}

/** Where the value of a parameter begins that comes first, in either of its spellings; or -1. */
function valueStart(query: string, name: string): number {
  if (!query.startsWith(name)) return -1
  const next = query.charCodeAt(name.length)
  if (next === 61) return name.length + 1
  return next === 115 && query.charCodeAt(name.length + 1) === 61 ? name.length + 2 : -1
}

/** The end of the characters of a class from `start` on. */
function endOf(query: string, start: number, allowed: number): number {
  let end = start
  while (end < query.length && (classes[query.charCodeAt(end)]! & allowed) !== 0) end += 1
  return end
}

function readSdu(query: string): Usual | undefined {
  const start = valueStart(query, 'sdu')
  if (start < 0) return undefined
  const end = endOf(query, start, digits)
  const length = end - start
  if (end !== query.length || length === 0 || length > limits.sduDigitsMax) return undefined
  return { text: query.slice(start), limit: 0 }
}

function readHandle(query: string, limited: boolean): Usual | undefined {
  let start = valueStart(query, 'handle')
  if (start < 0) return undefined
  if (query.charCodeAt(start) === at) start += 1
  const end = endOf(query, start, handleCharacters)
  if (end === start || end - start > 64) return undefined
  let limit: number = limits.resultsDefault
  if (end < query.length) {
    if (!limited || query.charCodeAt(end) !== ampersand || !query.startsWith(limitName, end)) {
      return undefined
    }
    const limitAt = end + limitName.length
    const limitEnd = endOf(query, limitAt, digits)
    if (limitEnd !== query.length || limitEnd - limitAt > 4) return undefined
    limit = Math.min(Number(query.slice(limitAt)), limits.resultsMax)
    if (limit === 0) return undefined
  }
  return { text: query.slice(start, end).toLowerCase(), limit }
}
