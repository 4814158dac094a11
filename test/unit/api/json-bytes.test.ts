/** The look at the bytes of a JSON text: what it lets through, and what it refuses, is what a parser counts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isWithin } from '../../../src/api/json-bytes.ts'
import { codePoint } from '../../support/code-points.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function commasOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return parts.reduce((sum: number, part) => sum + commasOf(part), Math.max(0, parts.length - 1))
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, part) => sum + membersOf(part), own)
}

/** Of the longest string, names of members included, without its quotation marks. */
function stringBytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value)) - 2
  if (typeof value !== 'object' || value === null) return 0
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return Math.max(0, ...[...names, ...Object.values(value)].map(stringBytesOf))
}

it('counts the depth, the commas, the members and the bytes of strings of any JSON, whatever stands in its strings', () => {
  const json = fc.jsonValue({ stringUnit: codePoint })
  const bounds = fc.record({
    depthMax: fc.nat(8),
    commasMax: fc.nat(40),
    membersMax: fc.nat(40),
    stringBytesMax: fc.nat(40),
  })
  fc.assert(
    fc.property(json, bounds, fc.constantFrom('', '  '), (value, most, space) => {
      const bytes = Buffer.from(JSON.stringify(value, undefined, space))
      const isExpected =
        depthOf(value) <= most.depthMax &&
        commasOf(value) <= most.commasMax &&
        membersOf(value) <= most.membersMax &&
        stringBytesOf(value) <= most.stringBytesMax
      expect(isWithin(bytes, most)).toBe(isExpected)
    }),
  )
})

it('finds the end of strings of any length, wherever quotation marks and backslashes stand in them', () => {
  const unit = fc.constantFrom('a', 'b', '"', '\\', '!', ']', '\u0001', 'é', '\ud83d\ude00')
  const texts = fc.array(fc.string({ unit, minLength: 0, maxLength: 80 }), { maxLength: 4 })
  fc.assert(
    fc.property(texts, fc.nat(120), (value, stringBytesMax) => {
      const bytes = Buffer.from(JSON.stringify(value))
      const most = { depthMax: 1, commasMax: commasOf(value), membersMax: 0, stringBytesMax }
      expect(isWithin(bytes, most)).toBe(stringBytesOf(value) <= stringBytesMax)
    }),
  )
})

it('ends with what is no JSON, too', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(
        typeof isWithin(bytes, { depthMax: 3, commasMax: 3, membersMax: 3, stringBytesMax: 3 }),
      ).toBe('boolean')
    }),
  )
})
