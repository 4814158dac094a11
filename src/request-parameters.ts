/**
 * Every parameter of the operations, once: its spellings, its kind, and its descriptions. The values of
 * `fields`, `facets` and `types` stand here, too. Imports limits only.
 */
import { limits, withThousands } from './limits.ts'

/** The kind of a parameter, by which `src/api/parameters/parameters.ts` reads its values. */
export type ParameterKind =
  | 'text'
  | 'count'
  | 'explanation'
  | 'flag'
  | 'sdus'
  | 'handles'
  | 'choice'
  | 'score'
  | 'whole'
  | 'fields'
  | 'facets'
  | 'cursor'
  | 'snapshot'
  | 'change-types'
  | 'suggestion-kinds'

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

/** One of `fieldNames`. */
export type FieldName = (typeof fieldNames)[number]

/** The fields that an item has only of a profile: with any of them it costs what detail costs. */
const profileFields: readonly FieldName[] = ['bio', 'topics', 'socials', 'website']

/** Whether any of the wanted fields makes an item a profile. */
export function holdsProfile(fields: readonly FieldName[] | undefined): boolean {
  return fields?.some((name) => profileFields.includes(name)) === true
}

/** The values of `facets`. */
export const facetNames = ['country', 'topic', 'platform', 'attribute'] as const

/** One of `facetNames`. */
export type FacetName = (typeof facetNames)[number]

/** The kinds of suggestions of `autocomplete`, in the order of an answer. */
export const suggestionKinds = ['topic', 'person', 'handle'] as const

/** One of `suggestionKinds`. */
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

/** A parameter of the query string. */
export interface Parameter {
  readonly kind: ParameterKind
  /** Every published spelling; messages use the first. */
  readonly spellings: readonly [string, ...string[]]
  /** Whether a request without it is refused. */
  readonly required: boolean
  /** A hint that the refusal adds if the parameter is missing. */
  readonly missing?: string
  /** Its description in the API guide and OpenAPI. */
  readonly text: string
  /** Its description for a model that fills it in; absent if tools do not offer it. */
  readonly toolText?: string
  readonly example: unknown
}

const perRequest = `1 to ${limits.valuesPerRequestMax}, separated by commas or the parameter repeated`

/** The parameters by name; the same name means the same in every operation. */
export const parameters = {
  query: {
    kind: 'text',
    spellings: ['query'],
    required: true,
    missing: ': give a topic or a keyword',
    text: 'A topic, keywords, a name, a handle or a question; in quotation marks, exactly these words. For suggestions and topics: the text typed so far.',
    toolText:
      'A topic ("Rust"), keywords, topic and country ("writers from France") or a name ("David Wood").',
    example: 'machine learning',
  },
  limit: {
    kind: 'count',
    spellings: ['limit'],
    required: false,
    text: `Maximum number of items (1 to ${limits.resultsMax}; larger values count as ${limits.resultsMax}).`,
    toolText: 'Maximum number.',
    example: 3,
  },
  explain: {
    kind: 'explanation',
    spellings: ['explain'],
    required: false,
    text: '`true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was understood). `query` adds only the latter.',
    toolText: 'Say why each has its rank.',
    example: true,
  },
  sdus: {
    kind: 'sdus',
    spellings: ['sdus', 'sdu'],
    required: true,
    text: `SDUs: ${perRequest}.`,
    toolText: 'From other tools, as strings: ["4893387514556449885"].',
    example: ['4893387514556449885'],
  },
  handles: {
    kind: 'handles',
    spellings: ['handles', 'handle'],
    required: true,
    text: `Handles, \`name\`, \`@name\`, \`platform:name\`, an identifier or an address: ${perRequest}.`,
    toolText:
      '"@davidtwco", "github:davidtwco" (only there), URLs of profiles or posts, "orcid:…", "wikidata:Q…".',
    example: ['@SenCapito'],
  },
  country: {
    kind: 'choice',
    spellings: ['country'],
    required: false,
    text: `Only people of any of these countries, by ISO code, name or adjective: ${perRequest}.`,
    toolText: 'Only these, by name or ISO code.',
    example: ['France'],
  },
  platform: {
    kind: 'choice',
    spellings: ['platform'],
    required: false,
    text: `Only people with a handle or an identifier on any of these platforms: ${perRequest}.`,
    toolText: 'Only with an account on these.',
    example: ['github'],
  },
  topic: {
    kind: 'choice',
    spellings: ['topic'],
    required: false,
    text: `Only members of any of these topics, by label or alias: ${perRequest}.`,
    toolText: 'Only members of these.',
    example: ['Rust'],
  },
  attribute: {
    kind: 'choice',
    spellings: ['attribute'],
    required: false,
    text: `Only people with these attributes, each as \`key:value\`; of one key any value is enough, of several keys one value each: ${perRequest}.`,
    toolText: 'Only with these, as "key:value".',
    example: ['party:Independent'],
  },
  score_min: {
    kind: 'score',
    spellings: ['score_min'],
    required: false,
    text: 'Only people whose authority score is at least this: 0 to 100.',
    toolText: 'Least authority score.',
    example: 50,
  },
  followers_min: {
    kind: 'whole',
    spellings: ['followers_min'],
    required: false,
    text: `Only people with at least this many followers on all platforms together: 0 to ${withThousands(limits.followersMinMax)}.`,
    toolText: 'Least followers in all.',
    example: 1000,
  },
  fields: {
    kind: 'fields',
    spellings: ['fields'],
    required: false,
    text: 'The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials` or `website` each item costs what detail costs, beside the query.',
    toolText: 'Only these, and the SDU; bio, topics, socials, website cost a profile each.',
    example: ['sdu', 'authority_score'],
  },
  facets: {
    kind: 'facets',
    spellings: ['facets'],
    required: false,
    text: `Adds \`facets\`: how many of all matches have each ${facetNames.join(', ')}; the ${limits.facetKeysMax} largest of each.`,
    example: ['country'],
  },
  cursor: {
    kind: 'cursor',
    spellings: ['cursor'],
    required: false,
    text: '`*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search and peers answer pages only with a cursor.',
    toolText: 'All, page by page: "*", then each next_cursor.',
    example: '*',
  },
  related: {
    kind: 'flag',
    spellings: ['related'],
    required: false,
    text: '`false`: a text that is only another word for a topic has no match. Default `true`.',
    example: false,
  },
  since: {
    kind: 'snapshot',
    spellings: ['since'],
    required: true,
    missing: ': give the id of a snapshot',
    text: 'The id of the snapshot that the client has; the answer lists what changed after it.',
    toolText: 'The id of a snapshot: 32 hexadecimal digits.',
    example: '932a14ea845a688ba9f6f717eb1a41e5',
  },
  id: {
    kind: 'snapshot',
    spellings: ['id'],
    required: true,
    text: 'The id of a snapshot, in the path.',
    example: '932a14ea845a688ba9f6f717eb1a41e5',
  },
  inTopic: {
    kind: 'text',
    spellings: ['topic'],
    required: false,
    text: 'Of changes: only ranks in this topic and core topics that are it. Of a history: ranks in it, not in the core topic.',
    toolText: 'Ranks in this topic.',
    example: 'Rust',
  },
  types: {
    kind: 'change-types',
    spellings: ['types', 'type'],
    required: false,
    text: `Only changes of these types: ${changeTypes.join(', ')}.`,
    toolText: 'Only these.',
    example: ['added', 'removed'],
  },
  kinds: {
    kind: 'suggestion-kinds',
    spellings: ['kinds', 'kind'],
    required: false,
    text: `Only suggestions of these kinds: ${suggestionKinds.join(', ')}.`,
    example: ['topic', 'person'],
  },
} as const satisfies Record<string, Parameter>

/** The name of a parameter. */
export type ParameterName = keyof typeof parameters

/** The parameters of a kind. */
type ParametersOf<K extends ParameterKind> = {
  [N in ParameterName]: (typeof parameters)[N]['kind'] extends K ? N : never
}[ParameterName]

/** A parameter whose values name something of the snapshot: `FilterNames` reads them. */
export type ChoiceName = ParametersOf<'choice'>

/**
 * The filters of lists of people, in the order in which they are read. Each is a parameter of search and
 * peers, and has its sets in `FilterHolders`.
 */
export const filterNames = [
  'country',
  'platform',
  'topic',
  'attribute',
  'score_min',
  'followers_min',
] as const

/** The name of a filter. */
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
