/**
 * The change of each topic by itself: its members, and whether its name is that of a person. All topics together hide
 * the one that was taken over.
 */
import { topicKey } from '../../../text/analyzer.ts'
import { findTopic, labelOf, membersOf, type Pair, personNamesOf } from '../pair.ts'

/** Topics with at least so many members are looked at. */
const membersMin = 20
/** Names of so many by authority score may be no new name of a topic. */
const bestMax = 1_000

/** The topic whose members have changed most, and by which share. */
interface TopicChange {
  readonly label: string
  readonly share: number
}

/**
 * Of every topic of 20 members or more the share of the members who are not in it now, or were not
 * before, of the people in both; the topic where it is largest. O(memberships).
 */
export function membersChanged(pair: Pair): TopicChange {
  const { before, next, successors, predecessors, topicSuccessors } = pair
  let worst: TopicChange = { label: '', share: 0 }
  topicSuccessors.forEach((successor, topic) => {
    const had = membersOf(before, topic).filter((ordinal) => successors[ordinal]! >= 0)
    if (successor < 0 || had.length < membersMin) return
    const now = new Set(membersOf(next, successor).filter((ordinal) => predecessors[ordinal]! >= 0))
    const kept = had.filter((ordinal) => now.has(successors[ordinal]!)).length
    const share = Math.max(1 - kept / had.length, (now.size - kept) / had.length / 2)
    if (share > worst.share) worst = { label: labelOf(before, topic), share }
  })
  return worst
}

/** Names of the best that mean a topic now and meant none before, as a refusal; undefined for none. */
export function namesTaken({ before, next }: Pair): string | undefined {
  const nameOf = personNamesOf(before)
  const taken: string[] = []
  for (
    let ordinal = 0;
    ordinal < Math.min(bestMax, before.header.counts.authorities);
    ordinal += 1
  ) {
    const name = nameOf(ordinal)
    const key = topicKey(name)
    if (key !== '' && findTopic(next, key) >= 0 && findTopic(before, key) < 0) taken.push(name)
  }
  if (taken.length === 0) return undefined
  return `topics are called like some of the ${bestMax} best now: ${taken.slice(0, 10).join(', ')}`
}
