/**
 * The countries of the people the relevance bench asks for, with the adjective of each: a list of
 * its own, so that what the product knows of countries is not judged by itself.
 */
import type { CultureName } from './names.ts'

/** A country. */
export interface Nation {
  /** As records write it. */
  readonly country: string
  /** Undefined where English has none that is not the country's name. */
  readonly adjective: string | undefined
  /** How people there are called, and how many of the generated people live there. */
  readonly culture: CultureName | undefined
  readonly share: number
}

const generated: readonly (readonly [string, string, CultureName, number])[] = [
  ['United States', 'American', 'english', 9],
  ['United Kingdom', 'British', 'english', 5],
  ['Canada', 'Canadian', 'english', 2],
  ['Australia', 'Australian', 'english', 2],
  ['Ireland', 'Irish', 'english', 1],
  ['France', 'French', 'french', 6],
  ['Belgium', 'Belgian', 'french', 1],
  ['Germany', 'German', 'german', 6],
  ['Austria', 'Austrian', 'german', 2],
  ['Switzerland', 'Swiss', 'german', 1],
  ['Spain', 'Spanish', 'spanish', 4],
  ['Mexico', 'Mexican', 'spanish', 2],
  ['Argentina', 'Argentine', 'spanish', 2],
  ['Portugal', 'Portuguese', 'portuguese', 1],
  ['Brazil', 'Brazilian', 'portuguese', 3],
  ['Italy', 'Italian', 'italian', 4],
  ['Poland', 'Polish', 'polish', 3],
  ['Sweden', 'Swedish', 'nordic', 2],
  ['Denmark', 'Danish', 'nordic', 1],
  ['Norway', 'Norwegian', 'nordic', 1],
  ['Netherlands', 'Dutch', 'dutch', 3],
  ['Hungary', 'Hungarian', 'hungarian', 2],
  ['Turkey', 'Turkish', 'turkish', 2],
  ['Vietnam', 'Vietnamese', 'vietnamese', 1],
  ['India', 'Indian', 'indian', 3],
  ['Nepal', 'Nepalese', 'hindi', 2],
  ['Nigeria', 'Nigerian', 'yoruba', 1],
  ['Russia', 'Russian', 'russian', 6],
  ['Ukraine', 'Ukrainian', 'ukrainian', 3],
  ['Greece', 'Greek', 'greek', 4],
  ['Egypt', 'Egyptian', 'arabic', 3],
  ['Lebanon', 'Lebanese', 'arabic', 2],
  ['Israel', 'Israeli', 'hebrew', 2],
  ['Thailand', 'Thai', 'thai', 4],
  ['China', 'Chinese', 'chinese', 5],
  ['Japan', 'Japanese', 'japanese', 4],
  ['South Korea', 'South Korean', 'korean', 4],
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
  ['Czechia', 'Czech'],
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
  ...generated.map(([country, adjective, culture, share]) => ({
    country,
    adjective,
    culture,
    share,
  })),
  ...others.map(([country, adjective]) => ({
    country,
    adjective,
    culture: undefined,
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
