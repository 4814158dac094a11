/** The schema of what a search says besides its items, which are summaries. */
import * as z from 'zod'
import { ways } from '../../../engine/interpret/found.ts'

/** The reading of the text of a search, if it was asked for. */
export const understood = z.looseObject({
  way: z.enum(ways).describe('The way that found the answer, as in X-Search-Way.'),
  words: z.array(z.string()).describe('The words that were used.'),
  corrected: z
    .array(z.looseObject({ from: z.string(), to: z.string() }))
    .describe('Words without a match, and the words that were used instead.'),
  left_out: z.array(z.string()).describe('Words that were not used.'),
  country: z.string().nullable().describe('The country that was understood; several by commas.'),
  topics: z.array(z.string()).describe('The topics that were understood.'),
  suggestions: z
    .looseObject({
      topics: z.array(z.string()).describe('Labels of topics.'),
      names: z.array(z.string()).describe('Names of people.'),
    })
    .optional()
    .describe('Texts to search for instead; only if there was no match.'),
})

/** The same as a value. */
export type UnderstoodInJson = z.output<typeof understood>
