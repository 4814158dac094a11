/** Finds people by SDU. */
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { DetailQuery } from './parse.ts'

/** The ordinal of each SDU; below 0 for an SDU that the snapshot does not have. */
export type DetailResult = readonly number[]

/** Looks up every SDU. */
export function findDetail({ catalog }: ActiveSnapshot, { sdus }: DetailQuery): DetailResult {
  if (sdus.length === 1) return [catalog.findSdu(sdus[0]!)]
  return sdus.map((sdu) => catalog.findSdu(sdu))
}
