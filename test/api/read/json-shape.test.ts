/** The look at the bytes of a JSON text: what it lets through, and what it refuses, is what a parser counts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isWithin } from '../../../src/api/read/json-shape.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function commasOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return parts.reduce((sum: number, part) => sum + commasOf(part), Math.max(0, parts.length - 1))
}

it('counts the depth and the commas of any JSON, whatever stands in its strings', () => {
  const json = fc.jsonValue({ stringUnit: 'binary' })
  fc.assert(
    fc.property(json, fc.nat(8), fc.nat(40), fc.constantFrom('', '  '), (value, ...bounds) => {
      const [depthMax, commasMax, space] = bounds
      const bytes = Buffer.from(JSON.stringify(value, undefined, space))
      const isExpected = depthOf(value) <= depthMax && commasOf(value) <= commasMax
      expect(isWithin(bytes, { depthMax, commasMax })).toBe(isExpected)
    }),
  )
})

it('ends with what is no JSON, too', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(typeof isWithin(bytes, { depthMax: 3, commasMax: 3 })).toBe('boolean')
    }),
  )
})
