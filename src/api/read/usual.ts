/**
 * The usual spellings of a query string, read character by character. Whatever is spelled otherwise
 * (percent-encoding, other parameters) is for `parameters.ts`, which reads these too and to the same
 * effect.
 */
import { limits } from '../../limits.ts'

/** More values than these are not usual. */
const valuesMax = 16
const handleCharactersMax = 64

/** What each byte of a handle is in its key; 0 for what makes a handle unusual. */
export const keyCharacters: Uint8Array = new Uint8Array(256)
for (const character of '0123456789abcdefghijklmnopqrstuvwxyz_-.') {
  keyCharacters[character.charCodeAt(0)] = character.charCodeAt(0)
  keyCharacters[character.toUpperCase().charCodeAt(0)] = character.charCodeAt(0)
}
const zero = 48
const comma = 44
const ampersand = 38
const equals = 61
const hyphen = 45
const dot = 46
const at = 64
const smallC = 99
const smallM = 109
const smallO = 111
const smallS = 115
const smallU = 117
const limitName = '&limit='
const fieldsName = '&fields='

/** What a usual query string asks for. Each `read` begins anew; false where it is not usual. */
export class Usual {
  /** The SDUs, or the keys of the handles, one after the other in ASCII. */
  readonly bytes = new Uint8Array(valuesMax * handleCharactersMax)
  /** Where each ends in `bytes`. */
  readonly ends = new Uint32Array(valuesMax)
  /** Where each handle stands in the query string as it was sent. */
  readonly sentStarts = new Uint32Array(valuesMax)
  readonly sentEnds = new Uint32Array(valuesMax)
  count = 0
  limit = 0
  /** The fields that are wanted as they were sent; '' where none are named. */
  fields = ''

  /** SDUs with commas between them; behind them fields, where they are named. */
  readSdus(query: string): boolean {
    let index = valueStart(query, 'sdu')
    if (index < 0) return false
    this.fields = ''
    this.count = 0
    let start = 0
    let end = 0
    for (; index <= query.length; index += 1) {
      const unit = index < query.length ? query.charCodeAt(index) : comma
      if (unit >= zero && unit <= zero + 9) {
        if (end - start === limits.sduDigitsMax) return false
        this.bytes[end++] = unit
      } else {
        if ((unit !== comma && unit !== ampersand) || end === start) return false
        this.ends[this.count++] = end
        start = end
        if (unit === ampersand) return this.#readFields(query, index)
        if (this.count === valuesMax) return index === query.length
      }
    }
    return true
  }

  /**
   * Handles without their platforms, commas between them; behind them a limit, where there may be one,
   * and fields, where they are named.
   */
  readHandles(query: string, mayLimit: boolean): boolean {
    let index = valueStart(query, 'handle')
    if (index < 0) return false
    this.limit = limits.resultsDefault
    this.fields = ''
    this.count = 0
    for (let start = 0; this.count < valuesMax; index += 1) {
      const sentStart = index
      if (query.charCodeAt(index) === at) index += 1
      let end = start
      for (; index < query.length; index += 1) {
        const unit = query.charCodeAt(index)
        const character = unit < 256 ? keyCharacters[unit]! : 0
        if (character === 0) break
        if (end - start === handleCharactersMax) return false
        this.bytes[end++] = character
      }
      if (end === start || isMoreThanKey(this.bytes, start, end)) return false
      this.sentStarts[this.count] = sentStart
      this.sentEnds[this.count] = index
      this.ends[this.count++] = end
      start = end
      if (query.charCodeAt(index) !== comma) break
    }
    if (index === query.length) return true
    if (!query.startsWith(limitName, index)) return this.#readFields(query, index)
    const fields = query.indexOf('&', index + 1)
    const end = fields < 0 ? query.length : fields
    return mayLimit && this.#readLimit(query, index, end) && this.#readFields(query, end)
  }

  /** What else is asked for: fields, or nothing. */
  #readFields(query: string, index: number): boolean {
    if (index === query.length) return true
    if (!query.startsWith(fieldsName, index)) return false
    this.fields = query.slice(index + fieldsName.length)
    return this.fields !== ''
  }

  #readLimit(query: string, index: number, end: number): boolean {
    const start = index + limitName.length
    const digits = end - start
    if (digits < 1 || digits > 4) return false
    let limit = 0
    for (let place = start; place < end; place += 1) {
      const digit = query.charCodeAt(place) - zero
      if (digit < 0 || digit > 9) return false
      limit = limit * 10 + digit
    }
    this.limit = Math.min(limit, limits.resultsMax)
    return limit > 0
  }
}

/**
 * Whether a handle of which `bytes[start, end)` is the key may mean more than that: the id of a YouTube
 * channel, in which case counts, an ORCID iD with its check digit, or a host that names somebody (.com,
 * .io).
 */
export function isMoreThanKey(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length === 24 && bytes[start] === smallU && bytes[start + 1] === smallC) return true
  if (length === 19 && bytes[start + 4] === hyphen) return true
  const last = bytes[end - 1]
  if (last === smallM) return length > 3 && bytes[end - 4] === dot
  return last === smallO && length > 2 && bytes[end - 3] === dot
}

/** Where the value of a parameter begins that comes first, in either of its spellings; or -1. */
function valueStart(query: string, name: string): number {
  if (!query.startsWith(name)) return -1
  const next = query.charCodeAt(name.length)
  if (next === equals) return name.length + 1
  return next === smallS && query.charCodeAt(name.length + 1) === equals ? name.length + 2 : -1
}
