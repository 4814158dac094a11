import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { connectionKinds } from '../../../src/connection-kinds.ts'
import { readPlainConnection } from '../../../src/source/ndjson/plain-connection.ts'
import {
  authoritySchema,
  type ConnectionRecord,
  connectionSchema,
} from '../../../src/source/schema.ts'
import { readAuthority } from '../../../src/source/shortcuts.ts'

/** Reads a connection out of the middle of some bytes. */
function readConnection(raw: string): ConnectionRecord | undefined {
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
/** Handles that are more than their letters, and some that are none. */
const specialHandles = ['https://x.com/ann', 'github.com/ann', 'https://x.com/home', 'x:ann']
  .concat(['UCGydnnhsUZqFBscmcWcT-zQ', 'did:plc:abc', '@ann@mastodon.social', 'ann.tumblr.com'])
  .concat(['0000-0002-1694-233X', '0000-0002-3374-2963', 'Q7', '\u200bann', '\u3164'])
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
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

const topic = fc.oneof(text, fc.record({ topic: text, weight }, { requiredKeys: ['topic'] }))
const handle = fc.oneof({ arbitrary: text, weight: 3 }, fc.constantFrom(...specialHandles))
const social = fc.record(
  { handle: field(handle), followers: field(fc.nat()), verified: field(fc.boolean()) },
  { requiredKeys: ['handle'] },
)
const platform = fc.oneof(
  fc.constantFrom('github', 'x', 'twitter', 'GitHub', 'ORCID', '500px', '__proto__', '_a', 'a b'),
  text,
)
const usual = fc.oneof({ arbitrary: fc.constantFrom('Annie', '王', 'Q7'), weight: 8 }, text)
const scheme = fc.constantFrom('wikidata', 'orcid', 'ORCID', 'toString', '__proto__', '', 'gnd')
const identifiers = fc.oneof(
  fc.record(
    {
      wikidata: fc.constantFrom('Q7', 'https://www.wikidata.org/wiki/Q7'),
      isni: fc.constantFrom('0000 0001 2103 2683', '0000000121032683'),
      gnd: usual,
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(scheme, field(fc.oneof(usual, fc.constantFrom(...specialHandles))), { maxKeys: 2 }),
)
const attributes = fc.oneof(
  {
    arbitrary: fc.constantFrom({}, { party: 'Blue' }, { party: 'Blue', languages: ['Rust', '王'] }),
    weight: 12,
  },
  fc.dictionary(
    fc.constantFrom('party', 'languages', 'Party', '__proto__', ''),
    field(fc.oneof(usual, fc.array(field(usual), { maxLength: 2 }))),
    { maxKeys: 2 },
  ),
)
const day = fc.oneof(
  { arbitrary: fc.constant('2026-11-01'), weight: 30 },
  fc.constantFrom('2026-11-01T12:00:00+01:00', '2026-13-01', null, 7),
)
const authority = fc.record(
  {
    sdu: field(sdu),
    name: field(text),
    bio: field(text),
    country_name: field(text),
    topics: field(fc.array(field(topic), { minLength: 1, maxLength: 4 })),
    socials: field(fc.dictionary(platform, field(social), { maxKeys: 3 })),
    website: field(fc.oneof(fc.webUrl(), fc.constantFrom('http://', 'HTTP://a', 'ftp://a.b'))),
    verified: field(fc.boolean()),
    authority_score: field(fc.double({ min: 0, max: 100, noNaN: true })),
    also_known_as: field(fc.array(field(usual), { maxLength: 2 })),
    identifiers: field(identifiers),
    attributes,
    source: usual,
    licence: usual,
    updated_at: day,
    comment: anything,
  },
  { requiredKeys: ['sdu', 'name', 'topics'] },
)

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
function written(record: fc.Arbitrary<object>): fc.Arbitrary<string> {
  return fc.tuple(record, fc.nat(2)).map(([json, spelling]) => {
    if (spelling === 0) return JSON.stringify(json)
    if (spelling === 1) return JSON.stringify(json, null, 1).replaceAll(/\n */g, ' ')
    return JSON.stringify(Object.fromEntries(Object.entries(json).reverse()))
  })
}

function agrees<T>(shortcut: (raw: string) => T | undefined, schema: z.ZodType<T>, raw: string) {
  const quick = shortcut(raw)
  if (quick !== undefined)
    expect({ raw, value: quick }).toEqual({ raw, value: schema.parse(JSON.parse(raw)) })
  return quick !== undefined
}

describe('a shortcut', () => {
  it('reads an authority as the schema does, or leaves it to the schema', () => {
    let taken = 0
    fc.assert(
      fc.property(written(authority), (raw) => {
        if (agrees(readAuthority, authoritySchema, raw)) taken++
      }),
      { numRuns: 6000 },
    )
    expect(taken).toBeGreaterThan(20)
  })

  it('reads a connection as the schema does, or leaves it to the schema', () => {
    let taken = 0
    fc.assert(
      fc.property(written(connection), (raw) => {
        if (agrees(readConnection, connectionSchema, raw)) taken++
      }),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it('takes the lines that JavaScript and Python write', () => {
    const spaced = '{"from": "1", "to": "02", "weight": 2.5, "kind": "coauthor"}'
    const value = { from: '1', to: '02', weight: 2.5, kind: 'coauthor' }
    expect(readConnection(spaced)).toEqual(value)
    expect(readConnection(JSON.stringify(value))).toEqual(value)
    const light = readConnection('{"from":"1","to":"2","weight":0.000000001}')
    expect(light?.weight).toBe(1e-9)
    expect(readConnection('{"from":"1","to":"2"}')).toEqual({
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
    expect(readConnection(raw)).toBeUndefined()
  })

  it.each(['', 'null', '[]', '"text"', '{}', '{"sdu":'])('takes no authority from %j', (raw) => {
    expect(readAuthority(raw)).toBeUndefined()
  })
})
