/**
 * Places: what the countries that the records name are called. Spellings of one country are one
 * place (`Viet Nam`, `Vietnam`), a country that no table knows is called as it is written, and a name
 * that several countries share is a place of its own, which has the people of all of them.
 */

import { termsOf } from '../text/analyzer.ts'
import { type Country, countryTable } from '../text/countries/country-names.made.ts'
import { lazily } from '../text/lazily.ts'
import { phraseKey } from '../text/number.ts'
import { isStopWord } from '../text/stop-words.ts'

export interface PlaceNames {
  /** The countries of each, as the records write them, by their numbers. */
  readonly countries: readonly (readonly number[])[]
  /** The place that a phrase means, by its key: a name or an adjective. */
  readonly phrases: ReadonlyMap<string, number>
  readonly codes: ReadonlyMap<string, number>
  readonly terms: ReadonlySet<string>
  /** The keys of the names, adjectives and codes of countries without people. */
  readonly absent: ReadonlySet<string>
}

interface Group {
  readonly countries: number[]
  readonly names: Set<string>
  readonly codes: readonly string[]
}

/** @param written the countries of the records by number; an empty one is none. */
export function placesOf(written: readonly string[]): PlaceNames {
  const groups = [...groupsOf(written).values()]
  const terms = new Set(groups.flatMap(({ names }) => [...names].flatMap(termsOf)))
  const meant = new Map<string, Set<number>>()
  const codes = new Map<string, number>()
  groups.forEach((group, place) => {
    for (const key of [...group.names].flatMap(keysOf)) {
      meant.set(key, (meant.get(key) ?? new Set()).add(place))
    }
    for (const code of group.codes) codes.set(phraseKey(termsOf(code)), place)
  })
  const countries = groups.map((group) => group.countries)
  const phrases = placed(meant, countries)
  const absent = new Set(countryKeys().called.filter((key) => !phrases.has(key) && !codes.has(key)))
  return { countries, phrases, codes, terms, absent }
}

/** One place for each phrase; for one that means several, another that has all their countries. */
function placed(
  meant: ReadonlyMap<string, ReadonlySet<number>>,
  countries: number[][],
): Map<string, number> {
  const shared = new Map<string, number>()
  const phrases = new Map<string, number>()
  for (const [key, places] of meant) {
    const name = [...places].join()
    const [only = 0] = places
    const place = places.size === 1 ? only : (shared.get(name) ?? countries.length)
    if (place === countries.length) {
      countries.push([...places].flatMap((each) => countries[each]!))
      shared.set(name, place)
    }
    phrases.set(key, place)
  }
  return phrases
}

interface CountryKeys {
  /** The country of a name or a code; the first of several. */
  readonly known: ReadonlyMap<string, Country>
  readonly names: ReadonlySet<string>
  readonly called: readonly string[]
}

export const countryKeys = lazily((): CountryKeys => {
  const known = new Map<string, Country>()
  const names = new Set<string>()
  const called: string[] = []
  for (const country of countryTable()) {
    const own = country.names.map((name) => phraseKey(termsOf(name)))
    const codes = country.codes.map((code) => phraseKey(termsOf(code)))
    for (const key of own) names.add(key)
    for (const key of [...own, ...codes]) if (!known.has(key)) known.set(key, country)
    called.push(...[...country.names, ...country.adjectives, ...country.codes].flatMap(keysOf))
  }
  return { known, names, called }
})

function groupsOf(written: readonly string[]): Map<string, Group> {
  const { known } = countryKeys()
  const groups = new Map<string, Group>()
  written.forEach((name, number) => {
    const key = phraseKey(termsOf(name))
    if (key === '') return
    const country = known.get(key)
    const group = groups.get(country?.code ?? key) ?? {
      countries: [],
      names: new Set([...(country?.names ?? []), ...(country?.adjectives ?? [])]),
      codes: country?.codes ?? [],
    }
    group.countries.push(number)
    group.names.add(name)
    groups.set(country?.code ?? key, group)
  })
  return groups
}

/** The key of a name, and of the name without its small words: `Bosnia Herzegovina`. */
function keysOf(name: string): string[] {
  const terms = termsOf(name)
  const key = phraseKey(terms)
  const short = phraseKey(terms.filter((term) => !isStopWord(term)))
  return short === '' ? [key] : [key, short]
}
