/**
 * What the countries of the world are called in English: names, adjectives, and the codes of ISO
 * 3166-1. For building an index only: the tables are large, and a snapshot carries what it needs.
 */
import countries from 'i18n-iso-countries'
import nationalities from 'i18n-nationality'

/** A country; names and adjectives as people write them. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly names: readonly string[]
  readonly adjectives: readonly string[]
  /** Alpha-2 and alpha-3. */
  readonly codes: readonly string[]
}

/** What the packages leave out: shorter or other names, and adjectives beside their one. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  BN: ['Brunei'],
  CV: ['Cabo Verde'],
  FK: ['Falkland Islands'],
  FM: ['Micronesia'],
  LA: ['Laos'],
  MD: ['Moldova'],
  MM: ['Burma'],
  MO: ['Macau'],
  SY: ['Syria'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  VA: ['Holy See', 'Vatican City', 'Vatican'],
  VG: ['British Virgin Islands'],
  VI: ['US Virgin Islands'],
}
const otherAdjectives: Readonly<Record<string, readonly string[]>> = {
  AE: ['Emirati'],
  AR: ['Argentine', 'Argentinian'],
  EC: ['Ecuadorian'],
  KM: ['Comorian'],
  KR: ['Korean'],
  KZ: ['Kazakh'],
  LU: ['Luxembourgish'],
  MC: ['Monegasque'],
  MV: ['Maldivian'],
  PH: ['Philippine'],
  PS: ['Palestinian'],
  SK: ['Slovak'],
  SR: ['Surinamese'],
  SV: ['Salvadorian'],
  TM: ['Turkmen'],
  UZ: ['Uzbek'],
  XK: ['Kosovar', 'Kosovan'],
  YE: ['Yemeni'],
}
/** Adjectives of the package that are another country's. */
const wrongAdjectives: ReadonlySet<string> = new Set(['WF'])

/** All countries, in the order of the package. */
export function countryTable(): Country[] {
  const names = countries.getNames('en', { select: 'all' })
  const written = nationalities.getNames('en')
  const plain = new Set(Object.values(written).flatMap(plainAdjectives))
  return Object.entries(names).map(([code, own]) => ({
    code,
    names: [...own, ...(otherNames[code] ?? [])],
    adjectives: [
      ...(wrongAdjectives.has(code) ? [] : adjectivesOf(written[code] ?? '', plain)),
      ...(otherAdjectives[code] ?? []),
    ],
    codes: [code, countries.alpha2ToAlpha3(code) ?? code],
  }))
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
