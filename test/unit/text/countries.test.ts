/** What countries are called: the tables are whole, and nobody has an adjective of others. */
import { describe, expect, it } from 'vitest'
import { countryNameOf } from '../../../src/text/countries/countries.ts'
import { countryTable } from '../../../src/text/countries/country-names.made.ts'

const table = countryTable()

function codesOf(word: string): string[] {
  return table
    .filter(({ names, adjectives }) => names.includes(word) || adjectives.includes(word))
    .map(({ code }) => code)
}

describe('the countries', () => {
  it('are all of ISO 3166-1, each with a name and two codes', () => {
    expect(table.length).toBeGreaterThan(245)
    expect(table.filter(({ names, codes }) => names.length === 0 || codes.length !== 2)).toEqual([])
  })

  it.each([
    ['French', ['FR']],
    ['Germany', ['DE']],
    ['UK', ['GB']],
    ['USA', ['US']],
    ['American', ['US']],
    ['Argentine', ['AR']],
    ['Korean', ['KR']],
    ['Syria', ['SY']],
    ['Congolese', ['CG', 'CD']],
    ['Dominican', ['DM', 'DO']],
    ['Herzegovinian', ['BA']],
    ['Welsh', []],
  ])('that are called %s are %j', (word, codes) => {
    expect(codesOf(word)).toEqual(codes)
  })
})

describe('the name of a country', () => {
  it.each([
    ['US', 'United States'],
    ['U.S.A.', 'United States'],
    ['United States of America', 'United States'],
    ['Deutschland', 'Germany'],
    ['ESPAÑA', 'Spain'],
    ['日本', 'Japan'],
    ['UK', 'United Kingdom'],
    ['The Netherlands', 'Netherlands'],
  ])('%s is shown as %s', (written, shown) => {
    expect(countryNameOf(written)).toBe(shown)
  })

  it.each(['', 'Freedonia', 'England', 'in', 'Congo'])('%j stays as it is', (written) => {
    expect(countryNameOf(written)).toBe(written)
  })

  it('is one for each country, and its own', () => {
    const shown = table.map(({ code }) => countryNameOf(code))
    expect(new Set(shown).size).toBe(table.length)
    expect(shown.map(countryNameOf)).toEqual(shown)
  })
})
