/** The item of a ranking of sources. */
import * as z from 'zod'
import { explanation } from '../../schemas/person.ts'
import { sdu } from '../../schemas/values.ts'
import { unknownReasons } from './render.ts'

const reasonTexts = Object.entries(unknownReasons)
  .map(([name, text]) => `\`${name}\`, ${text}`)
  .join('; ')
const unknownReasonNames = Object.keys(unknownReasons) as (keyof typeof unknownReasons)[]

/** A source and its publisher. */
export const rankedSource = z.looseObject({
  source: z.string().nullable().describe('As it was sent; null for an entry that is not a string.'),
  sdu: sdu.nullable().optional().describe('The publisher; of several owners the top authority.'),
  name: z.string().nullable().optional(),
  authority_score: z.number().min(0).max(100).nullable().optional(),
  rank: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('In the topic; null for a person who is no member of the topic in the request.'),
  topic: z
    .string()
    .nullable()
    .optional()
    .describe('The topic that was asked for, else the core topic.'),
  reason: z.enum(unknownReasonNames).nullable().describe(`Why no author is known: ${reasonTexts}.`),
  index: z.int().min(0).describe('The place of the source in the request, from 0.'),
  position: z.int().min(1).optional().describe('With `aligned`: its place by authority, from 1.'),
  explanation,
})
