/** Changes of topics: of their existence, of their aliases, and as core topics. */
import { textAt } from '../../memory/text-table.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { entriesIn, findTopic, type Pair, shareOf, topicKeysOf } from './pair.ts'

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
