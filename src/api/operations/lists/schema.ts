/** The schema of the members that lists of people have besides their items. */
import * as z from 'zod'
import { facetNames } from '../../../request-parameters.ts'

const facet = z.array(z.looseObject({ key: z.string(), count: z.int().min(1) }))

/** Members of an answer that is one page of a list. */
export const pageShape = {
  total: z.int().min(0).optional().describe('Number of matches. With `cursor`.'),
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

/** Counts of all who matched, by the values of facets, and how far was counted. */
export const facetsShape = {
  facets: z
    .looseObject(Object.fromEntries(facetNames.map((name) => [name, facet.optional()])))
    .optional()
    .describe('Number of matches with each value, largest first. With `facets`.'),
  counted_among: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Where to count all would take too long: `total` and `facets` are of matches among so many people, the first by authority.',
    ),
}
