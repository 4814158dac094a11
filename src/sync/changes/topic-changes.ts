/**
 * Changes of topics, and of each by itself, its members and whether its name is that of a person:
 * all topics together hide the one that was taken over.
 */
import { textAt } from '../../memory/text-table.ts'
import { labelsOf, tableOf } from '../../snapshot/text-tables.ts'
import { topicKey } from '../../text/analyzer.ts'
import {
  entriesIn,
  findTopic,
  membersOf,
  type Pair,
  personNamesOf,
  shareOf,
  topicKeysOf,
} from './pair.ts'

export function topicsGone({ topicSuccessors }: Pair): number {
  const gone = topicSuccessors.filter((topic) => topic < 0).length
  return shareOf(gone, topicSuccessors.length)
}

export function topicsNew({ before, next }: Pair): number {
  const added = topicKeysOf(next).filter((key) => findTopic(before, key) < 0).length
  return shareOf(added, before.header.counts.topics)
}

export function aliasesGone({ before, next, topicSuccessors }: Pair): number {
  const labels = topicKeysOf(before)
  const keys = tableOf(before, 'topic-key')
  const topics = before.sections['topic-key.topics']
  const found = entriesIn(keys, tableOf(next, 'topic-key'))
  let aliases = 0
  let gone = 0
  for (let entry = 0; entry < topics.length; entry += 1) {
    const successor = topicSuccessors[topics[entry]!]!
    if (successor < 0 || textAt(keys, entry) === labels[topics[entry]!]) continue
    aliases += 1
    const means = found[entry]! < 0 ? -1 : next.sections['topic-key.topics'][found[entry]!]
    if (means !== successor) gone += 1
  }
  return shareOf(gone, aliases)
}

/** Of the people in both; 1 if no person is. */
export function coreTopicsChanged({ before, next, successors, stayed, topicSuccessors }: Pair) {
  let changed = 0
  successors.forEach((successor, ordinal) => {
    if (successor < 0) return
    const topic = before.sections['authority.core-topics'][ordinal]!
    if (topicSuccessors[topic] !== next.sections['authority.core-topics'][successor]) changed += 1
  })
  return stayed === 0 ? 1 : changed / stayed
}

const membersMin = 20
const bestMax = 1_000

/**
 * The topic of 20 members or more with the largest share of the people in both who are not in it
 * now, or were not before. O(memberships).
 */
export function membersChanged(pair: Pair) {
  const { before, next, successors, predecessors, topicSuccessors } = pair
  let worst = { label: '', share: 0 }
  topicSuccessors.forEach((successor, topic) => {
    const had = membersOf(before, topic).filter((ordinal) => successors[ordinal]! >= 0)
    if (successor < 0 || had.length < membersMin) return
    const now = new Set(membersOf(next, successor).filter((ordinal) => predecessors[ordinal]! >= 0))
    const kept = had.filter((ordinal) => now.has(successors[ordinal]!)).length
    const share = Math.max(1 - kept / had.length, (now.size - kept) / had.length / 2)
    if (share > worst.share) worst = { label: textAt(labelsOf(before), topic), share }
  })
  return worst
}

/** Names of the best that mean a topic now and meant none before. */
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
