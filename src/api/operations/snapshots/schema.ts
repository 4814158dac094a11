/** The items of the list of snapshots and of one snapshot. */
import * as z from 'zod'
import { dateTime, snapshotId } from '../../schemas/values.ts'

const figure = z.number().nullable()

/** A snapshot in the list. */
export const snapshot = z.looseObject({
  id: snapshotId,
  parent: snapshotId.nullable().describe('The one that was current before; null for the first.'),
  created_at: dateTime.describe('When the records were made, where they say so.'),
  published_at: dateTime.describe('When it was announced, where that is known.'),
  authorities: z.int().min(0),
  topics: z.int().min(0),
  recipe: z.int().min(0).describe('By which formulas and shapes it was made.'),
  digest: z.string().describe('SHA-256 of its header, which has the checksum of everything in it.'),
})

/** All facts of one snapshot. */
export const snapshotPage = snapshot.extend({
  counts: z.record(z.string(), z.int().min(0)).describe('Number of entries of each kind.'),
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
    .describe('Stability of the orders; null without a parent.'),
  citation: z
    .looseObject({
      text: z.string(),
      bibtex: z.string(),
      csl_json: z.record(z.string(), z.unknown()),
    })
    .describe('As text, BibTeX and CSL-JSON.'),
})
