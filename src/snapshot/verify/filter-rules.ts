/** Rules of facets: topics agree with members, platforms with handles, attributes with people. */
import { countsAs, every, isSo, type Rules, type Verified } from './rule.ts'

export function* filterRules(verified: Verified): Rules {
  yield* topicListRules(verified)
  yield* platformSetRules(verified)
  yield* attributeSetRules(verified)
}

/**
 * The topics of each person are those that they are a member of, the core topic first. The people that a topic
 * means are its members in the order of their ordinals: so each topic of a person means that person next,
 * and everything is read from its beginning to its end.
 */
function* topicListRules({ sections, counts }: Verified): Rules {
  const topics = sections['authority.topics']
  const starts = sections['authority.topic-starts']
  const coreTopics = sections['authority.core-topics']
  const memberStarts = sections['topic.member-starts']
  const { isNext } = meaningsInTurn(sections, memberStarts)
  const members = sections['topic.members'].length
  yield countsAs('authority.topics', topics, members, 'memberships')
  const people = ['authority', counts.authorities] as const
  yield every('authority.topics', people, 'has not its topics, the core topic first', (ordinal) => {
    const [start, end] = [starts[ordinal]!, starts[ordinal + 1]!]
    if (start === end || topics[start] !== coreTopics[ordinal]) return false
    for (let index = start; index < end; index += 1) {
      if (!isNext(topics[index]!, ordinal)) return false
    }
    return true
  })
}

function* platformSetRules({ sections, counts }: Verified): Rules {
  const section = 'authority.platform-sets'
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
  yield every(
    section,
    ['handle', nodes.length],
    'is on a platform that its owner has not',
    (index) => {
      const ordinal = nodes[index]!
      if (ordinal >= counts.authorities) return true
      const set = sets[ordinal]!
      const first = starts[set]!
      let at = first
      while (at < starts[set + 1]! && platforms[at] !== nodePlatforms[index]) at += 1
      if (at === starts[set + 1]!) return false
      const place = places[ordinal]! + at - first
      left -= 1 - isFound[place]!
      isFound[place] = 1
      return true
    },
  )
  yield isSo(section, left === 0, 'somebody has a platform without a handle')
}

function* attributeSetRules({ sections, counts }: Verified): Rules {
  const section = 'authority.attribute-sets'
  const sets = sections[section]
  const starts = sections['attribute-set.starts']
  const attributes = sections['attribute-set.attributes']
  const meanings = sections['meaning.starts'].subarray(counts.topics + counts.places)
  const { isNext, isOver } = meaningsInTurn(sections, meanings)
  yield every(section, ['authority', sets.length], 'has an attribute of others', (ordinal) => {
    const set = sets[ordinal]!
    for (let index = starts[set]!; index < starts[set + 1]!; index += 1) {
      if (!isNext(attributes[index]!, ordinal)) return false
    }
    return true
  })
  yield every(section, ['attribute', meanings.length - 1], 'is not in all its sets', isOver)
}

/** Reads the people that some meanings have, each in its turn. @param starts of the meanings, with the end of the last. */
function meaningsInTurn(sections: Verified['sections'], starts: Uint32Array) {
  const meant = sections['meaning.ordinals']
  const next = starts.slice()
  return {
    /** Whether a meaning has a person next, who is read then. */
    isNext: (meaning: number, ordinal: number): boolean => {
      const place = next[meaning]!
      if (meant[place] !== ordinal || place >= starts[meaning + 1]!) return false
      next[meaning] = place + 1
      return true
    },
    isOver: (meaning: number): boolean => next[meaning] === starts[meaning + 1],
  }
}
