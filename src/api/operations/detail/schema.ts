/** The item of a detail request. */
import * as z from 'zod'
import { explanation } from '../../schemas/person.ts'
import { sdu } from '../../schemas/values.ts'

const social = z.looseObject({ handle: z.string(), followers: z.int().min(0) })

/** The profile of an authority. */
export const profile = z.looseObject({
  sdu,
  name: z.string(),
  bio: z.string(),
  country: z.string().describe('In English; empty when it is not known.'),
  topics: z.array(z.string()).describe('All topics, the core topic first.'),
  socials: z.record(z.string(), social).describe('Verified handles by platform.'),
  authority_score: z.number().min(0).max(100).describe('0 to 100; compares people across topics.'),
  attributes: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Other facts of the record; absent if it has none.'),
  website: z.string().nullable(),
  explanation,
})
