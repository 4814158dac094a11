import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Reader, readWith } from '../../../src/reading/readers.ts'
import { recordOfLine } from '../../../src/source/ndjson/lines.ts'
import { entryOf } from '../../../src/source/ndjson/records.ts'
import { readAuthority, readConnection, readTopic } from '../../../src/source/record-readers.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('record-readers.tsv', import.meta.url))

const ann = { sdu: '007', name: 'Ann', topics: ['Rust'] }

/** Fields that no record may have, and what is said of them. */
const refusedFields = readFileSync(new URL('refused-fields.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))

const many = (text: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${text}${index}`)
const keyed = (count: number, value: unknown) =>
  Object.fromEntries(many('s', count).map((key) => [key, value]))

function fault(reader: Reader<unknown>, json: unknown): string {
  const [first] = readWith(reader, json).faults ?? []
  return first === undefined ? 'none' : `${first.path.join('.')}: ${first.reason}`
}

function read<T>(reader: Reader<T>, json: unknown): T {
  const { value, faults } = readWith(reader, json)
  if (faults !== undefined) throw new Error(fault(reader, json))
  return value
}

/** What becomes of a line whose record has these fields, too. */
function taken(fields: object) {
  return entryOf('here', recordOfLine(1, JSON.stringify({ ...ann, ...fields })), readAuthority)
}

describe('an authority record', () => {
  it('needs no more than an SDU, a name and a topic', () => {
    expect(read(readAuthority, ann)).toEqual({
      sdu: '007',
      name: 'Ann',
      alsoKnownAs: [],
      bio: '',
      countryName: '',
      topics: [{ topic: 'Rust', weight: undefined }],
      socials: [],
      website: null,
      verified: true,
      authorityScore: undefined,
      identifiers: [],
      attributes: [],
      source: null,
      licence: null,
      updatedAt: null,
    })
  })

  it('is read with all its fields, texts trimmed and platforms as keys', () => {
    const json = {
      sdu: '12',
      name: ' José ',
      also_known_as: [' Pepe', '王'],
      bio: 'Writes.\n',
      country_name: 'España',
      topics: ['Rust', { topic: ' Go', weight: 0.5 }],
      socials: {
        X: { handle: '@Jose', followers: 7 },
        'Mastodon ': { handle: 'jose@server.org', verified: false },
      },
      website: 'https://example.org/a?b',
      verified: false,
      authority_score: 99.5,
      identifiers: { wikidata: 'Q1 ', isni: '0000 0001 2103 2683' },
      attributes: { party: ' Blue ', languages: ['Rust', 'Go'], chamber: null, empty: [] },
      source: ' https://example.org/people ',
      licence: 'CC0-1.0',
      updated_at: '2026-11-01',
      comment: 'ignored',
    }
    expect(read(readAuthority, json)).toEqual({
      sdu: '12',
      name: 'José',
      alsoKnownAs: ['Pepe', '王'],
      bio: 'Writes.',
      countryName: 'Spain',
      topics: [
        { topic: 'Rust', weight: undefined },
        { topic: 'Go', weight: 0.5 },
      ],
      socials: [
        { platform: 'twitter', handle: '@Jose', followers: 7, verified: true },
        { platform: 'mastodon', handle: 'jose@server.org', followers: 0, verified: false },
      ],
      website: 'https://example.org/a?b',
      verified: false,
      authorityScore: 99.5,
      identifiers: [
        { scheme: 'wikidata', value: 'Q1' },
        { scheme: 'isni', value: '0000 0001 2103 2683' },
      ],
      attributes: [
        { key: 'party', value: 'Blue' },
        { key: 'languages', value: 'Rust' },
        { key: 'languages', value: 'Go' },
      ],
      source: 'https://example.org/people',
      licence: 'CC0-1.0',
      updatedAt: '2026-11-01',
    })
  })

  it.each([[null], [''], [' \t'], [[]]])(
    'may say %j in any field that may be left out',
    (nothing) => {
      const optional = ['bio', 'country_name', 'website', 'socials', 'also_known_as', 'identifiers']
      const json = Object.fromEntries(
        [...optional, 'authority_score', 'source', 'licence', 'updated_at'].map((name) => [
          name,
          nothing,
        ]),
      )
      expect(read(readAuthority, { ...ann, ...json })).toEqual(read(readAuthority, ann))
    },
  )

  it('may say null of what is in a field that may be left out', () => {
    const json = {
      ...ann,
      topics: [{ topic: 'Rust', weight: null }],
      verified: null,
      socials: {
        twitter: null,
        x: { handle: 'ann', followers: null, verified: null },
        github: { handle: '', followers: 7 },
        youtube: { handle: null },
      },
      identifiers: { wikidata: null, isni: ' ' },
    }
    expect(read(readAuthority, json)).toEqual({
      ...read(readAuthority, ann),
      socials: [{ platform: 'twitter', handle: 'ann', followers: 0, verified: true }],
    })
  })

  it.each([
    ['x', 'https://twitter.com/SenCapito/status/1', 'SenCapito'],
    ['YouTube', 'youtube.com/@SenCapito/videos', '@SenCapito'],
    ['twitter', '@SenCapito', '@SenCapito'],
    ['unheard', 'Ann', 'Ann'],
  ])('shows on %s for %j the handle %j', (platform, handle, shown) => {
    const { socials } = read(readAuthority, { ...ann, socials: { [platform]: { handle } } })
    expect(socials.map((social) => social.handle)).toEqual([shown])
  })

  it.each(rowsOf('names that are not seen'))(
    'is refused with a name of nothing but %s',
    (_, name) => {
      expect(fault(readAuthority, { ...ann, name })).toBe(
        'name: must hold a character that can be seen',
      )
      expect(fault(readAuthority, { ...ann, also_known_as: [name] })).toMatch(/can be seen$/)
    },
  )

  it.each(rowsOf('names as they are shown'))(
    'is read with the name %j without what is not drawn',
    (name, shown) => {
      const record = { ...ann, name, also_known_as: [name], topics: [name], country_name: name }
      expect(read(readAuthority, record)).toMatchObject({
        ...{ name: shown, alsoKnownAs: [shown], countryName: shown },
        topics: [{ topic: shown }],
      })
    },
  )

  it.each(['علي', 'علی\u200cرضا', 'Zoë', '王', '李明', '☃', '-'])(
    'may have the name %j',
    (name) => {
      expect(read(readAuthority, { ...ann, name }).name).toBe(name)
    },
  )

  it.each([
    ...refusedFields.map(([json = '', fault = '']): [object, string] => [JSON.parse(json), fault]),
    [{ name: undefined }, 'name: is missing'],
    [{ name: 'a'.repeat(201) }, 'name: must be at most 200 characters long'],
    [{ also_known_as: ['a'.repeat(201)] }, 'also_known_as.0: must be at most 200 characters long'],
    [{ also_known_as: many('Ann', 51) }, 'also_known_as: must be at most 50 entries long'],
    [{ bio: 'a'.repeat(10_001) }, 'bio: must be at most 10000 characters long'],
    [{ topics: undefined }, 'topics: is missing'],
    [{ topics: many('t', 51) }, 'topics: must be at most 50 entries long'],
    [{ socials: keyed(51, { handle: 'a' }) }, 'socials.s50: is beyond the first 50 platforms'],
    [{ attributes: { l: many('L', 17) } }, 'attributes.l: is beyond the first 16 values'],
    [
      { identifiers: { wikidata: 'Q'.repeat(257) } },
      'identifiers.wikidata: must be at most 256 characters long',
    ],
    [{ identifiers: keyed(51, 'Q1') }, 'identifiers.s50: is beyond the first 50 schemes'],
  ])('is refused with %j, or taken without it where it does without', (change, expected) => {
    expect(fault(readAuthority, { ...ann, ...change })).toBe(expected)
    const [field = ''] = expected.split(': ')
    const entry = taken(change)
    const isNeeded = /^(?:sdu|name|topics|verified)\b/.test(field)
    const leftOut = { value: { sdu: '007' }, complaints: [{ field, isLeftOut: true }] }
    expect(entry).toMatchObject(isNeeded ? { value: undefined } : leftOut)
  })

  it.each([
    [
      'handle',
      { socials: { x: { handle: 'https://other.example/a' }, github: { handle: 'ann' } } },
    ],
    ['identifier', { socials: { github: { handle: 'ann' } }, identifiers: { orcid: '1' } }],
  ])('is taken without its %s alone', (_, fields) => {
    const entry = taken(fields)
    expect(entry.value?.socials.map(({ platform }) => platform)).toEqual(['github'])
    expect(entry.value?.identifiers).toEqual([])
    expect(entry).toMatchObject({ complaints: [{ isLeftOut: true }] })
  })

  it('is taken without all that is wrong, each with a complaint', () => {
    const entry = taken({
      website: 'x y',
      licence: 7,
      socials: { x: { handle: 'ann', followers: 'a' } },
    })
    expect(entry.value).toMatchObject({ website: null, licence: null, socials: [{ followers: 0 }] })
    expect('complaints' in entry && entry.complaints?.length).toBe(3)
  })

  it.each([
    ['name', { name: '' }],
    ['topics', { topics: [] }],
    ['SDU', { sdu: 'x' }],
    ['word for whether it is verified', { verified: 'no' }],
  ])('is rejected for its %s, also where something else is wrong', (_, fields) => {
    expect(taken({ website: 'x y', ...fields }).value).toBeUndefined()
  })

  it('shows a website as an address that a browser opens', () => {
    expect(taken({ website: 'ann.example/me' }).value?.website).toBe('https://ann.example/me')
    expect(taken({ website: 'ann@example.org' }).value?.website).toBeNull()
  })
})

describe('a connection record', () => {
  it.each([undefined, null, ''])('follows with the weight 1 when it says %j of both', (nothing) => {
    const json = { from: '1', to: '02', weight: nothing, kind: nothing }
    const usual = { from: '1', to: '02', weight: 1, kind: 'follows' }
    expect(read(readConnection, json)).toEqual(usual)
    const other = { ...usual, weight: 2.5, kind: 'coauthor' }
    expect(read(readConnection, { ...other, note: 'x' })).toEqual(other)
  })

  it.each(rowsOf('ends of connections'))('may end at %j, which is %s', (to, end) => {
    expect(read(readConnection, { from: '1', to }).to).toBe(end)
  })

  it.each(rowsOf('ends that are none'))('is refused where it ends at %j', (to) => {
    expect(fault(readConnection, { from: '1', to })).toBe(
      'to: must be an SDU, platform:handle or the address of a profile',
    )
  })

  it.each(rowsOf('connections that are refused'))('is refused with %j', (record, expected) => {
    expect(fault(readConnection, JSON.parse(record))).toBe(expected)
  })
})

describe('a topic record', () => {
  it('has no aliases unless it names them', () => {
    expect(read(readTopic, { topic: 'Go' })).toEqual({ topic: 'Go', aliases: [] })
    expect(read(readTopic, { topic: 'Go', aliases: null })).toEqual({ topic: 'Go', aliases: [] })
    expect(read(readTopic, { topic: 'Go', aliases: [' golang'] }).aliases).toEqual(['golang'])
  })

  it.each([
    [{ topic: '' }, 'topic: must not be blank'],
    [{ aliases: 7 }, 'aliases: must be a list'],
  ])('is refused with %j', (change, expected) => {
    expect(fault(readTopic, { topic: 'Go', ...change })).toBe(expected)
  })
})
