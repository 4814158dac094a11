/** Changes of topics: of their existence, of their aliases, and of their first members. */
import { textAt } from '../../memory/text-table.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { entriesIn, findTopic, type Pair, shareOf, topicKeysOf } from './pair.ts'

/** Minimum number of members for a comparison of the first ten. */
const largeMembersMin = 20
/** Maximum number of the largest topics that are compared. */
const largeTopicsMax = 200
const firstMax = 10

/** The share of the topics that no label or alias means any more. */
export function topicsGone({ topicSuccessors }: Pair): number {
  const gone = topicSuccessors.filter((topic) => topic < 0).length
  return shareOf(gone, topicSuccessors.length)
}

/** The topics that no label or alias meant before, as a share of those that there were. */
export function topicsNew({ before, next }: Pair): number {
  const added = topicKeysOf(next).filter((key) => findTopic(before, key) < 0).length
  return shareOf(added, before.header.counts.topics)
}

/** The share of the aliases that mean nothing now, or another topic; of the topics that stayed. */
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

/** The share of the people in both whose core topic is another one now; 1 if no person is in both. */
export function coreTopicsChanged({ before, next, successors, stayed, topicSuccessors }: Pair) {
  let changed = 0
  successors.forEach((successor, ordinal) => {
    if (successor < 0) return
    const topic = before.sections['authority.core-topics'][ordinal]!
    if (topicSuccessors[topic] !== next.sections['authority.core-topics'][successor]) changed += 1
  })
  return stayed === 0 ? 1 : changed / stayed
}

/**
 * The share of the first ten of the large topics who are not among the first ten any more. Only
 * people in both are ranked, so that new people displace none of them.
 */
export function firstTensChanged(pair: Pair): number {
  const { before, next, successors, predecessors, topicSuccessors } = pair
  let first = 0
  let displaced = 0
  for (const topic of largeTopics(pair)) {
    const successor = topicSuccessors[topic]!
    if (successor < 0) continue
    const now = new Set(firstOf(next, successor, (ordinal) => predecessors[ordinal]! >= 0))
    for (const ordinal of firstOf(before, topic, (each) => successors[each]! >= 0)) {
      first += 1
      if (!now.has(successors[ordinal]!)) displaced += 1
    }
  }
  return shareOf(displaced, first)
}

/** The largest topics before that have enough members to be compared by their order. */
export function largeTopics({ before }: Pair): number[] {
  const starts = before.sections['topic.member-starts']
  const sizeOf = (topic: number) => starts[topic + 1]! - starts[topic]!
  return Array.from({ length: before.header.counts.topics }, (_, topic) => topic)
    .filter((topic) => sizeOf(topic) >= largeMembersMin)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, largeTopicsMax)
}

/** The first ten members of a topic who meet a condition. */
function firstOf(
  { sections }: Pair['before'],
  topic: number,
  holds: (ordinal: number) => boolean,
): number[] {
  const starts = sections['topic.member-starts']
  const first: number[] = []
  for (let at = starts[topic]!; at < starts[topic + 1]! && first.length < firstMax; at += 1) {
    const ordinal = sections['topic.members'][at]!
    if (holds(ordinal)) first.push(ordinal)
  }
  return first
}
