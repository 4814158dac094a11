/** The leaders of each topic by itself: shares over all topics hide one whose leaders were all displaced. */
import { labelOf, membersOf, type Pair } from '../pair.ts'

/** Topics with at least so many members are looked at. */
const membersMin = 20
const leadersMax = 3

/** The topic that the most of its first three left, and how many. */
interface LeadersLost {
  readonly label: string
  readonly count: number
}

/**
 * Finds the topic that lost most of its first three: people in both snapshots who are not in its first half
 * now. In a topic without much endorsement a few ties move many places, so the first ten would report too
 * much. O(memberships).
 */
export function leadersLost(pair: Pair): LeadersLost {
  const { before, next, successors, topicSuccessors } = pair
  let worst: LeadersLost = { label: '', count: 0 }
  topicSuccessors.forEach((successor, topic) => {
    const members = membersOf(before, topic)
    if (successor < 0 || members.length < membersMin) return
    const all = membersOf(next, successor)
    const now = all.subarray(0, Math.ceil(all.length / 2))
    const lost = members
      .subarray(0, leadersMax)
      .filter((ordinal) => successors[ordinal]! >= 0 && !now.includes(successors[ordinal]!))
    if (lost.length > worst.count) worst = { label: labelOf(before, topic), count: lost.length }
  })
  return worst
}
