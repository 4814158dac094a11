/** `explain=true`: what ranks are made of adds up, is the ranks, and changes nothing else. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import { type Explanation, itemSchemas } from '../../../src/api/operations/items.ts'
import { loadSnapshot } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { ask, type Envelope, type Item, newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { authority, connection, social, topic } from '../../support/records.ts'

/** Ann is endorsed by Bo and Cy, Cy by a handle that nobody owns and Di endorses; the record of Di gives her score. */
const people = servedOf({
  authorities: [
    authority({
      sdu: '1',
      name: 'Ann "A" Ünal',
      topics: [topic('Rust "lang"'), topic('Go')],
      socials: [social('github', 'ann', 5)],
      source: 'https://example.org/',
      licence: 'CC0-1.0',
      updatedAt: '2026-11-01',
    }),
    authority({ sdu: '2', name: 'Bo', topics: [topic('Rust "lang"')] }),
    authority({ sdu: '3', name: 'Cy', topics: [topic('Go'), topic('Rust "lang"')] }),
    authority({ sdu: '4', name: 'Di', topics: [topic('Go')], authorityScore: 1.5 }),
  ],
  connections: [
    connection('2', '1', { weight: 3 }),
    connection('3', '1', { kind: 'coauthor' }),
    connection('twitter:nobody', '3', { kind: 'mentions' }),
    connection('4', 'twitter:nobody'),
    connection('twitter:stranger', '3'),
  ],
})
const api = newApi(people)

function explanationsOf(target: string): Explanation[] {
  return ask(api, target).json.results.map(({ explanation }) => explanation as Explanation)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

describe('explain=true', () => {
  it.each([
    ['/api/v1/index?query=go', 'summary'],
    ['/api/v1/index?query=ann', 'summary'],
    ['/api/v1/peers?handles=ann', 'summary'],
    ['/api/v1/match?handles=ann,x:nobody,@ann', 'match'],
    ['/api/v1/detail?sdus=1,3,99,4', 'profile'],
  ] as const)(
    'adds an explanation to each item of %s, and changes nothing else',
    (target, name) => {
      const plain = ask(api, target).json
      const explained = ask(api, `${target}&explain=true`).json
      const { query: _, ...envelope }: Envelope = explained
      const results = explained.results.map(({ explanation, ...item }) => {
        expect(explanation).toBeDefined()
        return item
      })
      expect({ ...envelope, results }).toEqual(plain)
      expect(results.length).toBeGreaterThan(0)
      for (const item of explained.results) itemSchemas[name].parse(item)
    },
  )

  it.each(['/api/v1/index?query=go', '/api/v1/match?handles=ann', '/api/v1/detail?sdu=1'])(
    'false is no other answer to %s than none',
    (target) => {
      expect(ask(api, `${target}&explain=false`).text).toBe(ask(api, target).text)
    },
  )

  it('explains a search by its topic, else by the authority score', () => {
    const topics = explanationsOf('/api/v1/index?query=go&explain=true').map((each) => each.topic)
    expect(topics).toEqual(['Go', 'Go', 'Go'])
    const [byName] = explanationsOf('/api/v1/index?query=bo&explain=true')
    expect(byName).toMatchObject({ topic: null, of: 4 })
  })

  it('explains a match and a profile by the core topic, peers by the authority score', () => {
    const core = { topic: 'Rust "lang"', rank: 1, of: 3 }
    expect(explanationsOf('/api/v1/match?handles=ann&explain=true')).toMatchObject([core])
    expect(explanationsOf('/api/v1/detail?sdu=1&explain=true')).toMatchObject([core])
    const byScore = explanationsOf('/api/v1/peers?handles=ann&explain=true')
    expect(byScore.map((each) => each.topic)).toEqual([null, null])
  })

  it('names who endorses, with the kind of the connection, and says it in a sentence', () => {
    const [ann] = explanationsOf('/api/v1/detail?sdu=1&explain=true')
    expect(ann!.endorsers.map(({ sdu, name, kind }) => [sdu, name, kind])).toEqual([
      ['3', 'Cy', 'coauthor'],
      ['2', 'Bo', 'follows'],
    ])
    expect(ann!.components.map(({ name }) => name)).toEqual(['own', 'endorsement'])
    expect(ann!.sentence).toMatch(
      /^Rank 1 of 3 in Rust "lang": \d+ % of the share is from 2 who endorse them, most from Cy; \d+ % is their own\.$/,
    )
    // Of three members nobody can fall by ten.
    expect(ann!.resilience).toEqual({ by_1: 1, by_10: null })
    const [bo] = explanationsOf('/api/v1/detail?sdu=2&explain=true')
    expect(bo!.resilience).toEqual({ by_1: null, by_10: null })
    expect(bo).toMatchObject({ endorsers: [], components: [{}, { value: 0, share: 0 }] })
    expect(bo!.sentence).toMatch(/^Rank \d of 3 in Rust "lang": nobody there endorses them\.$/)
  })

  it('names a handle that nobody owns without an SDU, and none that has nothing to give', () => {
    const [cy] = explanationsOf('/api/v1/peers?handles=x:nobody&explain=true')
    const { endorsers } = cy!
    expect(endorsers.find(({ sdu }) => sdu === null)).toMatchObject({
      name: 'twitter:nobody',
      kind: 'mentions',
    })
    expect(endorsers.map(({ name }) => name)).not.toContain('twitter:stranger')
  })

  it('says of a score that the record gives that it does', () => {
    const [di] = explanationsOf('/api/v1/index?query=di&explain=true')
    expect(di).toEqual({
      topic: null,
      rank: 4,
      of: 4,
      share: 0,
      margin: 1.5,
      components: [{ name: 'record', value: 1.5, share: 0 }],
      resilience: { by_1: null, by_10: null },
      endorsers: [],
      sources: [],
      sentence: 'Rank 4 of 4 by authority score, which the record gives.',
    })
  })

  it('has parts of a share in a topic that is too small to be told', () => {
    const weights = [1e9, 1e-9]
    const authorities = weights.map((weight, index) =>
      authority({ sdu: String(index + 1), topics: [topic('Rust', weight)] }),
    )
    const small = newApi(servedOf({ authorities, connections: [connection('1', '2')] }))
    const { results } = ask(small, '/api/v1/detail?sdu=2&explain=true').json
    expect(results[0]!.explanation).toMatchObject({ topic: 'Rust', rank: 2 })
    itemSchemas.profile.parse(results[0])
  })

  it('says where the record is from', () => {
    const [ann] = explanationsOf('/api/v1/detail?sdu=1&explain=true')
    const source = { source: 'https://example.org/', licence: 'CC0-1.0', updated_at: '2026-11-01' }
    expect(ann!.sources).toEqual([source])
  })

  it('says how a person and their handles were verified, in details only where it is asked for', () => {
    const proved = { ...social('github', 'bo'), proof: { by: 'rel=me', at: '2026-11-01' } }
    const records = [
      authority({ sdu: '1', socials: [proved], proof: { by: 'register', at: null } }),
      authority({ sdu: '2', socials: [social('github', 'cy')] }),
    ]
    const told = newApi(servedOf({ authorities: records }))
    const silent = newApi(
      servedOf({
        authorities: [authority({ sdu: '1', socials: [social('github', 'bo')] }), records[1]!],
      }),
    )
    const { results } = ask(told, '/api/v1/detail?sdus=1,2&explain=true').json
    const handle = {
      platform: 'github',
      handle: 'bo',
      verified_by: 'rel=me',
      verified_at: '2026-11-01',
    }
    expect(results.map(({ explanation }) => (explanation as Explanation).sources)).toEqual([
      [
        {
          ...{ source: null, licence: null, updated_at: null },
          ...{ verified_by: 'register', verified_at: null, handles: [handle] },
        },
      ],
      [],
    ])
    itemSchemas.profile.parse(results[0])
    const plain = [told, silent].map((api) => ask(api, '/api/v1/detail?sdus=1,2').json.results)
    expect(plain[0]).toEqual(plain[1])
  })

  it('lets the shares of a topic sum to 1, the margins lead from each to the next', () => {
    const all = explanationsOf('/api/v1/index?query=go&explain=true')
    expect(sum(all.map(({ share }) => share))).toBeCloseTo(1, 8)
    all.forEach(({ share, margin }, index) => {
      expect(share - margin).toBeCloseTo(all[index + 1]?.share ?? 0, 8)
    })
    expect(sum(all.map(({ components: [own] }) => own!.value))).toBeCloseTo(1, 8)
  })
})

describe('the default data', () => {
  let served: ActiveSnapshot
  beforeAll(() => {
    const id = readPointer(defaultSnapshots, 'CURRENT')!
    served = activate(loadSnapshot(join(defaultSnapshots, `${id}.msgpack`)))
  })

  it('answers with components that sum to the share to the last digit', () => {
    const own = newApi(served)
    const items: readonly Item[] = ask(own, '/api/v1/index?query=rust&limit=50&explain=true').json
      .results
    expect(items.length).toBe(50)
    for (const { rank, explanation } of items) {
      const { components, share, rank: explained } = explanation as Explanation
      const parts = components.map((each) => Math.round(each.share * 1e10))
      expect(sum(parts)).toBe(Math.round(share * 1e10))
      expect(explained).toBe(rank)
    }
  })

  it('says of every record where it is from and under which licence', () => {
    const { counts, evidence, sections } = served.catalog
    for (let ordinal = 0; ordinal < counts.authorities; ordinal += 1) {
      const { start, end } = evidence.provenanceOf(ordinal)
      const from = JSON.parse(Buffer.from(sections['provenance.text'].slice(start, end)).toString())
      expect(from).toMatchObject({
        source: expect.stringMatching(/^https:\/\/github\.com\//),
        licence: expect.stringMatching(/^(CC0-1\.0|CC-BY-4\.0|MIT)/),
      })
    }
  })
})
