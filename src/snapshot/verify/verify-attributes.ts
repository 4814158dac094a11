/**
 * Checks that the data of filters and facets agrees with its sources: the topics with their members, the platforms
 * with the handles, and the attributes with their people. It relies on the proofs of `verify.ts` and
 * `verify-search.ts` about columns, lists and meanings.
 */
import type { Counts, SectionName, Sections } from '../sections.ts'
import { type Check, type Finding, type Rest, stepLength } from './contradiction.ts'

/** In this order. */
export const attributeChecks: readonly Check[] = [
  checkTopicLists,
  checkPlatformSets,
  checkAttributeSets,
]

/**
 * The topics of each person are those that they are a member of, the core topic first. The people that a topic
 * means are its members in the order of their ordinals: so each topic of a person means that person next,
 * and everything is read from its beginning to its end.
 */
function checkTopicLists(sections: Sections, counts: Counts, rest: Rest) {
  const section = 'authority.topics'
  const topics = sections[section]
  const starts = sections['authority.topic-starts']
  const coreTopics = sections['authority.core-topics']
  const meant = sections['meaning.ordinals']
  const memberStarts = sections['topic.member-starts']
  const next = memberStarts.slice()
  if (topics.length !== sections['topic.members'].length) {
    return { section, problem: 'there are not as many topics as memberships' } as const
  }
  for (let ordinal = 0, index = 0; ordinal < counts.authorities; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const end = starts[ordinal + 1]!
    if (index === end || topics[index] !== coreTopics[ordinal]) {
      return { section, problem: 'the first topic is not the core topic' } as const
    }
    for (; index < end; index += 1) {
      const topic = topics[index]!
      const place = next[topic]!
      if (meant[place] !== ordinal || place >= memberStarts[topic + 1]!) {
        return { section, problem: `topic ${topic} is not that of its members` } as const
      }
      next[topic] = place + 1
    }
  }
  return undefined
}

/** The platforms of each person are those of their handles. */
function checkPlatformSets(sections: Sections, counts: Counts, rest: Rest): Finding {
  const section: SectionName = 'authority.platform-sets'
  const sets = sections[section]
  const starts = sections['platform-set.starts']
  const platforms = sections['platform-set.platforms']
  const nodes = sections['handle.nodes']
  const nodePlatforms = sections['handle.platforms']
  // Position of each person's first platform among all that must be found.
  const places = new Uint32Array(sets.length)
  let left = 0
  for (let ordinal = 0; ordinal < sets.length; ordinal += 1) {
    const set = sets[ordinal]!
    places[ordinal] = left
    left += starts[set + 1]! - starts[set]!
  }
  const isFound = new Uint8Array(left)
  for (let index = 0; index < nodes.length; index += 1) {
    if (index % stepLength === 0) rest()
    const ordinal = nodes[index]!
    if (ordinal >= counts.authorities) continue
    const set = sets[ordinal]!
    const at = placeOf(platforms, starts[set]!, starts[set + 1]!, nodePlatforms[index]!)
    if (at < 0) return { section, problem: 'a platform of a handle is not among its owner’s' }
    const place = places[ordinal]! + at
    left -= 1 - isFound[place]!
    isFound[place] = 1
  }
  return left === 0 ? undefined : { section, problem: 'somebody has a platform without a handle' }
}

/** An attribute means exactly the people who have it. */
function checkAttributeSets(sections: Sections, counts: Counts, rest: Rest): Finding {
  const section: SectionName = 'authority.attribute-sets'
  const sets = sections[section]
  const starts = sections['attribute-set.starts']
  const attributes = sections['attribute-set.attributes']
  const meant = sections['meaning.ordinals']
  const first = counts.topics + counts.places
  const next = sections['meaning.starts'].slice(first)
  const ends = sections['meaning.starts'].subarray(first + 1)
  for (let ordinal = 0; ordinal < sets.length; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const set = sets[ordinal]!
    for (let index = starts[set]!; index < starts[set + 1]!; index += 1) {
      const attribute = attributes[index]!
      const place = next[attribute]!
      if (meant[place] !== ordinal || place >= ends[attribute]!) {
        return { section, problem: `attribute ${attribute} is not that of its people` }
      }
      next[attribute] = place + 1
    }
  }
  const missed = ends.findIndex((end, attribute) => next[attribute] !== end)
  return missed < 0 ? undefined : { section, problem: `attribute ${missed} is not in all its sets` }
}

/** Index of a value in `values[start, end)`, counted from `start`; -1 if it is absent. */
function placeOf(values: Uint32Array, start: number, end: number, value: number): number {
  for (let index = start; index < end; index += 1) if (values[index] === value) return index - start
  return -1
}
