/** Facts that decide what a topic's name means: members, other names, several sources or one. */
import { limits } from '../limits.ts'
import type { Collector } from './collector.ts'
import type { KnownTopics } from './topic-phrases.ts'

/** Facts of a collector about topics. @param keys of each topic: of its label, then of its aliases. */
export function knownTopics(
  { topicKeys, topicNames, beliefs }: Collector,
  keys: readonly (readonly string[])[],
): KnownTopics {
  const { sizes, areOfSeveral } = topicNames.backers
  const isDeclared = (topic: number) => topicNames.declared.has(topic)
  const isOfSeveral = (topic: number) => areOfSeveral[topic] === 1
  const trustsTopics = beliefs.trust.includes('topics')
  return {
    keys,
    // A line of the label may stand behind that of the alias.
    takenAliases: topicNames.takenAliases.filter(({ key }) => {
      const label = topicKeys.find(key)
      return sizes[label]! < limits.phraseMembersMin || !isDeclared(label)
    }),
    absent: topicNames.absent,
    sizeOf: (topic) => sizes[topic]!,
    isDeclared,
    isOfSeveral,
    isTrusted: (topic) => trustsTopics && isDeclared(topic) && isOfSeveral(topic),
  }
}
