/** Finds people by SDU. */
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { AnsweredValues } from '../../exchange.ts'
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

/** Counts the SDUs that the first items answer, unknown ones before the next item among them. */
export function sdusAnswered(
  { sdus, aligned }: DetailQuery,
  ordinals: DetailResult,
): AnsweredValues | undefined {
  if (sdus.length === 1) return undefined
  if (aligned) return (items) => new Set(sdus.slice(0, items)).size
  return (items) => {
    const places = [...ordinals.keys()].filter((place) => ordinals[place]! >= 0)
    return places[items] ?? sdus.length
  }
}
