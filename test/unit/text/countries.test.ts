/** What countries are called: the tables are whole. Words for countries: `readings.tsv`. */
import { describe, expect, it } from 'vitest'
import { countryNameOf } from '../../../src/text/countries/countries.ts'
import { countryTable } from '../../../src/text/countries/country-names.made.ts'

const table = countryTable()

describe('the countries', () => {
  it('are all of ISO 3166-1, each with a name and two codes', () => {
    expect(table.length).toBeGreaterThan(245)
    expect(table.filter(({ names, codes }) => names.length === 0 || codes.length !== 2)).toEqual([])
  })
})

describe('the name of a country', () => {
  it('is one for each country, and its own', () => {
    const shown = table.map(({ code }) => countryNameOf(code))
    expect(new Set(shown).size).toBe(table.length)
    expect(shown.map(countryNameOf)).toEqual(shown)
  })
})
