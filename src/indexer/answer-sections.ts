/** The sections that only speed answers up: each says what other sections say, in an order in which a request finds it. */
import { uint32Column } from '../memory/columns.ts'
import { summariesOf } from '../snapshot/people/summaries.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { textsOf } from '../snapshot/text-tables.ts'
import { soundSections } from './sound-sections.ts'
import { suggestionSections } from './suggestion-sections.ts'
import { tokenSections } from './token-sections.ts'

/** Makes them: 1.2 µs of processor time a person. */
export function answerSections(
  sections: Parameters<typeof suggestionSections>[0] &
    Parameters<typeof soundSections>[0] &
    Parameters<typeof topicCountSections>[0] &
    Parameters<typeof summariesOf>[0],
  counts: Counts,
) {
  return {
    'authority.summaries': summariesOf(sections),
    ...topicCountSections(sections),
    ...soundSections(sections),
    ...tokenSections(textsOf({ sections }, 'topic-key')),
    ...suggestionSections(sections, counts),
  }
}

/** Members of the smallest topic whose facets are known: to count so many takes half a millisecond. */
const membersMin = 32_768

/** For each large topic, how many of its members have each topic: the facets of a search for it. */
export function topicCountSections(
  sections: Pick<
    Sections,
    'topic.member-starts' | 'topic.members' | 'authority.topic-starts' | 'authority.topics'
  >,
  least = membersMin,
) {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const topicStarts = sections['authority.topic-starts']
  const topicsOf = sections['authority.topics']
  const topics = starts.length - 1
  const large = uint32Column()
  const counts = uint32Column()
  for (let topic = 0; topic < topics; topic += 1) {
    if (starts[topic + 1]! - starts[topic]! < least) continue
    const row = new Uint32Array(topics)
    for (let at = starts[topic]!; at < starts[topic + 1]!; at += 1) {
      const end = topicStarts[members[at]! + 1]!
      for (let place = topicStarts[members[at]!]!; place < end; place += 1)
        row[topicsOf[place]!]! += 1
    }
    large.push(topic)
    counts.append(row)
  }
  return { 'topic-count.topics': large.view(), 'topic-count.counts': counts.view() }
}
