/** The newcomers, beyond their number: groups that only know each other, and people who are there already. */
import { StoredPeers } from '../../../snapshot/people/peer-lists.ts'
import { plainLettersOf } from '../../../text/related/lookalikes.ts'
import { type Pair, personNamesOf, shareOf } from '../pair.ts'

/** Number of new people who have connections, but only with other new people. O(peers of the new). */
export function islanders({ next, predecessors }: Pair): number {
  const lists = new StoredPeers(next.sections)
  let count = 0
  predecessors.forEach((was, ordinal) => {
    if (was >= 0) return
    const peers = lists.of(ordinal)
    if (peers.length > 0 && peers.every((peer) => predecessors[peer]! < 0)) count += 1
  })
  return count
}

/**
 * The new people with the name of a person who stayed, as a share of the people before. All names are
 * read only if there are enough new people to matter.
 */
export function peopleTwice(
  { before, next, predecessors, successors, stayed }: Pair,
  shareMax: number,
): number {
  const added = predecessors.length - stayed
  if (added <= shareMax * successors.length) return 0
  const [nameBefore, nameNext] = [personNamesOf(before), personNamesOf(next)]
  const known = new Set<string>()
  successors.forEach((successor, ordinal) => {
    if (successor >= 0) known.add(plainLettersOf(nameBefore(ordinal)))
  })
  let twice = 0
  predecessors.forEach((was, ordinal) => {
    if (was < 0 && known.has(plainLettersOf(nameNext(ordinal)))) twice += 1
  })
  return shareOf(twice, successors.length)
}
