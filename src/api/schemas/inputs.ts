/**
 * The inputs of the operations, once: a request by GET or by POST and the arguments of a tool become one plain object,
 * which these schemas check; OpenAPI, the tools, the clients' types and the tables of the API guide come from here.
 */
import * as z from 'zod'
import { limits, withThousands } from '../../limits.ts'
import {
  type GetRouteName,
  getRouteNames,
  type PostRouteName,
  type RouteName,
} from '../../operations.ts'
import {
  type ChoiceName,
  changeTypes,
  facetNames,
  suggestionKinds,
} from '../../request-parameters.ts'
import * as values from './values.ts'

interface Words {
  /** For the API guide and OpenAPI. */
  readonly text: string
  /** For a model that fills it in; absent if tools do not offer it. */
  readonly toolText?: string
  /** Its value as a tool takes it, where a model must send an exact value or needs less of the schema. */
  readonly toolValue?: z.ZodType
  readonly example: unknown
  /** Every published spelling in a query string if there is more than its name; messages use the first. */
  readonly spellings?: readonly [string, ...string[]]
  /** May hold commas: a percent-encoded one is part of a value; in a `choice` also a plain one of a whole name. */
  readonly commas?: 'encoded' | 'choice'
  /** Whether a list without a value is as none: elsewhere it is refused. */
  readonly isBlankAbsent?: boolean
}

const words = new Map<z.ZodType, Words>()

function said<T extends z.ZodType>(schema: T, about: Words): T {
  words.set(schema, about)
  return schema
}

const perRequest = `1 to ${limits.valuesPerRequestMax}, separated by commas or the parameter repeated`
const perBody = `1 to ${withThousands(limits.batchValuesMax)}, as a list of strings`

const aboutQuery = {
  text: 'A topic, keywords, a name, a handle or a question; in quotation marks, exactly these words. For suggestions and topics: the text typed so far.',
  toolText:
    'A topic ("Rust"), keywords, topic and country ("writers from France") or a name ("David Wood").',
  // The API refuses a blank one and says the way out.
  toolValue: z.string().min(1).max(limits.queryCharactersMax),
  example: 'machine learning',
}
const query = said(values.text(': give a topic or a keyword'), aboutQuery)

const limit = said(values.count, {
  text: `Maximum number of items (1 to ${limits.resultsMax}; larger values count as ${limits.resultsMax}).`,
  toolText: 'Maximum number.',
  toolValue: z.int().min(1).max(limits.resultsMax).default(limits.resultsDefault),
  example: 3,
})

const explain = said(values.explanation, {
  text: '`true` adds `explanation` to each item (the parts of its rank) and, to a search, `query` (how the text was understood). `query` adds only the latter.',
  toolText: 'Say why each has its rank.',
  toolValue: values.wish(),
  example: true,
})

const aboutSdus = {
  text: `SDUs: ${perRequest}.`,
  toolText: 'From other tools, as strings: ["4893387514556449885"].',
  toolValue: z.array(values.sdu).min(1).max(limits.valuesPerRequestMax),
  example: ['4893387514556449885'],
  spellings: ['sdus', 'sdu'],
} as const satisfies Words
const sdus = said(values.sdus('query'), aboutSdus)

const handles = said(values.handles('handles', 'query', limits.handleCharactersMax), {
  text: `Handles, \`name\`, \`@name\`, \`platform:name\`, an identifier or an address: ${perRequest}.`,
  toolText:
    '"@davidtwco", "github:davidtwco" (only there), URLs of profiles or posts, "orcid:…", "wikidata:Q…".',
  toolValue: z
    .array(
      z
        .string()
        .min(1)
        .max(limits.handleCharactersMax)
        .regex(/^[^,]+$/, 'one handle each, without commas'),
    )
    .min(1)
    .max(limits.valuesPerRequestMax),
  example: ['@SenCapito'],
  spellings: ['handles', 'handle'],
  commas: 'encoded',
})

/** A filter by names of the snapshot. A tool leaves the bounds out, so that a model reads less. */
function choice(name: ChoiceName, about: Omit<Words, 'commas' | 'toolValue'>) {
  const toolValue = z.array(z.string())
  return said(values.names(name).optional(), { ...about, toolValue, commas: 'choice' })
}

/** The filters of lists of people, in the order of `filterNames`. */
const filters = {
  country: choice('country', {
    text: `Only people of any of these countries, by ISO code, name or adjective: ${perRequest}.`,
    toolText: 'Only these, by name or ISO code.',
    example: ['France'],
  }),
  platform: choice('platform', {
    text: `Only people with a handle or an identifier on any of these platforms: ${perRequest}.`,
    toolText: 'Only with an account on these.',
    example: ['github'],
  }),
  topic: choice('topic', {
    text: `Only members of any of these topics, by label or alias: ${perRequest}.`,
    toolText: 'Only members of these.',
    example: ['Rust'],
  }),
  attribute: choice('attribute', {
    text: `Only people with these attributes, each as \`key:value\`; of one key any value is enough, of several keys one value each: ${perRequest}.`,
    toolText: 'Only with these, as "key:value".',
    example: ['party:Independent'],
  }),
  score_min: said(values.score.optional(), {
    text: 'Only people whose authority score is at least this: 0 to 100.',
    toolText: 'Least authority score.',
    example: 50,
  }),
  followers_min: said(values.followers.optional(), {
    text: `Only people with at least this many followers on all platforms together: 0 to ${withThousands(limits.followersMinMax)}.`,
    toolText: 'Least followers in all.',
    toolValue: z.number().min(0),
    example: 1000,
  }),
}

const fields = said(values.fields('query').optional(), {
  text: 'The fields of each item, of summary and profile; items have no other fields. With `bio`, `topics`, `socials` or `website` each item costs what detail costs, beside the query.',
  toolValue: values.fieldsAsSent,
  toolText: 'Only these, and the SDU; bio, topics, socials, website cost a profile each.',
  example: ['sdu', 'authority_score'],
})

const facets = said(values.facets.optional(), {
  text: `Adds \`facets\`: how many of all matches have each ${facetNames.join(', ')}; the ${limits.facetKeysMax} largest of each.`,
  example: ['country'],
})

const cursor = said(values.cursor.optional(), {
  text: '`*` for the first page, then the `next_cursor` of the previous page, with the same other parameters. Search and peers answer pages only with a cursor.',
  toolText: 'All, page by page: "*", then each next_cursor.',
  toolValue: z.string(),
  example: '*',
})

const related = said(values.flag, {
  text: '`false`: a text that is only another word for a topic has no match. Default `true`.',
  example: false,
})

const since = said(values.sentSnapshotId(': give the id of a snapshot'), {
  text: 'The id of the snapshot that the client has; the answer lists what changed after it.',
  toolText: 'The id of a snapshot: 32 hexadecimal digits.',
  // The API refuses a wrong one, and the tool says the way out.
  toolValue: z.string(),
  example: '932a14ea845a688ba9f6f717eb1a41e5',
})

const id = said(values.sentSnapshotId(), {
  text: 'The id of a snapshot, in the path.',
  example: '932a14ea845a688ba9f6f717eb1a41e5',
})

const inTopic = said(values.anyText.optional(), {
  text: 'Of changes: only ranks in this topic and core topics that are it. Of a history: ranks in it, not in the core topic.',
  toolText: 'Ranks in this topic.',
  example: 'Rust',
})

const types = said(values.types.optional(), {
  text: `Only changes of these types: ${changeTypes.join(', ')}.`,
  toolText: 'Only these.',
  example: ['added', 'removed'],
  isBlankAbsent: true,
  spellings: ['types', 'type'],
})

const kinds = said(values.kinds.optional(), {
  text: `Only suggestions of these kinds: ${suggestionKinds.join(', ')}.`,
  example: ['topic', 'person'],
  spellings: ['kinds', 'kind'],
})

const postedFields = said(values.fields('body').optional(), {
  text: 'The fields of an item that are wanted, of summary and profile; items hold no others. With `bio`, `topics`, `socials` or `website` each item with a person costs what detail costs, beside the query.',
  example: ['sdu', 'authority_score'],
})

const postedExplain = said(values.wish(), {
  text: `\`true\` adds \`explanation\` to each item: what its rank is made of. For at most ${limits.explainedMax} values.`,
  example: true,
})

const aligned = said(values.wish(), {
  text: '`true` answers one item for each value in the order of the request, `null` where there is no match. Of a rank, each item has its `position` in the order by authority.',
  example: true,
})

const lenient = said(values.wish(), {
  text: '`true` answers an entry that is no source, and a topic that is unknown, by a `reason` in the item instead of a 400. An entry that is no source costs nothing.',
  example: true,
})

const postedSdus = said(values.sdus('body'), {
  text: `SDUs: ${perBody}.`,
  example: ['4893387514556449885'],
})

const postedHandles = said(values.handles('handles', 'body', limits.handleCharactersMax), {
  text: `Handles, each as a GET takes it: ${perBody}.`,
  example: ['@SenCapito', 'github:davidtwco'],
})

const sources = said(values.handles('sources', 'body', limits.sourceCharactersMax), {
  text: `Handles, identifiers and addresses of profiles and of what people publish: ${perBody}.`,
  toolText: `The address of each source, or "platform:name" of its author.`,
  example: ['https://github.com/davidtwco', '@SenCapito', '@nobody'],
})

const rankedIn = said(values.topic, {
  text: 'A topic by its label or an alias: its members come first, by their rank in it.',
  toolText: 'Puts first who ranks in this topic.',
  example: 'Rust',
})

const ranked = {
  topic: rankedIn,
  fields: postedFields,
  explain: postedExplain,
  aligned,
  lenient,
}

/** The main parameter or member first. */
export interface Inputs {
  readonly get?: z.ZodObject
  readonly post?: z.ZodObject
  /** Of a body with `lenient`, which may hold anything in its list. */
  readonly lenient?: z.ZodObject
  /** Parameters that clients of the published interface send to every route, and this one ignores. */
  readonly passesOver?: readonly string[]
}

export const inputs = {
  search: {
    get: z.strictObject({ query, limit, explain, ...filters, fields, cursor, facets, related }),
  },
  detail: {
    get: z.strictObject({ sdus, explain, fields }),
    passesOver: ['limit'],
    post: z.strictObject({
      sdus: postedSdus,
      explain: postedExplain,
      fields: postedFields,
      aligned,
    }),
  },
  peers: { get: z.strictObject({ handles, limit, explain, ...filters, fields, cursor }) },
  match: {
    get: z.strictObject({ handles, explain, fields }),
    passesOver: ['limit'],
    post: z.strictObject({
      handles: postedHandles,
      explain: postedExplain,
      fields: postedFields,
      aligned,
    }),
  },
  rank: {
    post: z.strictObject({ sources, ...ranked }),
    lenient: z.strictObject({ sources: values.anything, ...ranked }),
  },
  autocomplete: { get: z.strictObject({ query, limit, kinds }) },
  topics: {
    get: z.strictObject({ query: said(values.anyText.optional(), aboutQuery), limit, cursor }),
  },
  snapshots: { get: z.strictObject({ cursor }) },
  snapshot: { get: z.strictObject({ id }) },
  changes: {
    get: z.strictObject({
      since,
      sdus: said(values.sdus('query').optional(), { ...aboutSdus, isBlankAbsent: true }),
      topic: inTopic,
      types,
      cursor,
    }),
  },
  history: { get: z.strictObject({ sdus, topic: inTopic, cursor }) },
} as const satisfies {
  readonly [R in RouteName]: Inputs &
    (R extends GetRouteName ? { readonly get: z.ZodObject } : unknown) &
    (R extends PostRouteName ? { readonly post: z.ZodObject } : unknown)
}

type Output<R extends RouteName, M extends 'get' | 'post'> = (typeof inputs)[R] extends {
  readonly [N in M]: infer S extends z.ZodType
}
  ? z.output<S>
  : unknown

/** The plain object of a request; what only a body can hold is undefined in that of a query string. */
export type Values<R extends RouteName> = R extends GetRouteName
  ? Output<R, 'get'> & Partial<Output<R, 'post'>>
  : Output<R, 'post'>

export interface Field extends Omit<Words, 'spellings'> {
  readonly name: string
  readonly schema: z.ZodType
  readonly type: FieldType
  readonly spellings: readonly [string, ...string[]]
  readonly isRequired: boolean
}

/** The type of a value below what makes it optional; `query` of an explanation is a text, too. */
export function typeOf(schema: z.ZodType): FieldType {
  const { type, innerType, out, format } = schema.def as {
    readonly type: string
    readonly innerType?: z.ZodType
    readonly out?: z.ZodType
    readonly format?: string
  }
  const inner = innerType ?? out
  if (inner !== undefined) return typeOf(inner)
  if (type === 'array' || type === 'string') return type
  if (type === 'number') return format === 'safeint' ? 'int' : 'number'
  return 'boolean'
}

export type FieldType = 'array' | 'string' | 'number' | 'int' | 'boolean'

/** A schema with a description, which stands below what makes it optional. */
export function described(schema: z.ZodType, text: string): z.ZodType {
  return schema instanceof z.ZodOptional
    ? (schema.unwrap() as z.ZodType).describe(text).optional()
    : schema.describe(text)
}

function fieldsOf({ shape }: z.ZodObject): readonly Field[] {
  return Object.entries(shape as Record<string, z.ZodType>).map(([name, schema]) => ({
    ...{ spellings: [name], name, schema, type: typeOf(schema) },
    ...words.get(schema)!,
    isRequired: !schema.safeParse(undefined).success,
  }))
}

export function parametersOf(route: RouteName): readonly Field[] {
  const { get }: Inputs = inputs[route]
  return get === undefined ? [] : fieldsOf(get)
}

export const parameterSpellings: ReadonlySet<string> = new Set(
  getRouteNames.flatMap((route) => parametersOf(route).flatMap(({ spellings }) => spellings)),
)

export function takes(route: RouteName, name: string): boolean {
  return parametersOf(route).some((field) => field.name === name)
}

export function membersOf(route: RouteName): readonly Field[] {
  const { post }: Inputs = inputs[route]
  return post === undefined ? [] : fieldsOf(post)
}
