/** Finds people by SDU. */
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { DetailQuery } from './parse.ts'

/** The ordinal of each SDU; below 0 for an SDU that the snapshot does not have. That of one lasts until the next look-up. */
export type DetailResult = readonly number[]

/** Looks up every SDU. */
export function findDetail({ catalog }: ActiveSnapshot, { sdus }: DetailQuery): DetailResult {
  if (sdus.length === 1) {
    const { one } = catalog.batch
    one[0] = catalog.findSdu(sdus[0]!)
    return one
  }
  return sdus.map((sdu) => catalog.findSdu(sdu))
}
