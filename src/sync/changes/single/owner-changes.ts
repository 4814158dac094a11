/**
 * Handles that have another owner now, each by itself: one that is worth taking, or that a new record
 * has taken, waits for a confirmation. A share of all handles says nothing of a single one.
 */

import { allTexts, textAt } from '../../../memory/text-table.ts'
import type { StoredFacts } from '../../../snapshot/facts.ts'
import { Identities } from '../../../snapshot/people/identities.ts'
import { forClaims, Owners } from '../../../snapshot/people/owners.ts'
import { textsOf } from '../../../snapshot/text-tables.ts'
import { topicKey } from '../../../text/analyzer.ts'
import { type Pair, personNamesOf } from '../pair.ts'

/** Number of people, the best by authority score, whose handles are worth taking. */
const bestMax = 1_000
/** Maximum number of handles that the refusal names. */
const namedMax = 10

/**
 * The handles that changed owners and are not confirmed, as the end of a refusal; undefined if there
 * are none. A person who went, and whose handle a namesake from before has now, was merged: that takes
 * no handle from a person. O(handles).
 * @param confirmed handles, `platform:key`.
 */
export function takenHandles(pair: Pair, confirmed: ReadonlySet<string>): string | undefined {
  const { before, next, successors, predecessors } = pair
  const owners = new Owners(next)
  const [nameBefore, nameNext] = [personNamesOf(before), personNamesOf(next)]
  const isSameName = (was: number, is: number) =>
    topicKey(nameBefore(was)) === topicKey(nameNext(is))
  const taken: string[] = []
  const platforms = allTexts(textsOf(before, 'platform'))
  const handles = textsOf(before, 'handle')
  forClaims(before, (handle, owner, platform) => {
    if (owner >= before.header.counts.authorities) return
    const end = `${platforms[platform]}:${textAt(handles, handle)}`
    const now = owners.ordinalOf(end)
    if (now === undefined || predecessors[now] === owner || confirmed.has(end)) return
    const isOfBest = owner < bestMax || now < bestMax
    const isNew = predecessors[now]! < 0
    if (!isOfBest && !isNew) return
    const isMerged = successors[owner]! < 0 && !isNew && isSameName(owner, now)
    if (!isMerged) taken.push(`${end} from SDU ${sduIn(before, owner)} to ${sduIn(next, now)}`)
  })
  if (taken.length === 0) return undefined
  const ends = taken.slice(0, namedMax).map((each) => each.slice(0, each.indexOf(' from SDU ')))
  const more = taken.length > namedMax ? `, … (${taken.length})` : ''
  const what = taken.slice(0, namedMax).join(', ')
  return `handles of the ${bestMax} best or of new records have other owners: ${what}${more}; confirm with --accept-handle ${ends.join()} or a correction`
}

function sduIn(snapshot: StoredFacts, ordinal: number): string {
  return new Identities(snapshot).sduOf(ordinal)
}
