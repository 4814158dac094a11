/**
 * The names of the countries of the world, from packages that have them in 77 languages and take long to load. The
 * build keeps what these functions give: the program itself never loads the packages.
 */
import countries from 'i18n-iso-countries'
import nationalities from 'i18n-nationality'
import { tableText } from '../tables/table-text.ts'
import { countryKeyOf } from './country-key.ts'

/** A country; names and adjectives as people write them. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly names: readonly string[]
  readonly adjectives: readonly string[]
  /** Alpha-2 and alpha-3. */
  readonly codes: readonly string[]
}

/** Names and adjectives that the packages lack, by the code of the country. */
function otherWords(): ReadonlyMap<string, readonly string[][]> {
  const rows = tableText('countries')
    .split('\n')
    .map((line) => line.split(' | '))
  const listed = (cell = '') => cell.split(', ').filter((each) => each !== '')
  return new Map(rows.map(([code = '', ...cells]) => [code, cells.map(listed)]))
}
/** Adjectives of the package that are another country's. */
const wrongAdjectives: ReadonlySet<string> = new Set(['WF'])

/** All countries, in the order of the package. */
export function countryTable(): Country[] {
  const names = countries.getNames('en', { select: 'all' })
  const others = otherWords()
  const written = nationalities.getNames('en')
  const plain = new Set(Object.values(written).flatMap(plainAdjectives))
  return Object.entries(names).map(([code, own]) => {
    const [otherNames = [], otherAdjectives = []] = others.get(code) ?? []
    const adjectives = wrongAdjectives.has(code) ? [] : adjectivesOf(written[code] ?? '', plain)
    return {
      code,
      names: [...own, ...otherNames],
      adjectives: [...adjectives, ...otherAdjectives],
      codes: [code, countries.alpha2ToAlpha3(code) ?? code],
    }
  })
}

/** `Trinidadian or Tobagonian` and `Bosnian - Herzegovinian` are two adjectives each. */
function plainAdjectives(written: string): string[] {
  return written.includes('(') ? [] : written.split(/ or | - | and /).filter((each) => each !== '')
}

/**
 * `Congolese (Republic of the Congo)` is one of several who are Congolese; `French (French Guiana)`
 * is not who is called French.
 */
function adjectivesOf(written: string, plain: ReadonlySet<string>): string[] {
  const [shared = ''] = written.split(' (')
  if (shared === written) return plainAdjectives(written)
  return plain.has(shared) ? [] : [shared]
}

/** Forms of a name that are not shown if there is another: several words, an abbreviation. */
const unusualName = /^[A-Z.]+$|,/

/** The English name of each country, by its alpha-2 code: no two are the same. */
function shownNames(): Map<string, string> {
  const usual = countries.getNames('en', { select: 'alias' })
  const official = countries.getNames('en', { select: 'official' })
  const plain = Object.values(usual)
  return new Map(
    Object.entries(official).map(([code, name]) => {
      const alias = usual[code] ?? name
      const isShared = plain.indexOf(alias) !== plain.lastIndexOf(alias)
      const shown = isShared || unusualName.test(alias) ? name : alias
      return [code, shown.replace(/^The /, '')]
    }),
  )
}

/** English names by key, and the keys of those that several countries have, as the two Congos. */
interface EnglishNames {
  readonly names: Readonly<Record<string, string>>
  readonly shared: readonly string[]
}

/** The English name of each country, by the keys of its names and codes. */
export function englishCountryNames(): EnglishNames {
  const shown = shownNames()
  const names = new Map<string, string>()
  const shared = new Set<string>()
  for (const { code, names: own } of countryTable()) {
    const name = shown.get(code)!
    for (const key of own.map(countryKeyOf)) {
      if ((names.get(key) ?? name) !== name) shared.add(key)
      names.set(key, name)
    }
  }
  for (const key of shared) names.delete(key)
  for (const { code, codes } of countryTable()) {
    for (const each of codes) names.set(each, shown.get(code)!)
  }
  return { names: Object.fromEntries(names), shared: [...shared] }
}

/** The same by the keys of names in the other languages. A name that two of them have for two countries is neither. */
export function otherCountryNames(): Readonly<Record<string, string>> {
  const { names: english } = englishCountryNames()
  const shown = new Map<string, string>()
  const shared = new Set<string>()
  for (const language of countries.langs().filter((language) => language !== 'en')) {
    for (const [code, names] of Object.entries(countries.getNames(language, { select: 'all' }))) {
      const name = english[code]
      if (name === undefined) continue
      for (const key of names.map(countryKeyOf)) {
        if ((shown.get(key) ?? name) !== name) shared.add(key)
        shown.set(key, name)
      }
    }
  }
  for (const key of shared) shown.delete(key)
  return Object.fromEntries(shown)
}
