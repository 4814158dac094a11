/**
 * JSON in bytes, looked at without parsing. The bounds of a body: parsing one that nests 100,000 deep, or has 100,000
 * members, costs 50 to 100 times this check. And the items that a connection took of an answer, read only of a cut one.
 */
import { constants, gunzipSync } from 'node:zlib'
import type { Answered } from '../ledger/live/reservations.ts'
import type { AnsweredValues } from './exchange.ts'

const quote = 34
const comma = 44
const colon = 58
const backslash = 92
const smallL = 108

/** `{` and `[` differ in one bit, and so do `}` and `]`. */
const groupBit = 0x20
const openBrace = 123
const closeBrace = 125

interface JsonBounds {
  readonly depthMax: number
  /** Commas outside of strings: less than the members and items of the text. */
  readonly commasMax: number
  /** Colons outside of strings: one for each member of an object. */
  readonly membersMax: number
  /** Bytes of one string, as it is escaped. */
  readonly stringBytesMax: number
}

/** The fault of a body that is not within its bounds, to stand behind `the body`. */
export function boundsText(bounds: JsonBounds): string {
  const { depthMax, commasMax, membersMax, stringBytesMax } = bounds
  const most = `more than ${commasMax} commas, ${membersMax} members or ${stringBytesMax} bytes in a string`
  return `nests deeper than ${depthMax}, or has ${most}`
}

/** Ends as soon as it is not. Means nothing for bytes that are no JSON; parsing them fails. */
export function isWithin(json: Uint8Array, bounds: JsonBounds): boolean {
  const { depthMax, commasMax, membersMax, stringBytesMax } = bounds
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length)
  let depth = 0
  let members = 0
  let commas = 0
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place]!
    if (byte === quote) {
      const end = textEnd(bytes, place + 1)
      if (end - place - 1 > stringBytesMax) return false
      place = end
    } else if (byte === colon) members += 1
    else if (byte === comma) commas += 1
    else if ((byte | groupBit) === openBrace) depth += 1
    else if ((byte | groupBit) === closeBrace) depth -= 1
    if (depth > depthMax || commas > commasMax || members > membersMax) return false
  }
  return true
}

/** Bytes of a text that are looked at one by one; then the mark is searched for: 2.6 MB of 5 kB texts took 0.7 ms, one by one 11. */
const shortTextBytes = 64

/** The quotation mark that ends a text, or the end of the part. */
function textEnd(part: Buffer, from: number): number {
  const near = Math.min(part.length, from + shortTextBytes)
  let at = from
  while (at < near && part[at] !== quote) at += part[at] === backslash ? 2 : 1
  if (at < near) return at
  for (let end = part.indexOf(quote, at); end >= 0; end = part.indexOf(quote, end + 1)) {
    let backslashes = 0
    while (end - backslashes > at && part[end - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return part.length
}

/** The first byte of gzip, which begins no JSON. */
const gzipMark = 0x1f

/** The beginning of the plain body in the beginning of a body that may be gzip. */
function plainPart(part: Uint8Array): Buffer {
  if (part[0] === gzipMark) return gunzipSync(part, { finishFlush: constants.Z_SYNC_FLUSH })
  return Buffer.from(part.buffer, part.byteOffset, part.length)
}

/** The name of the items of an answer. No text holds a name in this form: quotation marks in texts are escaped. */
const results = '"results":['

/**
 * The values that a part of a body, plain or as gzip, answers, infinite for all of them, and its whole items.
 * @param values undefined if one item pays for the answer.
 */
export function answeredIn(part: Uint8Array, values: AnsweredValues | undefined): Answered {
  const items = itemsIn(plainPart(part), results)
  return items === undefined ? { queries: 0, items: 0 } : answeredBy(items, values)
}

/** @param items infinite for all of them. */
export function answeredBy(items: number, values: AnsweredValues | undefined): Answered {
  if (items === Number.POSITIVE_INFINITY) return { queries: items, items }
  if (values !== undefined) return { queries: values(items), items }
  return { queries: items > 0 ? Number.POSITIVE_INFINITY : 0, items }
}

/** Whole items in the beginning of JSON; infinite once their list has ended, undefined before it begins. */
export function itemsIn(part: Buffer, list: string): number | undefined {
  const begins = part.indexOf(list)
  const from = begins + list.length
  if (begins < 0 || from >= part.length) return undefined
  let items = 0
  let depth = 0
  for (let at = from; at < part.length; at += 1) {
    const byte = part[at]!
    if (byte === quote) at = textEnd(part, at + 1)
    else if ((byte | groupBit) === openBrace) depth += 1
    else if ((byte | groupBit) === closeBrace) {
      if (depth === 0) return Number.POSITIVE_INFINITY
      depth -= 1
      if (depth === 0) items += 1
    } else if (byte === smallL && depth === 0 && part[at - 1] === smallL) {
      // The end of `null`, the item of an unknown value.
      items += 1
    }
  }
  return items
}
