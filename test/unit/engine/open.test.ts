/** The engine alone: a snapshot is opened and asked with nothing of the API, the ledger, HTTP or threads. */
import { describe, expect, it } from 'vitest'
import {
  byScore,
  type Explained,
  inCoreTopic,
  inTopics,
} from '../../../src/engine/explain/explained.ts'
import { Listing } from '../../../src/engine/facets/listing.ts'
import { openEngine } from '../../../src/engine/open.ts'
import { nameOf } from '../../../src/engine/person-names.ts'
import { parseHandle } from '../../../src/text/handle.ts'
import { snapshotOf } from '../../support/indexed.ts'
import { authority, connection, social, topic } from '../../support/records.ts'

const engine = openEngine(
  snapshotOf({
    authorities: [
      authority({
        sdu: '1',
        name: 'Ann Other',
        countryName: 'France',
        socials: [social('github', 'ann', 500)],
      }),
      authority({ sdu: '2', name: 'Bo Stone', countryName: 'Peru', bio: 'Writes compilers.' }),
      authority({ sdu: '3', name: 'Cy Young', countryName: 'France', topics: [topic('Go')] }),
    ],
    connections: [connection('2', '1'), connection('3', '1')],
  }),
)

function namesOf(ordinals: ArrayLike<number>): string[] {
  return Array.from(ordinals, (ordinal) => nameOf(engine.catalog, ordinal))
}

/** The names that a search finds, of everybody who matched. */
function found(text: string): string[] {
  return namesOf(
    new Listing(engine.catalog, engine.search.matched(engine.search.find(text, 1)), []).first(10),
  )
}

describe('an engine', () => {
  it('finds people by topic, name, words and what only nearly is one of them', () => {
    expect(found('rust')).toEqual(['Ann Other', 'Bo Stone'])
    expect(found('cy young')).toEqual(['Cy Young'])
    expect(found('compilers')).toEqual(['Bo Stone'])
    expect(found('compilesr')).toEqual(['Bo Stone'])
    expect(found('zzzz')).toEqual([])
  })

  it('looks up by SDU and handle, with peers', () => {
    const { catalog } = engine
    expect(nameOf(catalog, catalog.findSdu('3'))).toBe('Cy Young')
    const handle = parseHandle('github:ann')
    expect(namesOf(catalog.ownersOf(handle))).toEqual(['Ann Other'])
    expect(namesOf(catalog.peersIn(catalog.peersOf(handle))).sort()).toEqual([
      'Bo Stone',
      'Cy Young',
    ])
  })

  it('filters and counts everybody who matched', () => {
    const { catalog, filters, names, search, tallies } = engine
    const { numbers = [] } = names.country('fr')
    const matched = search.matched(search.find('rust', 1))
    const all = new Listing(catalog, matched, [])
    const french = new Listing(catalog, matched, filters.of({ country: numbers }))
    expect(namesOf(french.first(10))).toEqual(['Ann Other'])
    expect(tallies.of(french, { keysMax: 10 }).total).toBe(1)
    expect(tallies.of(all, { facets: ['country'], keysMax: 10 })).toEqual({
      total: 2,
      before: 0,
      facets: {
        country: [
          { key: 'France', count: 1 },
          { key: 'Peru', count: 1 },
        ],
      },
    })
  })

  it('explains ranks by what they are made of', () => {
    const { evidence, ...catalog } = engine.catalog
    const ann = engine.catalog.findSdu('1')
    const rust = engine.catalog.findTopic('rust')
    expect(catalog.counts.topics).toBe(2)
    const explainedBy = (chosen: Explained) => evidence.ofRank(chosen(evidence, ann), ann)
    const explained = explainedBy(inCoreTopic)
    expect(explained).toMatchObject({ topic: rust, rank: 1, of: 2, endorserCount: 1 })
    expect(explainedBy(inTopics([rust]))).toEqual(explained)
    expect(explainedBy(byScore)).toMatchObject({ topic: -1, rank: 1, of: 3, endorserCount: 2 })
  })

  it('suggests topics, people and handles for what is being typed', () => {
    const { catalog, suggestions } = engine
    const topics = suggestions.topics('ru', 3).map((each) => catalog.labelOf(each))
    expect(topics).toEqual(['Rust'])
    expect(namesOf(suggestions.people('an', 3))).toEqual(['Ann Other'])
    expect(suggestions.handles('@a', 3)).toEqual(['github:ann'])
  })
})
