/** The item of a history. */
import * as z from 'zod'
import { dateTime, sdu, snapshotId } from '../../schemas/values.ts'

/** The rank, topic and score of a person from one snapshot on. */
export const moment = z.looseObject({
  sdu,
  snapshot_id: snapshotId.describe('The snapshot with which it came to be so.'),
  at: dateTime.describe('When that was announced; null where it is not known.'),
  topic: z
    .string()
    .nullable()
    .describe('The topic of the rank; null while the person was not there.'),
  rank: z.int().min(1).nullable().describe('Among the first 50; null behind them.'),
  authority_score: z.number().min(0).max(100).nullable(),
})
