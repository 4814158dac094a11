/**
 * The items of the answers of all operations: OpenAPI, the MCP tools, the clients' types and the tests are made from this;
 * the serving threads do not load it. An open object: a client must ignore a member that it does not know.
 */
import * as z from 'zod'
import { connectionKinds } from '../../connection-kinds.ts'
import { ways } from '../../engine/interpret/found.ts'
import type { ItemName, Route } from '../../operation.ts'
import { operations, type RouteName } from '../../operations.ts'
import { changeTypes, facetNames, suggestionKinds } from '../../request-parameters.ts'
import { lossesMax } from '../../snapshot/resilience.ts'
import { takes } from '../schemas/inputs.ts'
import { dateTime, sdu, snapshotId } from '../schemas/values.ts'
import { unknownReasons } from './rank.ts'

const share = z.number().min(0).max(1)
const score = z.number().min(0).max(100)
const count = z.int().min(0)
const positive = z.int().min(1)
const text = z.string()
const texts = z.array(text)

const losses = (places: string) =>
  z
    .int()
    .min(1)
    .max(lossesMax)
    .nullable()
    .describe(
      `Number of the strongest endorsers without whom the rank falls by ${places}; ${lossesMax} for that many or more; null if it does not fall so far, even without all of them.`,
    )

const explanation = z
  .looseObject({
    topic: text.nullable().describe('The topic of the rank; null for that by score.'),
    rank: positive,
    of: positive.describe('Number of ranked people.'),
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
      .describe('The parts of the share; their shares sum to it.'),
    resilience: z
      .looseObject({
        by_1: losses('one place'),
        by_10: losses('ten places'),
      })
      .describe('Dependence of the rank on its strongest endorsers.'),
    endorsers: z
      .array(
        z.looseObject({
          sdu: sdu.nullable().describe('Null for a handle without an owner.'),
          name: text,
          kind: z.enum(connectionKinds),
          share,
        }),
      )
      .describe('The strongest, and what each adds to the share.'),
    sources: z
      .array(
        z.looseObject({
          source: text.nullable(),
          licence: text.nullable(),
          updated_at: text.nullable(),
          verified_by: text.optional().describe('Method by which the person was verified.'),
          verified_at: text.nullable().optional().describe('When; ISO 8601.'),
          handles: z
            .array(
              z.looseObject({
                platform: text,
                handle: text,
                verified_by: text,
                verified_at: text.nullable(),
              }),
            )
            .optional()
            .describe('Method by which the handles were verified, as far as the record says.'),
        }),
      )
      .describe('Source and verification of the record, as far as it says.'),
    sentence: text.describe('The same in words.'),
  })
  .optional()
  .describe('The parts of the rank, if the request asked for them.')

export type Explanation = NonNullable<z.output<typeof explanation>>

const summary = z.looseObject({
  sdu: sdu.describe('Identifier of the authority.'),
  name: text,
  rank: positive.describe('Position, 1 being the top.'),
  country_name: text.describe('In English; empty when it is not known.'),
  topic: text.describe('Core topic of the authority.'),
  explanation,
})

const facet = z.array(z.looseObject({ key: text, count: positive }))

const pageShape = {
  total: count.optional().describe('Number of matches. With `cursor`.'),
  next_cursor: text
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
    .describe('Number of matches with each value, largest first. With `facets`.'),
  counted_among: positive
    .optional()
    .describe(
      'Where to count all would take too long: `total` and `facets` are of matches among so many people, the first by authority.',
    ),
}

const social = z.looseObject({ handle: text, followers: count })

const profile = z.looseObject({
  sdu,
  name: text,
  bio: text,
  country: text.describe('In English; empty when it is not known.'),
  topics: texts.describe('All topics, the core topic first.'),
  socials: z.record(text, social).describe('Verified handles by platform.'),
  authority_score: score.describe('0 to 100; compares people across topics.'),
  attributes: z
    .record(text, texts)
    .optional()
    .describe('Other facts of the record; absent if it has none.'),
  website: text.nullable(),
  explanation,
})

const match = summary.extend({
  handle: text
    .optional()
    .describe('The handle that this item answers, as it was sent; when several were sent.'),
})

const understood = z.looseObject({
  way: z.enum(ways).describe('The way that found the answer, as in X-Search-Way.'),
  words: texts.describe('The words that were used.'),
  corrected: z
    .array(z.looseObject({ from: text, to: text }))
    .describe('Words without a match, and the words that were used instead.'),
  left_out: texts.describe('Words that were not used.'),
  country: text.nullable().describe('The country that was understood; several by commas.'),
  topics: texts.describe('The topics that were understood.'),
  suggestions: z
    .looseObject({
      topics: texts.describe('Labels of topics.'),
      names: texts.describe('Names of people.'),
    })
    .optional()
    .describe('Texts to search for instead; only if there was no match.'),
})

export type UnderstoodInJson = z.output<typeof understood>

const reasonTexts = Object.entries(unknownReasons)
  .map(([name, text]) => `\`${name}\`, ${text}`)
  .join('; ')
const unknownReasonNames = Object.keys(unknownReasons) as (keyof typeof unknownReasons)[]

const rankedSource = z.looseObject({
  source: text.nullable().describe('As it was sent; null for an entry that is not a string.'),
  sdu: sdu.nullable().optional().describe('The publisher; of several owners the top authority.'),
  name: text.nullable().optional(),
  authority_score: score.nullable().optional(),
  rank: positive
    .nullable()
    .optional()
    .describe('In the topic; null for a person who is no member of the topic in the request.'),
  topic: text.nullable().optional().describe('The topic that was asked for, else the core topic.'),
  reason: z.enum(unknownReasonNames).nullable().describe(`Why no author is known: ${reasonTexts}.`),
  index: count.describe('The place of the source in the request, from 0.'),
  position: positive.optional().describe('With `aligned`: its place by authority, from 1.'),
  explanation,
})

const figure = z.number().nullable()

const snapshot = z.looseObject({
  id: snapshotId,
  parent: snapshotId.nullable().describe('The one that was current before; null for the first.'),
  created_at: dateTime.describe('When the records were made, where they say so.'),
  published_at: dateTime.describe('When it was announced, where that is known.'),
  authorities: count,
  topics: count,
  recipe: count.describe('By which formulas and shapes it was made.'),
  digest: text.describe('SHA-256 of its header, which has the checksum of everything in it.'),
})

const snapshotPage = snapshot.extend({
  counts: z.record(text, count).describe('Number of entries of each kind.'),
  people_changed: count.nullable().describe('Of how many people anything changed with it.'),
  stability: z
    .looseObject({
      first_ten: z.looseObject({ topics: z.int(), mean: figure, min: figure, share: figure }),
      kendall_tau: z.looseObject({ topics: z.int(), mean: figure, min: figure }),
    })
    .nullable()
    .describe('Stability of the orders; null without a parent.'),
  citation: z
    .looseObject({
      text: text,
      bibtex: text,
      csl_json: z.record(text, z.unknown()),
    })
    .describe('As text, BibTeX and CSL-JSON.'),
})

const changed = z
  .union([text, z.number(), z.record(text, z.unknown()), z.null()])
  .describe(
    'A value of the kind that `type` names: a profile item or fields of one, a number, a label, a handle.',
  )

const change = z.looseObject({
  type: z.enum(changeTypes),
  sdu,
  topic: text.nullable().describe('Of a rank: the label of the topic.'),
  before: changed,
  after: changed,
})

const moment = z.looseObject({
  sdu,
  snapshot_id: snapshotId.describe('The snapshot with which it came to be so.'),
  at: dateTime.describe('When that was announced; null where it is not known.'),
  topic: text.nullable().describe('The topic of the rank; null while the person was not there.'),
  rank: positive.nullable().describe('Among the first 50; null behind them.'),
  authority_score: score.nullable(),
})

const suggestion = z.looseObject({
  kind: z.enum(suggestionKinds),
  text: text.describe('To be shown: a label, a name, or a handle with its platform.'),
  sdu: sdu.nullable().describe('Of a person.'),
  name: text.nullable().describe('The same.'),
  topic: text
    .nullable()
    .describe('The label of the topic; of a person the core topic. Of a handle ask match.'),
  handle: text.nullable().describe('With its platform, to be asked for.'),
  authorities: positive.nullable().describe('Of a topic: how many are ranked in it.'),
})

const topic = z.looseObject({
  topic: text.describe('The label.'),
  aliases: texts.describe('As they are compared: in lower case.'),
  authorities: positive.describe('Number of ranked people in it.'),
})

const usd = z.number().min(0)
const time = z.iso.datetime()

const sold = z.looseObject({
  queries: count,
  cost_usd: usd,
  by_operation: z.array(z.looseObject({ operation: text, queries: count, cost_usd: usd })),
})

const periods = z.looseObject({
  today: sold.describe('Since the last midnight, UTC.'),
  month: sold.describe('Since the first of the month, UTC.'),
  days: z
    .array(z.looseObject({ day: z.iso.date(), queries: count, cost_usd: usd }))
    .optional()
    .describe('With `days`: each UTC day, the oldest first, today last.'),
})

export const accountView = z.looseObject({
  account: text
    .describe('Its name. A key with scopes, but not `account`, has no member about the account.')
    .optional(),
  state: z.enum(['active', 'suspended']).optional(),
  created_at: time.optional(),
  balance_usd: usd.describe('The amount that can still be spent; live.').optional(),
  credited_usd: usd.describe('Everything that was credited, less what was taken back.').optional(),
  charged_usd: usd.describe('Everything that was charged.').optional(),
  key: z
    .looseObject({
      id: text,
      name: text.nullable(),
      created_at: time,
      expires_at: time.nullable(),
      cap: z
        .looseObject({ usd, period: z.enum(['total', 'day', 'month']) })
        .nullable()
        .describe('The amount that it may spend, in all or in a UTC day or month.'),
      scopes: z
        .array(text)
        .nullable()
        .describe('What it may call, and whether it may see the account.'),
      requests_per_second: count.nullable(),
      addresses: texts.nullable().describe('Networks that it may be used from.'),
      remaining_usd: usd.nullable().describe('The remainder of its cap.'),
    })
    .describe('The key of this request; null where nothing restricts it.'),
  limits: z
    .looseObject({
      requests_per_second: count.nullable(),
      lookups_per_second: count.nullable(),
    })
    .describe('Of the account; null where there is none.'),
  usage: z
    .looseObject({
      as_of: time.describe('When the ledger was read; charges of the last window are missing.'),
      account: periods.describe('By all keys of the account.').optional(),
      key: periods.describe('By this key.'),
    })
    .describe('The sales.'),
  prices: z.array(
    z.looseObject({
      operation: text,
      price_usd: usd,
      each: z.enum(['request', 'value']).describe('The unit of the price.'),
    }),
  ),
})

export const chosenSchema = z
  .looseObject({ ...profile.shape, ...match.shape })
  .partial()
  .describe('With `fields`: those fields alone.')

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

export type Item<R extends RouteName> = z.output<
  (typeof itemSchemas)[(typeof operations)[R]['item']]
>

/** Members of an answer to a route beside its items; a client must ask for the optional ones. */
export function envelopeShape(route: RouteName): Readonly<Record<string, z.ZodType>> {
  const { requestIdInBody, saysWay, pages }: Route = operations[route]
  return {
    duration: z.number().min(0).describe('Seconds the request took.'),
    ...(requestIdInBody && { request_id: z.uuid() }),
    ...(saysWay && { query: understood.optional() }),
    ...(pages === 'asked' && pageShape),
    ...(takes(route, 'facets') && facetsShape),
    ...(pages === 'always' && {
      next_cursor: text.optional().describe('Absent on the last page.'),
    }),
  }
}

/** The structured output of every tool, as its description declares it: the body of an answer, or less. */
export const toolOutputSchema = z.looseObject({ results: z.array(z.looseObject({})) })
