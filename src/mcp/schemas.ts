/**
 * What the tools take and give, as schemas: the client shows them to its model, the SDK checks
 * calls and results against them. The limits are those of the API.
 */
import { z } from 'zod'
import { limits } from '../limits.ts'

const limit = z
  .int()
  .min(1)
  .max(limits.resultsMax)
  .default(limits.resultsDefault)
  .describe(`How many authorities to answer, best first: 1 to ${limits.resultsMax}.`)

const handle = z
  .string()
  .min(1)
  .max(limits.handleCharactersMax)
  .regex(/^[^,]+$/, 'one handle each, without commas')

const handles = z
  .array(handle)
  .min(1)
  .max(limits.valuesPerRequestMax)
  .describe(
    `Social media handles, 1 to ${limits.valuesPerRequestMax}. Each as "name", "@name", ` +
      '"platform:name" or a profile URL, for example "@davidtwco", "github:davidtwco" or ' +
      '"https://github.com/davidtwco". Upper and lower case are the same. Naming the platform ' +
      'excludes people who use the same handle elsewhere.',
  )

/** The input of each tool. */
export const inputs = {
  search: z.object({
    query: z
      .string()
      .min(1)
      .max(limits.queryCharactersMax)
      .describe(
        'A topic ("Rust", "climate policy"), keywords ("rust embedded") or a person\'s name ' +
          `("David Wood"); not a question or a sentence. 1 to ${limits.queryCharactersMax} characters.`,
      ),
    limit,
  }),
  detail: z.object({
    sdus: z
      .array(
        z
          .string()
          .regex(
            new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`),
            `an SDU is 1 to ${limits.sduDigitsMax} digits, as a string`,
          ),
      )
      .min(1)
      .max(limits.valuesPerRequestMax)
      .describe(
        `SDU identifiers from other tools' results, 1 to ${limits.valuesPerRequestMax}, ` +
          'as strings of digits (too long for a number), for example ["4893387514556449885"].',
      ),
  }),
  peers: z.object({ handles, limit }),
  match: z.object({ handles }),
}

const summary = z.looseObject({
  sdu: z.string().describe('Identifier of the authority, for get_authority_detail.'),
  name: z.string(),
  rank: z.int().min(1).describe('Position, 1 being the top.'),
  country_name: z.string().describe('In English; empty when it is not known.'),
  topic: z.string().describe('Core topic of the authority.'),
})

const match = summary.extend({
  handle: z
    .string()
    .optional()
    .describe('The handle that this authority owns, as it was sent; absent when one was sent.'),
})

const profile = z.looseObject({
  sdu: z.string(),
  name: z.string(),
  bio: z.string(),
  country: z.string(),
  topics: z.array(z.string()).describe('All topics, the core topic first.'),
  socials: z
    .record(z.string(), z.looseObject({ handle: z.string(), followers: z.int().min(0) }))
    .describe('Verified handles by platform.'),
  authority_score: z.number().min(0).max(100).describe('0 to 100; compares people across topics.'),
  website: z.string().nullable(),
})

/** What every answer carries beside its results. */
function envelope<T extends z.ZodType>(item: T) {
  return z.looseObject({
    duration: z.number().describe('Seconds the index took.'),
    results: z.array(item),
  })
}

/** The structured content of each tool: the body of the route it asks, unchanged. */
export const outputs = {
  search: envelope(summary),
  detail: envelope(profile),
  peers: envelope(summary),
  match: envelope(match),
}

/** Items of results, as the texts are made from them. */
export type Summary = z.infer<typeof summary>
export type Match = z.infer<typeof match>
export type Profile = z.infer<typeof profile>

/**
 * A schema that has its JSON Schema ready. The SDK asks for it with every call, and zod makes it
 * anew each time: 0.4 ms a call, more than everything else of it together.
 */
export function prepared<Output>(schema: z.ZodType<Output>) {
  const standard = schema['~standard']
  const target = { target: 'draft-2020-12' } as const
  const input = standard.jsonSchema.input(target)
  const output = standard.jsonSchema.output(target)
  const jsonSchema = { input: () => input, output: () => output }
  return { '~standard': { ...standard, jsonSchema } }
}

/** What `prepared` makes of the schema of a type. */
export type Prepared<Output> = ReturnType<typeof prepared<Output>>
