/** What a record does without is left out with a complaint; what it needs rejects it. */
import { describe, expect, it } from 'vitest'
import { recordOfLine } from '../../../src/source/ndjson/lines.ts'
import { entryOf } from '../../../src/source/ndjson/records.ts'
import { readAuthority } from '../../../src/source/record-readers.ts'

const plain = { sdu: '1', name: 'Ann', topics: ['AI'] }

function read(fields: object) {
  return entryOf('here', recordOfLine(1, JSON.stringify({ ...plain, ...fields })), readAuthority)
}

describe('a record with a wrong field', () => {
  it.each([
    ['website', { website: 'not an address' }, 'website'],
    ['score', { authority_score: 101 }, 'authority_score'],
    ['day', { updated_at: 'yesterday' }, 'updated_at'],
    ['bio', { bio: 7 }, 'bio'],
    ['attribute', { attributes: { party: 7, chamber: 'Senate' } }, 'attributes.party'],
    ['other names', { also_known_as: ['a'.repeat(201)] }, 'also_known_as.0'],
    ['platform', { socials: { 'a b': { handle: 'ann' } } }, 'socials.a b'],
    ['scheme', { identifiers: { ORCID: '1' } }, 'identifiers.ORCID'],
    ['attribute', { attributes: { 'The Party': 'x' } }, 'attributes.The Party'],
    ['prototype', { attributes: JSON.parse('{"__proto__":"x"}') }, 'attributes.__proto__'],
    ['socials', { socials: 'x' }, 'socials'],
    ['followers', { socials: { x: { handle: 'ann', followers: -1 } } }, 'socials.x.followers'],
  ])('is taken without its %s', (_, fields, field) => {
    const entry = read(fields)
    expect(entry).toMatchObject({ value: { sdu: '1', name: 'Ann' } })
    expect(entry).toMatchObject({ complaints: [{ field, isLeftOut: true }] })
  })

  it.each([
    [
      'handle',
      { socials: { x: { handle: 'https://other.example/a' }, github: { handle: 'ann' } } },
    ],
    ['identifier', { socials: { github: { handle: 'ann' } }, identifiers: { orcid: '1' } }],
  ])('is taken without its %s alone', (_, fields) => {
    const entry = read(fields)
    expect(entry.value?.socials.map(({ platform }) => platform)).toEqual(['github'])
    expect(entry.value?.identifiers).toEqual([])
    expect(entry).toMatchObject({ complaints: [{ isLeftOut: true }] })
  })

  it('is taken without all that is wrong, each with a complaint', () => {
    const entry = read({
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
    expect(read({ website: 'x y', ...fields }).value).toBeUndefined()
  })

  it('shows a website as an address that a browser opens', () => {
    expect(read({ website: 'ann.example/me' }).value?.website).toBe('https://ann.example/me')
    expect(read({ website: 'ann@example.org' }).value?.website).toBeNull()
  })
})
