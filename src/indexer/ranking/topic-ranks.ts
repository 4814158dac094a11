/**
 * Ranks within topics: who of a topic's members is its authority. One-step topic-sensitive
 * PageRank (after Haveliwala 2002), weighted by how much the topic is the member's own.
 */
import { wholeShare } from '../../snapshot/sections.ts'
import type { Endorsements } from './graph.ts'

/** How much the endorsements from within the topic count against the mass from everywhere. */
export const lambda = 0.7

/** The members of each topic: row t holds arrivals and the weight of t in each one's own list. */
export interface Memberships {
  readonly starts: Uint32Array
  readonly members: Uint32Array
  readonly weights: Float64Array
}

/** Ordinals in rank order, and beside each its share: rows as in `Memberships`. */
export interface Ranking {
  readonly ranked: Uint32Array
  readonly shares: Uint32Array
}

/** Turns the topic list of each authority around. */
export function membershipsOf(
  topicStarts: Uint32Array,
  topics: Uint32Array,
  topicWeights: Float64Array,
  topicCount: number,
): Memberships {
  const starts = new Uint32Array(topicCount + 1)
  for (let index = 0; index < topics.length; index += 1) starts[topics[index]! + 1]! += 1
  for (let topic = 1; topic <= topicCount; topic += 1) starts[topic]! += starts[topic - 1]!
  const ends = starts.slice()
  const members = new Uint32Array(topics.length)
  const weights = new Float64Array(topics.length)
  for (let authority = 0; authority + 1 < topicStarts.length; authority += 1) {
    for (let index = topicStarts[authority]!; index < topicStarts[authority + 1]!; index += 1) {
      const position = ends[topics[index]!]!++
      members[position] = authority
      weights[position] = topicWeights[index]!
    }
  }
  return { starts, members, weights }
}

/**
 * The members of every topic in rank order, as ordinals, in the rows of `memberships`, each with its
 * share of the values of its topic, in parts of 2³²:
 * `T(i,t) = w(i,t) · ((1−λ) · π_i / Σ_{j∈t} π_j + λ · e(i,t) / Σ_{j∈t} e(j,t))`, where `e(i,t)` is
 * the mass that members of t pass on to i in one step. Without endorsements inside t, λ is 0.
 * Ties go to the higher authority. O(connections of the members).
 */
export function rankMembers(
  memberships: Memberships,
  mass: Float64Array,
  endorsements: Endorsements,
  ordinals: Uint32Array,
): Ranking {
  const { starts, members, weights } = memberships
  const ranked = new Uint32Array(members.length)
  const shares = new Uint32Array(members.length)
  const memberOf = new Uint32Array(mass.length)
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const row = members.subarray(starts[topic]!, starts[topic + 1]!)
    for (const member of row) memberOf[member] = topic + 1
    const inside = Float64Array.from(row, (member) =>
      endorsedInside(member, topic + 1, memberOf, mass, endorsements),
    )
    const values = topicScores(row, weights.subarray(starts[topic]!), mass, inside)
    const order = Uint32Array.from(row, (_, index) => index)
    order.sort((a, b) => values[b]! - values[a]! || ordinals[row[a]!]! - ordinals[row[b]!]!)
    const sum = values.reduce((total, value) => total + value, 0)
    order.forEach((index, position) => {
      ranked[starts[topic]! + position] = ordinals[row[index]!]!
      shares[starts[topic]! + position] = Math.round((values[index]! / sum) * wholeShare)
    })
  }
  return { ranked, shares }
}

/** `e(i,t)`: the mass that i receives in one step from the nodes marked with `mark`. */
function endorsedInside(
  member: number,
  mark: number,
  memberOf: Uint32Array,
  mass: Float64Array,
  { starts, nodes, weights, totals }: Endorsements,
): number {
  let received = 0
  for (let index = starts[member]!; index < starts[member + 1]!; index += 1) {
    const source = nodes[index]!
    if (memberOf[source] === mark) received += (mass[source]! / totals[source]!) * weights[index]!
  }
  return received
}

function topicScores(
  row: Uint32Array,
  weights: Float64Array,
  mass: Float64Array,
  inside: Float64Array,
): Float64Array {
  let massSum = 0
  let insideSum = 0
  for (let index = 0; index < row.length; index += 1) {
    massSum += mass[row[index]!]!
    insideSum += inside[index]!
  }
  const share = insideSum === 0 ? 0 : lambda
  return Float64Array.from(row, (member, index) => {
    const endorsed = insideSum === 0 ? 0 : inside[index]! / insideSum
    return weights[index]! * ((1 - share) * (mass[member]! / massSum) + share * endorsed)
  })
}

/** The rank of each ordinal in its core topic, 1 being the top. */
export function coreRanks(
  starts: Uint32Array,
  ranked: Uint32Array,
  coreTopics: Uint32Array,
): Uint32Array {
  const ranks = new Uint32Array(coreTopics.length)
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    for (let index = starts[topic]!; index < starts[topic + 1]!; index += 1) {
      const ordinal = ranked[index]!
      if (coreTopics[ordinal] === topic) ranks[ordinal] = index - starts[topic]! + 1
    }
  }
  return ranks
}
