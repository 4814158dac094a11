/**
 * The names that values of parameters have: fields, facets, kinds, types of changes, filters; and the parameters that
 * every query ignores. `src/api/schemas/inputs.ts` has the parameters. Imports nothing.
 */

/** The values of `fields`: the fields of summary and profile items, in the order of an answer. */
export const fieldNames = [
  'sdu',
  'name',
  'rank',
  'country_name',
  'topic',
  'bio',
  'country',
  'topics',
  'socials',
  'authority_score',
  'website',
] as const

export type FieldName = (typeof fieldNames)[number]

/** The fields that an item has only of a profile: with any of them it costs what detail costs. */
const profileFields: readonly FieldName[] = ['bio', 'topics', 'socials', 'website']

export function holdsProfile(fields: readonly FieldName[] | undefined): boolean {
  return fields?.some((name) => profileFields.includes(name)) === true
}

export const facetNames = ['country', 'topic', 'platform', 'attribute'] as const

export type FacetName = (typeof facetNames)[number]

/** The kinds of suggestions of `autocomplete`, in the order of an answer. */
export const suggestionKinds = ['topic', 'person', 'handle'] as const

export type SuggestionKind = (typeof suggestionKinds)[number]

/** The types of changes of a person between two snapshots; files of changes go by this order. */
export const changeTypes = [
  'added',
  'removed',
  'merged',
  'score',
  'rank',
  'core_topic',
  'profile',
  'handle',
] as const

/** The filters whose values name something of the snapshot: `FilterNames` reads them. */
export const choiceNames = ['country', 'platform', 'topic', 'attribute'] as const

export type ChoiceName = (typeof choiceNames)[number]

/**
 * The filters of lists of people, in the order in which they are read. Each is a parameter of search and
 * peers, and has its sets in `FilterHolders`.
 */
export const filterNames = [...choiceNames, 'score_min', 'followers_min'] as const

export type FilterName = (typeof filterNames)[number]

/** The value of a filter: numbers of the snapshot, of which any matches, or a minimum. */
export type FilterValue<N extends FilterName> = N extends ChoiceName ? readonly number[] : number

/**
 * Names that published clients and trackers add by themselves, and that every query ignores: those that
 * keep caches away (`_` of jQuery, `_dc` of Ext JS), and those that identify advertisements.
 */
export const passedOverNames: readonly string[] = [
  '_',
  '_dc',
  '_ga',
  '_gl',
  'dclid',
  'fbclid',
  'gad_source',
  'gbraid',
  'gclid',
  'gclsrc',
  'igshid',
  'li_fat_id',
  'mc_cid',
  'mc_eid',
  'msclkid',
  'ttclid',
  'twclid',
  'wbraid',
  'yclid',
]

/** The prefix of the names of campaigns, which every query ignores, too. */
export const passedOverPrefix = 'utm_'
