/** The change of the kinds of connections, as far as they endorse: one may be lost among all. */

import { textAt } from '../../../memory/text-table.ts'
import type { StoredFacts } from '../../../snapshot/facts.ts'
import { textsOf } from '../../../snapshot/text-tables.ts'
import { type Pair, shareOf } from '../pair.ts'

/** Minimum number of endorsements of a kind; smaller kinds say nothing. */
const endorsementsMin = 20

/** The largest changes of any kind. */
interface KindChanges {
  /** Share of the endorsements of a kind that are gone. */
  readonly gone: number
  /** Growth of the share of a kind in all endorsement. */
  readonly grown: number
}

/** Compares the strongest endorsers that ranks are explained by. O(endorsers). */
export function kindChanges({ before, next }: Pair): KindChanges {
  const had = kindsOf(before)
  const has = kindsOf(next)
  let gone = 0
  let grown = 0
  for (const [kind, { count, share }] of has) {
    const was = had.get(kind) ?? { count: 0, share: 0 }
    if (count >= endorsementsMin) grown = Math.max(grown, share - was.share)
  }
  for (const [kind, { count }] of had) {
    if (count >= endorsementsMin) gone = Math.max(gone, 1 - (has.get(kind)?.count ?? 0) / count)
  }
  return { gone, grown: had.size === 0 ? 0 : grown }
}

/** Number of endorsements of each kind, and its share of all endorsement. */
function kindsOf({ sections }: StoredFacts): Map<string, { count: number; share: number }> {
  const names = textsOf({ sections }, 'kind')
  const counts = new Float64Array(names.ends.length)
  const sums = new Float64Array(names.ends.length)
  const shares = sections['evidence.endorser-shares']
  sections['evidence.endorser-kinds'].forEach((kind, index) => {
    counts[kind]! += 1
    sums[kind]! += shares[index]!
  })
  const whole = sums.reduce((sum, value) => sum + value, 0)
  return new Map(
    Array.from(counts, (count, kind) => {
      return [textAt(names, kind), { count, share: shareOf(sums[kind]!, whole) }]
    }),
  )
}
