/**
 * The countries of the people the relevance bench asks for, with the adjective of each: a list of
 * its own, so that what the product knows of countries is not judged by itself.
 */
import type { Language } from './names.ts'

/** A country. */
export interface Nation {
  /** As records write it. */
  readonly country: string
  /** Undefined where English has none that is not the country's name. */
  readonly adjective: string | undefined
  /** What names are there; undefined where no generated person lives. */
  readonly language: Language | undefined
  /** How many of the generated people live there, to those of others. */
  readonly share: number
}

const generated: readonly (readonly [string, string, Language, number])[] = [
  ['United States', 'American', 'en', 9],
  ['United Kingdom', 'British', 'en', 5],
  ['Canada', 'Canadian', 'en', 2],
  ['Australia', 'Australian', 'en', 2],
  ['Ireland', 'Irish', 'en', 1],
  ['France', 'French', 'fr', 6],
  ['Belgium', 'Belgian', 'fr', 1],
  ['Germany', 'German', 'de', 6],
  ['Austria', 'Austrian', 'de', 2],
  ['Switzerland', 'Swiss', 'de', 1],
  ['Spain', 'Spanish', 'es', 4],
  ['Mexico', 'Mexican', 'es_MX', 2],
  ['Argentina', 'Argentine', 'es', 2],
  ['Portugal', 'Portuguese', 'pt_PT', 1],
  ['Brazil', 'Brazilian', 'pt_BR', 3],
  ['Italy', 'Italian', 'it', 4],
  ['Poland', 'Polish', 'pl', 3],
  ['Sweden', 'Swedish', 'sv', 2],
  ['Denmark', 'Danish', 'da', 1],
  ['Norway', 'Norwegian', 'nb_NO', 1],
  ['Netherlands', 'Dutch', 'nl', 3],
  ['Czechia', 'Czech', 'cs_CZ', 2],
  ['Hungary', 'Hungarian', 'hu', 2],
  ['Turkey', 'Turkish', 'tr', 2],
  ['Vietnam', 'Vietnamese', 'vi', 1],
  ['India', 'Indian', 'en_IN', 3],
  ['Nepal', 'Nepalese', 'ne', 2],
  ['Nigeria', 'Nigerian', 'yo_NG', 1],
  ['Russia', 'Russian', 'ru', 6],
  ['Ukraine', 'Ukrainian', 'uk', 3],
  ['Greece', 'Greek', 'el', 4],
  ['Armenia', 'Armenian', 'hy', 2],
  ['Georgia', 'Georgian', 'ka_GE', 2],
  ['Egypt', 'Egyptian', 'ar', 3],
  ['Lebanon', 'Lebanese', 'ar', 2],
  ['Iran', 'Iranian', 'fa', 2],
  ['Israel', 'Israeli', 'he', 2],
  ['Thailand', 'Thai', 'th', 4],
  ['China', 'Chinese', 'zh_CN', 5],
  ['Japan', 'Japanese', 'ja', 4],
  ['South Korea', 'South Korean', 'ko', 4],
]

/** Countries of the default data that no generated person is from. */
const others: readonly (readonly [string, string | undefined])[] = [
  ['Luxembourg', undefined],
  ['Cyprus', 'Cypriot'],
  ['Dominican Republic', undefined],
  ['Slovenia', 'Slovenian'],
  ['New Zealand', undefined],
  ['Pakistan', 'Pakistani'],
  ['South Africa', 'South African'],
  ['Peru', 'Peruvian'],
  ['Finland', 'Finnish'],
  ['Estonia', 'Estonian'],
  ['Philippines', 'Philippine'],
  ['Costa Rica', 'Costa Rican'],
  ['Romania', 'Romanian'],
  ['Uruguay', 'Uruguayan'],
  ['Taiwan', 'Taiwanese'],
  ['Tunisia', 'Tunisian'],
  ['Cameroon', 'Cameroonian'],
  ['Serbia', 'Serbian'],
  ['Singapore', 'Singaporean'],
]

/** Every country. */
export const nations: readonly Nation[] = [
  ...generated.map(([country, adjective, language, share]) => ({
    country,
    adjective,
    language,
    share,
  })),
  ...others.map(([country, adjective]) => ({
    country,
    adjective,
    language: undefined,
    share: 0,
  })),
]

const withArticle = new Set([
  'United States',
  'United Kingdom',
  'Netherlands',
  'Philippines',
  'Dominican Republic',
])

/** A country as it is written within a sentence. */
export function inSentence(country: string): string {
  return withArticle.has(country) ? `the ${country}` : country
}
