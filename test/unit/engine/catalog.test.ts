/** Look-ups in a snapshot: by topic, SDU and handle. */
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../src/engine/catalog.ts'
import { parseHandle } from '../../../src/text/handle.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, connection, type Records, social, topic } from '../../support/records.ts'

/** Scores are given, so that the ordinals are: 1 → 0, 2 → 1, 3 → 2, 04 → 3. */
const records: Partial<Records> = {
  authorities: [
    authority({ sdu: '3', authorityScore: 70, socials: [social('github', 'ann')] }),
    authority({ sdu: '1', authorityScore: 90, socials: [social('twitter', 'Ann')] }),
    authority({
      sdu: '2',
      authorityScore: 80,
      topics: [topic('Machine learning'), topic('Rust')],
      socials: [social('twitter', 'bob'), social('github', 'BOB')],
    }),
    authority({
      sdu: '04',
      authorityScore: 60,
      socials: [
        social('youtube', 'UCGydnnhsUZqFBscmcWcT-zQ'),
        social('bluesky', 'did:plc:z72i7hdynmk6r22z27h6tvur'),
      ],
      identifiers: [
        { scheme: 'wikidata', value: 'Q42' },
        { scheme: 'orcid', value: '0000-0002-1694-233X' },
      ],
    }),
  ],
  topics: [{ topic: 'machine learning', aliases: ['ML'] }],
  connections: [
    connection('3', '2'),
    connection('1', '04'),
    connection('04', 'mastodon:ann'),
    connection('youtube:new', '1'),
    connection('2', 'youtube:new'),
    connection('3', '1'),
  ],
}

const snapshot = snapshotOf(records)
const catalog = new Catalog(snapshot)

function ownersOf(handle: string): number[] {
  return catalog.ownersOf(parseHandle(handle))
}

function peersOf(handle: string): number[] {
  return [...catalog.peersIn(catalog.peersOf(parseHandle(handle)))]
}

describe('a catalog', () => {
  it('is of the snapshot that it was made from', () => {
    expect(catalog.id).toBe(snapshot.header.id)
    expect(catalog.counts.authorities).toBe(4)
  })

  it('finds an authority by its SDU to the digit', () => {
    expect(['1', '2', '3', '04'].map((sdu) => catalog.findSdu(sdu))).toEqual([0, 1, 2, 3])
    expect(['4', '004', '', '1 ', '5'].map((sdu) => catalog.findSdu(sdu))).toEqual([
      -1, -1, -1, -1, -1,
    ])
  })

  it('finds a topic by the key of its label and of its aliases', () => {
    const learning = catalog.findTopic('machine learning')
    expect(catalog.findTopic('ml')).toBe(learning)
    expect(catalog.findTopic('rust')).not.toBe(learning)
    expect(['machine', 'ML', 'golang', ''].map((key) => catalog.findTopic(key))).toEqual([
      -1, -1, -1, -1,
    ])
    const keys = [...catalog.topicKeys()].map(({ key, topic: of }) => [key, of === learning])
    expect(keys.sort()).toEqual([
      ['machine learning', true],
      ['ml', true],
      ['rust', false],
    ])
  })

  it('has as many members of a topic as hold it', () => {
    expect(catalog.sizeOf(catalog.findTopic('rust'))).toBe(4)
  })
})

describe('what is told in words', () => {
  const named = new Catalog(
    snapshotOf({
      authorities: [
        authority({ sdu: '1', countryName: 'Viet Nam', topics: [topic('Go')], authorityScore: 9 }),
        authority({ sdu: '2', countryName: 'Vietnam', topics: [topic('Go')], authorityScore: 8 }),
        authority({ sdu: '3', socials: [social('github', 'ann')], authorityScore: 7 }),
      ],
    }),
  )

  it('are labels, the countries of a place as they were written, and the platforms of handles', () => {
    expect(named.labelOf(named.findTopic('go'))).toBe('Go')
    expect(named.counts.places).toBe(1)
    expect(named.countriesOf(0)).toEqual(['Viet Nam', 'Vietnam'])
    expect(['github', 'twitter'].map((platform) => named.hasPlatform(platform))).toEqual([
      true,
      false,
    ])
  })

  it('are members of a topic in rank order', () => {
    const { start, end } = named.membersOf(named.findTopic('go'))
    expect([...named.sections['topic.members'].subarray(start, end)]).toEqual([0, 1])
    expect(end - start).toBe(named.sizeOf(named.findTopic('go')))
  })
})

describe('the owners of a handle', () => {
  it('are those on any platform, by authority', () => {
    expect(ownersOf('@ANN')).toEqual([0, 2])
  })

  it('are the one on the platform that is named', () => {
    expect(ownersOf('x:ann')).toEqual([0])
    expect(ownersOf('https://github.com/ann')).toEqual([2])
    expect(ownersOf('mastodon:ann')).toEqual([])
    expect(ownersOf('unheard:ann')).toEqual([])
  })

  it.each([
    'wikidata:Q42',
    'Q42',
    'https://www.wikidata.org/wiki/Q42',
    'orcid:0000-0002-1694-233X',
    '0000-0002-1694-233x',
    'https://orcid.org/0000-0002-1694-233X',
    'did:plc:z72i7hdynmk6r22z27h6tvur',
    'https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/post/1',
    'bluesky:did:plc:z72i7hdynmk6r22z27h6tvur',
    'UCGydnnhsUZqFBscmcWcT-zQ',
    'https://www.youtube.com/channel/UCGydnnhsUZqFBscmcWcT-zQ/videos',
  ])('are found by an identifier, %s', (handle) => {
    expect(ownersOf(handle)).toEqual([3])
  })

  it.each([
    'https://x.com/home',
    'https://github.com/ann/../orgs/ann',
    'https://elsewhere.example/ann',
    'orcid:0000-0002-1694-2330',
    'wikidata:P42',
    'ucgydnnhsuzqfbscmcwct-zq',
  ])('are nobody for %s', (handle) => {
    expect(ownersOf(handle)).toEqual([])
    expect(peersOf(handle)).toEqual([])
  })

  it('are one person once, however many platforms it is on', () => {
    expect(ownersOf('bob')).toEqual([1])
  })

  it('are nobody for a handle that is only connected, or unknown', () => {
    expect(ownersOf('new')).toEqual([])
    expect(ownersOf('unheard-of')).toEqual([])
  })
})

describe('the peers of a handle', () => {
  it('are those of its owner, by any of the owner’s handles or SDU', () => {
    expect(peersOf('bob')).toEqual([2])
    expect(peersOf('github:bob')).toEqual([2])
  })

  it('are those of all who own it and of the handle itself, none of whom is among them', () => {
    // 1 and 3 own it, 04 is connected with mastodon:ann and with 1, and 2 with 3.
    expect(peersOf('ann')).toEqual([1, 3])
  })

  it('are those on the platform that is named', () => {
    expect(peersOf('twitter:ann')).toEqual([2, 3])
    expect(peersOf('github:ann')).toEqual([0, 1])
    expect(peersOf('mastodon:ann')).toEqual([3])
  })

  it('exist for a handle that nobody owns', () => {
    expect(peersOf('@New')).toEqual([0, 1])
  })

  it('are nobody for a handle that is unknown', () => {
    expect(peersOf('unheard-of')).toEqual([])
    expect(peersOf('tiktok:ann')).toEqual([])
  })
})
