/**
 * What requests hold and answers look like, once, as zod schemas: the OpenAPI document, the MCP
 * tools and the tests take them from here. Objects are open: a client must ignore a member it does
 * not know. Nothing on the way of a request imports this.
 */
import { z } from 'zod'
import { ways } from '../../catalog/search/found.ts'
import { limits } from '../../limits.ts'
import type { ItemName, Route } from '../../operation.ts'
import { operations, type RouteName, type ToolRouteName } from '../../operations.ts'
import {
  changeTypes,
  facetNames,
  fieldNames,
  type ParameterKind,
  type ParameterName,
  parameters,
  suggestionKinds,
} from '../../request-parameters.ts'
import { connectionKinds } from '../../source/schema.ts'
import { unknownReasons } from '../write/ranked-sources.ts'

const reasonTexts = Object.entries(unknownReasons)
  .map(([name, text]) => `\`${name}\`, ${text}`)
  .join('; ')
const unknownReasonNames = Object.keys(unknownReasons) as (keyof typeof unknownReasons)[]

/** An SDU. */
export const sdu = z
  .string()
  .regex(
    new RegExp(`^[0-9]{1,${limits.sduDigitsMax}}$`),
    `an SDU is 1 to ${limits.sduDigitsMax} digits, as a string`,
  )

/** A handle. */
export const handle = z.string().min(1).max(limits.handleCharactersMax)

/** Values of one parameter. */
export function several<T extends z.ZodType>(item: T) {
  return z.array(item).min(1).max(limits.valuesPerRequestMax)
}

const named = several(z.string().min(1).max(limits.queryCharactersMax))

/** A parameter of each kind, as the API takes it. */
export const kinds = {
  text: z.string().min(1).max(limits.queryCharactersMax),
  count: z.int().min(1).default(limits.resultsDefault),
  explanation: z.union([z.boolean(), z.literal('query')]).default(false),
  flag: z.boolean().default(true),
  sdus: several(sdu),
  handles: several(handle),
  countries: named,
  platforms: named,
  topics: named,
  score: z.number().min(0).max(100),
  whole: z.int().min(0).max(limits.followersMinMax),
  fields: z.array(z.enum(fieldNames)).min(1),
  facets: z.array(z.enum(facetNames)).min(1),
  cursor: z.string().min(1).max(limits.cursorCharactersMax),
  snapshot: z.string().regex(/^[0-9a-f]{32}$/),
  'change-types': several(z.enum(changeTypes)),
  'suggestion-kinds': z.array(z.enum(suggestionKinds)).min(1),
} as const satisfies Record<ParameterKind, z.ZodType>

/** The schema of a parameter's value, lists as arrays. */
export function parameterSchema(name: ParameterName): z.ZodType {
  return kinds[parameters[name].kind]
}

const share = z.number().min(0).max(1)

/** What a rank is made of, where that was asked for. */
const explanation = z
  .looseObject({
    topic: z.string().nullable().describe('The topic of the rank; null for that by score.'),
    rank: z.int().min(1),
    of: z.int().min(1).describe('How many are ranked.'),
    share: share.describe('Of the whole that is shared out; 0 where the record gives the score.'),
    margin: z.number().min(0).describe('To the next: in shares, or in points of the score.'),
    components: z
      .array(
        z.looseObject({
          name: z.enum(['own', 'endorsement', 'record']),
          value: z
            .number()
            .min(0)
            .describe('The share without endorsement; how many endorse; the score.'),
          share,
        }),
      )
      .describe('What the share is made of; their shares sum to it.'),
    endorsers: z
      .array(
        z.looseObject({
          sdu: sdu.nullable().describe('Null for a handle that nobody owns.'),
          name: z.string(),
          kind: z.enum(connectionKinds),
          share,
        }),
      )
      .describe('The strongest, and what each adds to the share.'),
    sources: z
      .array(
        z.looseObject({
          source: z.string().nullable(),
          licence: z.string().nullable(),
          updated_at: z.string().nullable(),
        }),
      )
      .describe('Where the record is from, as far as it says.'),
    sentence: z.string().describe('The same in words.'),
  })
  .optional()
  .describe('What the rank is made of, where that was asked for.')

/** The same as a value. */
export type Explanation = NonNullable<z.output<typeof explanation>>

const summary = z.looseObject({
  sdu: sdu.describe('Identifier of the authority.'),
  name: z.string(),
  rank: z.int().min(1).describe('Position, 1 being the top.'),
  country_name: z.string().describe('In English; empty when it is not known.'),
  topic: z.string().describe('Core topic of the authority.'),
  explanation,
})

const match = summary.extend({
  handle: z
    .string()
    .optional()
    .describe('The handle that this item answers, as it was sent; when several were sent.'),
})

const social = z.looseObject({ handle: z.string(), followers: z.int().min(0) })

const profile = z.looseObject({
  sdu,
  name: z.string(),
  bio: z.string(),
  country: z.string().describe('In English; empty when it is not known.'),
  topics: z.array(z.string()).describe('All topics, the core topic first.'),
  socials: z.record(z.string(), social).describe('Verified handles by platform.'),
  authority_score: z.number().min(0).max(100).describe('0 to 100; compares people across topics.'),
  website: z.string().nullable(),
  explanation,
})

/** An item where `fields` says which of its fields are wanted. */
export const chosenSchema = z
  .looseObject({ ...profile.shape, ...match.shape })
  .partial()
  .describe('Where `fields` is given: those fields alone.')

const facet = z.array(z.looseObject({ key: z.string(), count: z.int().min(1) }))

/** What a list says that is asked for by pages. */
const pageShape = {
  total: z.int().min(0).optional().describe('How many matched. With `cursor`.'),
  next_cursor: z
    .string()
    .nullable()
    .optional()
    .describe('The `cursor` of the next page; null behind the last. With `cursor`.'),
  snapshot_changed: z
    .boolean()
    .optional()
    .describe('Whether the page before came from another snapshot. With `cursor`.'),
}

const facetsShape = {
  facets: z
    .looseObject(Object.fromEntries(facetNames.map((name) => [name, facet.optional()])))
    .optional()
    .describe('How many of all who matched have what, largest first. With `facets`.'),
}

/** How the text of a search was understood, where that was asked for. */
const understood = z.looseObject({
  way: z.enum(ways).describe('Which way found the answer, as X-Search-Way says it.'),
  words: z.array(z.string()).describe('The words that were used.'),
  corrected: z
    .array(z.looseObject({ from: z.string(), to: z.string() }))
    .describe('Words that nobody has, and what was taken instead.'),
  left_out: z.array(z.string()).describe('Words that were not used.'),
  country: z.string().nullable().describe('The country that was understood; several by commas.'),
  topics: z.array(z.string()).describe('The topics that were understood.'),
  suggestions: z
    .looseObject({
      topics: z.array(z.string()).describe('Labels of topics.'),
      names: z.array(z.string()).describe('Names of people.'),
    })
    .optional()
    .describe('What to search for instead; only where nobody was found.'),
})

/** The same as a value. */
export type Understood = z.output<typeof understood>

const rankedSource = z.looseObject({
  source: z.string().describe('As it was sent.'),
  sdu: sdu.nullable().describe('Who published it; of several owners the top authority.'),
  name: z.string().nullable(),
  authority_score: z.number().min(0).max(100).nullable(),
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe('In the topic; null for whoever is no member of the one that was asked for.'),
  topic: z.string().nullable().describe('The topic that was asked for, else the core topic.'),
  reason: z.enum(unknownReasonNames).nullable().describe(`Why nobody is known: ${reasonTexts}.`),
})

const snapshotId = z.string().regex(/^[0-9a-f]{32}$/)
const time = z.iso.datetime().nullable()
const figure = z.number().nullable()

const snapshot = z.looseObject({
  id: snapshotId,
  parent: snapshotId.nullable().describe('The one that was current before; null for the first.'),
  created_at: time.describe('When the records were made, where they say so.'),
  published_at: time.describe('When it was announced, where that is known.'),
  authorities: z.int().min(0),
  topics: z.int().min(0),
  recipe: z.int().min(0).describe('By which formulas and shapes it was made.'),
  digest: z.string().describe('SHA-256 of its header, which has the checksum of everything in it.'),
})

const snapshotPage = snapshot.extend({
  counts: z.record(z.string(), z.int().min(0)).describe('How many there are of what.'),
  people_changed: z
    .int()
    .min(0)
    .nullable()
    .describe('Of how many people anything changed with it.'),
  stability: z
    .looseObject({
      first_ten: z.looseObject({ topics: z.int(), mean: figure, min: figure, share: figure }),
      kendall_tau: z.looseObject({ topics: z.int(), mean: figure, min: figure }),
    })
    .nullable()
    .describe('How steady the orders are; null without a parent.'),
  citation: z
    .looseObject({
      text: z.string(),
      bibtex: z.string(),
      csl_json: z.record(z.string(), z.unknown()),
    })
    .describe('As text, BibTeX and CSL-JSON.'),
})

const changed = z
  .union([z.string(), z.number(), z.record(z.string(), z.unknown()), z.null()])
  .describe('What the type says: a profile item or fields of one, a number, a label, a handle.')

const change = z.looseObject({
  type: z.enum(changeTypes),
  sdu,
  topic: z.string().nullable().describe('Of a rank: the label of the topic.'),
  before: changed,
  after: changed,
})

const moment = z.looseObject({
  sdu,
  snapshot_id: snapshotId.describe('The snapshot with which it came to be so.'),
  at: time.describe('When that was announced; null where it is not known.'),
  topic: z
    .string()
    .nullable()
    .describe('The topic of the rank; null while the person was not there.'),
  rank: z.int().min(1).nullable().describe('Among the first 50; null behind them.'),
  authority_score: z.number().min(0).max(100).nullable(),
})

const suggestion = z.looseObject({
  kind: z.enum(suggestionKinds),
  text: z.string().describe('To be shown: a label, a name, or a handle with its platform.'),
  sdu: sdu.nullable().describe('Of a person, and of the top owner of a handle.'),
  name: z.string().nullable().describe('The same.'),
  topic: z.string().describe('The label of the topic; of a person or an owner the core topic.'),
  handle: z.string().nullable().describe('With its platform, to be asked for.'),
  authority_score: z.number().min(0).max(100).nullable(),
  authorities: z.int().min(1).nullable().describe('Of a topic: how many are ranked in it.'),
})

const topic = z.looseObject({
  topic: z.string().describe('The label.'),
  aliases: z.array(z.string()).describe('As they are compared: in lower case.'),
  authorities: z.int().min(1).describe('How many are ranked in it.'),
})

/** The items of answers, by name. */
export const itemSchemas = {
  summary,
  profile,
  match,
  source: rankedSource,
  snapshot,
  snapshotPage,
  change,
  moment,
  suggestion,
  topic,
} as const satisfies Record<ItemName, z.ZodType>

/** An item of a route's answers. */
export type Item<R extends RouteName> = z.output<
  (typeof itemSchemas)[(typeof operations)[R]['item']]
>

/** What an answer to a route carries around its items; what is optional has to be asked for. */
export function envelopeShape(route: RouteName): Readonly<Record<string, z.ZodType>> {
  const { requestIdInBody, saysWay, pages, parameters: names }: Route = operations[route]
  return {
    duration: z.number().min(0).describe('Seconds the request took.'),
    ...(requestIdInBody && { request_id: z.uuid() }),
    ...(saysWay && { query: understood.optional() }),
    ...(pages === 'asked' && pageShape),
    ...(names.includes('facets') && facetsShape),
    ...(pages === 'always' && {
      next_cursor: z.string().optional().describe('Absent on the last page.'),
    }),
  }
}

/** The structured output of every tool, as far as a model is told of it: the body of an answer, or less. */
export const toolOutputSchema = z.looseObject({
  duration: z.number(),
  results: z.array(z.looseObject({})),
})

/** What a route's tool reads: the body of an answer. */
export interface ToolOutput<R extends ToolRouteName> {
  readonly results: readonly Item<R>[]
  /** Of a search. */
  readonly query?: Understood
  /** Of a page: how many there are, and where the next begins. */
  readonly total?: number
  readonly next_cursor?: string | null
}

/** A JSON Schema, or any other part of a document. */
export type Json = Readonly<Record<string, unknown>>

/** A zod schema as JSON Schema 2020-12; an open object says nothing of other members. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const { additionalProperties: more } = jsonSchema
      const isOpen = typeof more === 'object' && Object.keys(more).length === 0
      if (isOpen && jsonSchema.properties !== undefined) delete jsonSchema.additionalProperties
    },
  })
  return json
}
