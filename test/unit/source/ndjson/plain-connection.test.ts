/** The quick reading of a connection from bytes, against the reading of its text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectionKinds } from '../../../../src/connection-kinds.ts'
import { recordOfLine } from '../../../../src/source/ndjson/lines.ts'
import { readPlainConnection } from '../../../../src/source/ndjson/plain-connection.ts'
import { connectionOf } from '../../../../src/source/ndjson/records.ts'
import type { ConnectionRecord } from '../../../../src/source/schema.ts'
import { codePoint } from '../../../support/code-points.ts'

/** Reads a connection out of the middle of some bytes. */
function readQuickly(raw: string): ConnectionRecord | undefined {
  const bytes = Buffer.from(`}9${raw}"9`)
  const connection = readPlainConnection(bytes, 2, bytes.length - 2)
  if (connection === undefined) return undefined
  const { fromStart, fromEnd, toStart, toEnd, weight, kind } = connection
  const from = bytes.toString('latin1', fromStart, fromEnd)
  const to = bytes.toString('latin1', toStart, toEnd)
  return { from, to, weight, kind }
}

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', ' ', 'x', [], {}, 0, -0, 101, '0'),
  fc.jsonValue(),
)
const text = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 12 }),
  fc.constantFrom('Ann', 'José', 'a\0', 'a\ud83d', ' a', 'a,b', '@Ann', '@', '王'),
)
const sdu = fc.stringMatching(/^\d{1,32}$/)
const weight = fc.oneof(
  fc.nat().map((hundredths) => hundredths / 100),
  fc.constantFrom(0, -1, 1, 0.5, 1e21, 5e-324, 1e-9, 9e-10, 1e9, 1_000_000_001, 0.000001),
  fc.double({ noNaN: true }),
)

/** Mostly the given value, sometimes none or any other. */
function field<T>(usual: fc.Arbitrary<T>) {
  return fc.oneof({ arbitrary: usual, weight: 12 }, anything)
}

const end = fc.oneof(
  { arbitrary: sdu, weight: 6 },
  fc.constantFrom('x:ann', 'GitHub:Bob', '', 'https://x.com/ann', 'https://x.com/home'),
  text,
)
const connection = fc.record(
  {
    from: field(end),
    to: field(end),
    weight: field(weight),
    kind: field(fc.constantFrom(...connectionKinds)),
  },
  { requiredKeys: ['from', 'to'] },
)

/** A line as programs write it: with spaces, without, or with fields in another order. */
const line = fc.tuple(connection, fc.nat(2)).map(([json, spelling]) => {
  if (spelling === 0) return JSON.stringify(json)
  if (spelling === 1) return JSON.stringify(json, null, 1).replaceAll(/\n */g, ' ')
  return JSON.stringify(Object.fromEntries(Object.entries(json).reverse()))
})

describe('the quick reading of a connection', () => {
  it('gives what the reading of its text gives, or nothing', () => {
    let taken = 0
    fc.assert(
      fc.property(line, (raw) => {
        const quick = readQuickly(raw)
        if (quick === undefined) return
        taken++
        expect({ raw, value: quick }).toEqual({ raw, value: connectionOf(recordOfLine(1, raw)) })
      }),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it('takes the lines that JavaScript and Python write', () => {
    const spaced = '{"from": "1", "to": "02", "weight": 2.5, "kind": "coauthor"}'
    const value = { from: '1', to: '02', weight: 2.5, kind: 'coauthor' }
    expect(readQuickly(spaced)).toEqual(value)
    expect(readQuickly(JSON.stringify(value))).toEqual(value)
    const light = readQuickly('{"from":"1","to":"2","weight":0.000000001}')
    expect(light?.weight).toBe(1e-9)
    expect(readQuickly('{"from":"1","to":"2"}')).toEqual({
      from: '1',
      to: '2',
      weight: 1,
      kind: 'follows',
    })
  })

  it.each([
    '{"from":"1","to":"2","weight":01}',
    '{"from":"1","to":"2","weight":1.}',
    '{"from":"1","to":"2","weight":0.0}',
    '{"from":"1","to":"2","weight":0.0000000009}',
    '{"from":"1","to":"2","weight":1000000001}',
    '{"from":"1","to":"2","kind":"likes"}',
    '{"from":"1","to":"2"} ',
    '{"from":"1","to":"2"',
    '{"from":"1",,"to":"2"}',
  ])('takes nothing from %s', (raw) => {
    expect(readQuickly(raw)).toBeUndefined()
  })
})
