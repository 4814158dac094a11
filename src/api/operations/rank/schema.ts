/** The item of a ranking of sources. */
import * as z from 'zod'
import { sdu } from '../../schemas/values.ts'
import { unknownReasons } from './render.ts'

const reasonTexts = Object.entries(unknownReasons)
  .map(([name, text]) => `\`${name}\`, ${text}`)
  .join('; ')
const unknownReasonNames = Object.keys(unknownReasons) as (keyof typeof unknownReasons)[]

/** A source and its publisher. */
export const rankedSource = z.looseObject({
  source: z.string().describe('As it was sent.'),
  sdu: sdu.nullable().describe('Who published it; of several owners the top authority.'),
  name: z.string().nullable(),
  authority_score: z.number().min(0).max(100).nullable(),
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe('In the topic; null for a person who is no member of the topic in the request.'),
  topic: z.string().nullable().describe('The topic that was asked for, else the core topic.'),
  reason: z.enum(unknownReasonNames).nullable().describe(`Why no author is known: ${reasonTexts}.`),
})
