/** The schemas of people: summaries, and the parts of a rank. */
import * as z from 'zod'
import { connectionKinds } from '../../connection-kinds.ts'
import { lossesMax } from '../../snapshot/resilience.ts'
import { sdu } from './values.ts'

const share = z.number().min(0).max(1)

const losses = (places: string) =>
  z
    .int()
    .min(1)
    .max(lossesMax)
    .nullable()
    .describe(
      `Number of the strongest endorsers without whom the rank falls by ${places}; ${lossesMax} for that many or more; null if it does not fall so far, even without all of them.`,
    )

/** The explanation of a rank, if the request asked for one. */
export const explanation = z
  .looseObject({
    topic: z.string().nullable().describe('The topic of the rank; null for that by score.'),
    rank: z.int().min(1),
    of: z.int().min(1).describe('Number of ranked people.'),
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
          verified_by: z.string().optional().describe('Method by which the person was verified.'),
          verified_at: z.string().nullable().optional().describe('When; ISO 8601.'),
          handles: z
            .array(
              z.looseObject({
                platform: z.string(),
                handle: z.string(),
                verified_by: z.string(),
                verified_at: z.string().nullable(),
              }),
            )
            .optional()
            .describe('Method by which the handles were verified, as far as the record says.'),
        }),
      )
      .describe('Source and verification of the record, as far as it says.'),
    sentence: z.string().describe('The same in words.'),
  })
  .optional()
  .describe('The parts of the rank, if the request asked for them.')

/** The type of an explanation. */
export type Explanation = NonNullable<z.output<typeof explanation>>

/** The item of a search and of peers. */
export const summary = z.looseObject({
  sdu: sdu.describe('Identifier of the authority.'),
  name: z.string(),
  rank: z.int().min(1).describe('Position, 1 being the top.'),
  country_name: z.string().describe('In English; empty when it is not known.'),
  topic: z.string().describe('Core topic of the authority.'),
  explanation,
})
