/**
 * What records and source say of topics, as far as it decides what their names mean: members, other names, and
 * whether several sources have them.
 */
import type { Collector } from './collector.ts'
import type { Memberships } from './ranking/topic-ranks.ts'
import type { KnownTopics } from './topic-phrases.ts'

/** Sources whose records have to name a topic, where so many sources have records at all. */
const sourcesMin = 2

/** What a collector knows of topics. @param keys of each topic: of its label, then of its aliases. */
export function knownTopics(
  collector: Collector,
  { starts, members }: Memberships,
  keys: readonly (readonly string[])[],
): KnownTopics {
  const { topicNames, beliefs } = collector
  const sources = collector.authoritySources.view()
  const needed = sources.every((source) => source === sources[0]) ? 1 : sourcesMin
  const isTrusted = (topic: number) => {
    if (!beliefs.trust.includes('topics') || !topicNames.declared.has(topic)) return false
    const own = members.subarray(starts[topic], starts[topic + 1])
    return new Set(own.map((arrival) => sources[arrival]!)).size >= needed
  }
  return {
    keys,
    takenAliases: topicNames.takenAliases,
    absent: topicNames.absent,
    sizeOf: (topic) => starts[topic + 1]! - starts[topic]!,
    isDeclared: (topic) => topicNames.declared.has(topic),
    isTrusted,
  }
}
