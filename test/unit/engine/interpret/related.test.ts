/** Another word for a topic: what is understood by it, and what must not be. */
import { describe, expect, it } from 'vitest'
import { abbreviations } from '../../../../src/text/related/abbreviations.ts'
import { familyOf } from '../../../../src/text/related/word-families.ts'
import { searchOver } from '../searched.ts'

const { search, catalog, found } = searchOver(
  [
    { name: 'Rosa Marin', countryName: 'France', topics: ['Environment'] },
    { name: 'Tom Berg', countryName: 'Germany', topics: ['Environment', 'Taxation'] },
    { name: 'Lin Sato', countryName: 'Japan', topics: ['Physics'] },
    { name: 'Ada Roy', countryName: 'France', topics: ['Taxation'] },
  ],
  [
    { topic: 'climate change', aliases: ['global warming'], broader: ['Environment'] },
    { topic: 'pollution', aliases: [], broader: ['Environment'] },
    { topic: 'recycling', aliases: [], broader: ['Environment'] },
    { topic: 'Quantum optics', aliases: ['photonics'], broader: ['Optics'] },
    { topic: 'Optics', aliases: [], broader: ['Physics'] },
    { topic: 'Heraldry', aliases: [], broader: ['Genealogy'] },
  ],
)

describe('another word for a topic', () => {
  it.each([
    ['climate change', 'Environment'],
    ['who knows about global warming?', 'Environment'],
    ['pollution and recycling', 'Environment'],
    ['income tax', 'Taxation'],
    ['physicists', 'Physics'],
    ['quantum mechanics', 'Physics'],
  ])('%j means %s, and the answer is its ranking', (text, label) => {
    const { way, parts } = search.find(text, 10)
    expect([way, new Set(parts.map((part) => catalog.labelOf(part.topic)))]).toEqual([
      'related',
      new Set([label]),
    ])
  })

  it('stands beside a place and another topic, and only those of both are found', () => {
    expect(found('global warming in Germany')).toEqual(['related', 'Tom Berg'])
    expect(found('pollution taxation')).toEqual(['related', 'Tom Berg'])
    expect(found('pollution in Japan')).toEqual(['nobody'])
  })

  it.each(['climate ballet', 'global tennis', 'income poetry', 'quantum computing'])(
    'is not understood where a word is left over: %j',
    (text) => {
      expect(found(text)).toEqual(['nobody'])
    },
  )

  it('is a topic that nobody has, by the broader one that the source names', () => {
    expect(found('quantum optics')).toEqual(['related', 'Lin Sato'])
    expect(found('photonics')).toEqual(['related', 'Lin Sato'])
    expect(found('heraldry')).toEqual(['nobody'])
  })

  it('is not looked for where `related` is false, nor in quotation marks', () => {
    expect(found('climate change', 10, { related: false })).toEqual(['nobody'])
    expect(found('"climate change"')).toEqual(['nobody'])
  })

  it('is not meant behind a title, which asks for a person', () => {
    expect(found('who is climate change')[0]).toBe('related')
    expect(found('mr. climate change')).toEqual(['nobody'])
  })

  it('never hides a topic or a name', () => {
    expect(found('environment')[0]).toBe('topic')
    expect(found('rosa')[0]).toBe('name')
  })
})

describe('the family of a word', () => {
  it.each([
    ['physicists', 'physics'],
    ['biologist', 'biology'],
    ['bankers', 'banking'],
    ['politician', 'politics'],
    ['sculptor', 'sculpture'],
    ['journalist', 'journalism'],
    ['scientist', 'science'],
    ['historian', 'history'],
    ['educator', 'education'],
    ['botanist', 'botany'],
  ])('of %s has %s, and the other way round', (one, other) => {
    expect(familyOf(one)).toContain(other)
    expect(familyOf(other).some((word) => word === one || `${word}s` === one)).toBe(true)
  })

  it('keeps physicians from physics', () => {
    expect(familyOf('physician')).not.toContain('physics')
    expect(familyOf('physics')).not.toContain('physician')
  })
})

describe('nouns', () => {
  const trades = ['Singer', 'Musician', 'Chemistry', 'Theatre', 'Taxation', 'Soldier']
  const built = searchOver(
    trades.flatMap((label, trade) =>
      Array.from({ length: 6 }, (_, at) => ({ name: `Xq${trade} Zv${at}`, topics: [label] })),
    ),
  )
  const meant = (text: string) => {
    const { way, parts } = built.search.find(text, 10)
    return [way, ...parts.map((part) => built.catalog.labelOf(part.topic))]
  }

  it.each([
    ['vocalists', 'Singer'],
    ['rappers', 'Singer'],
    ['sopranos', 'Singer'],
    ['pianists', 'Musician'],
    ['chemists', 'Chemistry'],
    ['dramaturgy', 'Theatre'],
    ['income tax', 'Taxation'],
    ['infantrymen', 'Soldier'],
  ])('%j is of the same meaning, of one origin or a kind of: %s', (text, label) => {
    expect(meant(text)).toEqual(['related', label])
  })

  it.each(['plumbers', 'tractors', 'geology', 'novelists', 'rivers'])(
    'of what no topic covers find nobody: %j',
    (text) => {
      expect(meant(text)).toEqual(['nobody'])
    },
  )
})

it('has several names in each row of abbreviations', () => {
  const rows = abbreviations()
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter((names) => names.length < 2 || names.some((name) => !name.trim()))).toEqual([])
})
