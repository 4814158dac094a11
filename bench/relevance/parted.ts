/** People who are in the index, and people who were taken out before it was made. */

import type { Random } from '../../test/support/random.ts'
import type { PersonRecord, SourceRecords } from '../shared/data/records.ts'

/** Who is in the index, and who was taken out of it. */
export interface Parted {
  readonly present: SourceRecords
  readonly absent: readonly PersonRecord[]
}

/** Takes so many people out, drawn at random. */
export function part(records: SourceRecords, absentCount: number, random: Random): Parted {
  const order = random.permutation(records.authorities.length)
  const taken = new Set(order.subarray(0, absentCount))
  const { authorities, topics } = records
  return {
    present: { authorities: authorities.filter((_, at) => !taken.has(at)), topics },
    absent: authorities.filter((_, at) => taken.has(at)),
  }
}
