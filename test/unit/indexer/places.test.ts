/** Places: what the countries of the records are called. */
import { describe, expect, it } from 'vitest'
import { placesOf } from '../../../src/indexer/places.ts'
import { termsOf } from '../../../src/text/analyzer.ts'
import { phraseKey } from '../../../src/text/number.ts'

const written = ['', 'Vietnam', 'France', 'Viet Nam', 'Atlantis', 'Congo', 'DR Congo'].concat([
  'Democratic Republic of the Congo',
  'Bosnia and Herzegovina',
  'Georgia',
  '!',
])
const places = placesOf(written)

function meant(text: string, by: 'phrases' | 'codes' = 'phrases'): string[] {
  const place = places[by].get(phraseKey(termsOf(text)))
  return place === undefined ? [] : places.countries[place]!.map((country) => written[country]!)
}

describe('a place', () => {
  it.each([
    ['vietnam', ['Vietnam', 'Viet Nam']],
    ['Vietnamese', ['Vietnam', 'Viet Nam']],
    ['the French', []],
    ['French', ['France']],
    ['atlantis', ['Atlantis']],
    ['Bosnia Herzegovina', ['Bosnia and Herzegovina']],
    ['Bosnia and Herzegovina', ['Bosnia and Herzegovina']],
    ['Herzegovinians', ['Bosnia and Herzegovina']],
    ['Germany', []],
    ['German', []],
    ['', []],
  ])('is called %s by those of %j', (text, countries) => {
    expect(meant(text)).toEqual(countries)
  })

  it('that is several of one name has all their countries', () => {
    expect(meant('Congolese').sort()).toEqual(['Congo', 'Democratic Republic of the Congo'])
  })

  it('has a code only as a code', () => {
    expect([
      meant('FR'),
      meant('fra', 'codes'),
      meant('fr', 'codes'),
      meant('de', 'codes'),
    ]).toEqual([[], ['France'], ['France'], []])
  })

  it('gives the terms that it is called by', () => {
    expect([...places.terms]).toEqual(expect.arrayContaining(['french', 'herzegovinian', 'viet']))
  })
})
