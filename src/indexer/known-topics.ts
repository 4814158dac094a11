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
  let sources: Uint32Array | undefined
  const isTrusted = (topic: number) => {
    if (!beliefs.trust.includes('topics') || !topicNames.declared.has(topic)) return false
    sources ??= sourcesOf(collector)
    const all = sources
    const own = members.subarray(starts[topic], starts[topic + 1]).map((arrival) => all[arrival]!)
    return new Set(own).size >= Math.min(sourcesMin, new Set(all).size)
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

/** Of each authority by arrival the number of its record's `source`; records without one share a number. */
function sourcesOf({ provenances, authorityProvenances }: Collector): Uint32Array {
  const numbers = new Map<string, number>()
  const known = Array.from({ length: provenances.length }, (_, index) => {
    const { source } = JSON.parse(provenances.textAt(index)) as { source: string | null }
    const number = numbers.get(source ?? '') ?? numbers.size + 1
    numbers.set(source ?? '', number)
    return number
  })
  const unknown = numbers.get('') ?? 0
  return authorityProvenances.view().map((from) => (from === 0 ? unknown : known[from - 1]!))
}
