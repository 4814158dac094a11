/**
 * The order among equals: of people whose names a text is and who have the same authority score, whose
 * name it covers best comes first, then whose record is the fullest, then who comes first by SDU.
 */

import type { Catalog } from '../catalog.ts'
import type { Holders } from '../holders/holders.ts'
import { firstOf } from '../holders/least.ts'
import { listOf } from '../holders/list.ts'
import { nameWordsOf } from '../person-names.ts'
import type { Tier } from './found.ts'

/** Equals that are compared: the first by SDU. */
const comparedMax = 16

/**
 * Tiers of one person each, to stand before those who are among all of some; none where the top two are
 * not equals. 3 µs for each who is compared.
 * @param said how many words the text has.
 */
export function bestOfEquals(
  catalog: Catalog,
  holders: readonly Holders[],
  said: number,
): readonly Tier[] {
  if (holders.length === 0) return []
  const scores = catalog.sections['authority.scores']
  const [first, second] = firstOf(holders, 2)
  if (second === undefined || scores[first!] !== scores[second]) return []
  const top = firstOf(holders, comparedMax).filter((each) => scores[each] === scores[first!])
  const equals = top.map((ordinal) => ({
    ordinal,
    unsaid: Math.max(0, nameWordsOf(catalog, ordinal).length - said),
    bytes: catalog.profiles.ends[ordinal]! - catalog.profiles.startOf(ordinal),
  }))
  return equals
    .sort((a, b) => a.unsaid - b.unsaid || b.bytes - a.bytes || a.ordinal - b.ordinal)
    .map(({ ordinal }) => [listOf(Uint32Array.of(ordinal), 0, 1)])
}
