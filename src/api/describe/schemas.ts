/**
 * What requests hold and answers look like, once, as zod schemas: the OpenAPI document, the MCP
 * tools and the tests take them from here. Objects are open: a client must ignore a member it does
 * not know. Nothing on the way of a request imports this.
 */
import { z } from 'zod'
import { ways } from '../../catalog/search/found.ts'
import { limits } from '../../limits.ts'
import {
  type GetRouteName,
  type ItemName,
  operations,
  type PostRouteName,
  type Route,
  type RouteName,
} from '../../operations.ts'
import { type Member, type MemberKind, type MemberName, members } from '../../request-bodies.ts'
import {
  facetNames,
  fieldNames,
  type Parameter,
  type ParameterKind,
  type ParameterName,
  parameters,
} from '../../request-parameters.ts'
import { connectionKinds } from '../../source/schema.ts'
import { unknownReasons } from '../write/ranked-sources.ts'

const reasonTexts = Object.entries(unknownReasons)
  .map(([name, text]) => `\`${name}\`, ${text}`)
  .join('; ')
const unknownReasonNames = Object.keys(unknownReasons) as (keyof typeof unknownReasons)[]

const sdu = z
  .string()
  .regex(
    new RegExp(`^[0-9]{1,${limits.sduDigitsMax}}$`),
    `an SDU is 1 to ${limits.sduDigitsMax} digits, as a string`,
  )

const handle = z.string().min(1).max(limits.handleCharactersMax)

/** Values of one parameter. */
function several<T extends z.ZodType>(item: T) {
  return z.array(item).min(1).max(limits.valuesPerRequestMax)
}

const named = several(z.string().min(1).max(limits.queryCharactersMax))

/** A parameter of each kind, as the API takes it. */
const kinds = {
  text: z.string().min(1).max(limits.queryCharactersMax),
  count: z.int().min(1).default(limits.resultsDefault),
  explanation: z.union([z.boolean(), z.literal('query')]).default(false),
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
} as const satisfies Record<ParameterKind, z.ZodType>

/** The same as a tool takes it: what the API would make fit, a model is to get right. */
const toolKinds = {
  ...kinds,
  count: z.int().min(1).max(limits.resultsMax).default(limits.resultsDefault),
  explanation: z.boolean().default(false),
  handles: several(handle.regex(/^[^,]+$/, 'one handle each, without commas')),
} as const satisfies Record<ParameterKind, z.ZodType>

/** The schema of a parameter's value, lists as arrays. */
export function parameterSchema(name: ParameterName): z.ZodType {
  return kinds[parameters[name].kind]
}

/** Values of a list in a body. */
function many<T extends z.ZodType>(item: T) {
  return z.array(item).min(1).max(limits.batchValuesMax)
}

/** A member of a body of each kind. */
const memberKinds = {
  sdus: many(sdu),
  handles: many(handle),
  sources: many(z.string().min(1).max(limits.sourceCharactersMax)),
  topic: z.string().min(1).max(limits.queryCharactersMax),
  fields: kinds.fields,
  explanation: z.boolean().default(false),
  flag: z.boolean().default(false),
} as const satisfies Record<MemberKind, z.ZodType>

/** The body of a route's POST. */
export function bodySchema(route: PostRouteName): z.ZodType {
  const shape = operations[route].body.map((name: MemberName) => {
    const { kind, required, text }: Member = members[name]
    const schema = memberKinds[kind].describe(text)
    return [name, required ? schema : schema.optional()]
  })
  return z.strictObject(Object.fromEntries(shape))
}

/** The value of each parameter of a tool. */
type ToolValue<N extends ParameterName> = z.output<
  (typeof toolKinds)[(typeof parameters)[N]['kind']]
>

/** The parameters of a route that its tool takes. */
type ToolParameter<R extends RouteName> = {
  [N in (typeof operations)[R]['parameters'][number]]: (typeof parameters)[N] extends {
    readonly toolText: string
  }
    ? N
    : never
}[(typeof operations)[R]['parameters'][number]]

/** What a tool is called with: the parameters of its route by name, or the members of its body. */
export type ToolInput<R extends RouteName> = R extends GetRouteName
  ? { readonly [N in ToolParameter<R>]: ToolValue<N> }
  : { readonly sources: readonly string[]; readonly topic?: string }

/** The input of a route's tool. */
export function toolInputSchema<R extends RouteName>(route: R): z.ZodType<ToolInput<R>> {
  const names: readonly ParameterName[] = operations[route].parameters
  const shape = names.length === 0 ? toolMembers(route) : names.flatMap(toolParameter)
  const input = z.object(Object.fromEntries(shape)).refine(isOfCharacters, {
    message: 'a text holds half of a surrogate pair, which is no character',
  })
  return input as unknown as z.ZodType<ToolInput<R>>
}

function toolParameter(name: ParameterName): [string, z.ZodType][] {
  const { kind, toolText }: Parameter = parameters[name]
  return toolText === undefined ? [] : [[name, toolKinds[kind].describe(toolText)]]
}

/** What a tool takes whose route is asked by a body only. */
function toolMembers(route: RouteName): [string, z.ZodType][] {
  const { body }: Route = operations[route]
  const names: readonly MemberName[] = body ?? []
  return names.flatMap((name) => {
    const { kind, required, toolText }: Member = members[name]
    if (toolText === undefined) return []
    const schema = memberKinds[kind].describe(toolText)
    return [[name, required ? schema : schema.optional()]]
  })
}

/** JSON can hold lone surrogates, and UTF-8, which every query is sent in, cannot. */
function isOfCharacters(input: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(input).flat()
  return values.every((value) => typeof value !== 'string' || !/\p{Surrogate}/u.test(value))
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

/** The items of answers, by name. */
export const itemSchemas = {
  summary,
  profile,
  match,
  source: rankedSource,
} as const satisfies Record<ItemName, z.ZodType>

/** An item of a route's answers. */
export type Item<R extends RouteName> = z.output<
  (typeof itemSchemas)[(typeof operations)[R]['item']]
>

/** What an answer to a route carries around its items; what is optional has to be asked for. */
export function envelopeShape(route: RouteName): Readonly<Record<string, z.ZodType>> {
  const { requestIdInBody, saysWay } = operations[route]
  const names: readonly ParameterName[] = operations[route].parameters
  return {
    duration: z.number().min(0).describe('Seconds the request took.'),
    ...(requestIdInBody && { request_id: z.uuid() }),
    ...(saysWay && { query: understood.optional() }),
    ...(names.includes('cursor') && pageShape),
    ...(names.includes('facets') && facetsShape),
  }
}

/** The structured output of a route's tool: the body of an answer. */
export function toolOutputSchema(route: RouteName) {
  const { duration, query } = envelopeShape(route)
  const shape = { duration: duration!, ...(query && { query }) }
  return z.looseObject({ ...shape, results: z.array(itemSchemas[operations[route].item]) })
}

/** What a route's tool reads: the body of an answer. */
export interface ToolOutput<R extends RouteName> {
  readonly results: readonly Item<R>[]
  /** Of a search. */
  readonly query?: Understood
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
