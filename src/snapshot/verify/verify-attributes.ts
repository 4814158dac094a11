/**
 * Whether what filters and facets read of each person agrees with where it comes from: the topics
 * with their members, and the platforms with the handles. What `verify.ts` has proved of columns and
 * lists is taken for granted here.
 */
import type { Counts, SectionName, Sections } from '../sections.ts'
import type { Check, Contradiction } from './contradiction.ts'

/** In this order. */
export const attributeChecks: readonly Check[] = [checkTopicLists, checkPlatformSets]

/** Whoever is a member of a topic has it among its topics, its core topic first, and no other. */
function checkTopicLists(sections: Sections, counts: Counts): Contradiction | undefined {
  const section = 'authority.topics'
  const topics = sections[section]
  const listStarts = sections['authority.topic-starts']
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  for (let topic = 0; topic < counts.topics; topic += 1) {
    for (let index = starts[topic]!; index < starts[topic + 1]!; index += 1) {
      const ordinal = members[index]!
      if (holds(topics, listStarts[ordinal]!, listStarts[ordinal + 1]!, topic)) continue
      return { section, problem: `a member of topic ${topic} has it not` }
    }
  }
  // Members of a topic are different, so that of as many there is none beside them.
  if (topics.length !== members.length) return { section, problem: 'more topics than memberships' }
  for (let ordinal = 0; ordinal < counts.authorities; ordinal += 1) {
    if (topics[listStarts[ordinal]!] === sections['authority.core-topics'][ordinal]) continue
    return { section, problem: 'the first topic is not the core topic' }
  }
  return undefined
}

/** Whoever has a handle on a platform has it among its platforms, and no other. */
function checkPlatformSets(sections: Sections, counts: Counts): Contradiction | undefined {
  const section: SectionName = 'authority.platform-sets'
  const sets = sections[section]
  const starts = sections['platform-set.starts']
  const platforms = sections['platform-set.platforms']
  const nodes = sections['handle.nodes']
  let left = 0
  // Where the platforms of each begin among all that must be found.
  const places = sets.map((set) => {
    const place = left
    left += starts[set + 1]! - starts[set]!
    return place
  })
  const isFound = new Uint8Array(left)
  for (let index = 0; index < nodes.length; index += 1) {
    const ordinal = nodes[index]!
    if (ordinal >= counts.authorities) continue
    const start = starts[sets[ordinal]!]!
    const end = starts[sets[ordinal]! + 1]!
    const at = platforms.subarray(start, end).indexOf(sections['handle.platforms'][index]!)
    if (at < 0) return { section, problem: 'a platform of a handle is not among its owner’s' }
    left -= 1 - isFound[places[ordinal]! + at]!
    isFound[places[ordinal]! + at] = 1
  }
  return left === 0 ? undefined : { section, problem: 'somebody has a platform without a handle' }
}

function holds(values: Uint32Array, start: number, end: number, value: number): boolean {
  for (let index = start; index < end; index += 1) if (values[index] === value) return true
  return false
}
