/**
 * A connection in its usual spelling, read from the bytes of its line: to read all of them as texts
 * took most of the time of a sync.
 */

import { type ConnectionKind, connectionKinds } from '../../connection-kinds.ts'
import { limits } from '../../limits.ts'

interface PlainConnection {
  readonly fromStart: number
  readonly fromEnd: number
  readonly toStart: number
  readonly toEnd: number
  readonly weight: number
  readonly kind: ConnectionKind
}

const opening = bytesOf('{"from":')
const between = bytesOf(',')
const toName = bytesOf('"to":')
const weightName = bytesOf('"weight":')
const kindName = bytesOf('"kind":')
const nothing = bytesOf('null')
const kindValues = connectionKinds.map((kind) => ({ kind, bytes: bytesOf(`"${kind}"`) }))
const quote = 0x22
const space = 0x20
const dot = 0x2e
const zero = 0x30
const brace = 0x7d
const carriageReturn = 0x0d

/**
 * The connection on `bytes[start, end)`; undefined if it is spelled in any other way than two SDUs,
 * then weight and kind if given, in this order, or null, without escapes, with at most one space
 * behind `:` and `,`: a subset of JSON.
 */
export function readPlainConnection(
  bytes: Uint8Array,
  start: number,
  end: number,
): PlainConnection | undefined {
  const last = end > start && bytes[end - 1] === carriageReturn ? end - 2 : end - 1
  if (bytes[last] !== brace) return undefined
  const fromStart = textStart(bytes, start, opening)
  const fromEnd = digitsEnd(bytes, fromStart, limits.sduDigitsMax)
  if (fromStart < 0 || fromEnd === fromStart || bytes[fromEnd] !== quote) return undefined
  const toStart = textStart(bytes, past(bytes, fromEnd + 1, between), toName)
  const toEnd = digitsEnd(bytes, toStart, limits.sduDigitsMax)
  if (toStart < 0 || toEnd === toStart || bytes[toEnd] !== quote) return undefined
  let weight = 1
  let kind: ConnectionKind = 'follows'
  let at = toEnd + 1
  const weightStart = past(bytes, past(bytes, at, between), weightName)
  if (weightStart >= 0 && startsWith(bytes, weightStart, nothing)) at = weightStart + nothing.length
  else if (weightStart >= 0) {
    at = numberEnd(bytes, weightStart)
    if (at < 0) return undefined
    weight = Number(asciiOf(bytes, weightStart, at))
    if (weight < limits.weightMin || weight > limits.weightMax) return undefined
  }
  const kindStart = past(bytes, past(bytes, at, between), kindName)
  if (kindStart >= 0 && startsWith(bytes, kindStart, nothing)) at = kindStart + nothing.length
  else if (kindStart >= 0) {
    const value = kindValues.find((each) => startsWith(bytes, kindStart, each.bytes))
    if (value === undefined) return undefined
    kind = value.kind
    at = kindStart + value.bytes.length
  }
  return at === last ? { fromStart, fromEnd, toStart, toEnd, weight, kind } : undefined
}

/** Offset behind `expected` and perhaps one space; -1 if it does not stand there. */
function past(bytes: Uint8Array, at: number, expected: Uint8Array): number {
  if (at < 0 || !startsWith(bytes, at, expected)) return -1
  const behind = at + expected.length
  return bytes[behind] === space ? behind + 1 : behind
}

function startsWith(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return false
  }
  return true
}

function textStart(bytes: Uint8Array, at: number, name: Uint8Array): number {
  const value = past(bytes, at, name)
  return value >= 0 && bytes[value] === quote ? value + 1 : -1
}

function digitsEnd(bytes: Uint8Array, at: number, most: number): number {
  let end = at
  while (end - at < most && isDigit(bytes[end])) end += 1
  return end
}

/** End of a number without sign and exponent, or -1: up to 15 digits, 20 behind the point. */
function numberEnd(bytes: Uint8Array, at: number): number {
  const whole = digitsEnd(bytes, at, 15)
  if (whole === at || (bytes[at] === zero && whole > at + 1)) return -1
  if (bytes[whole] !== dot) return whole
  const end = digitsEnd(bytes, whole + 1, 20)
  return end === whole + 1 ? -1 : end
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text)
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let index = start; index < end; index += 1) text += String.fromCharCode(bytes[index]!)
  return text
}
