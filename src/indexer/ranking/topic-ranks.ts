/**
 * Ranks within topics: the members of each, their order, and the share that each one has, by PageRank on the graph
 * among them (topic-sensitive after Haveliwala 2002, here on the topic's own graph).
 */
import { limits } from '../../limits.ts'
import { float64Column, uint8Column, uint32Column } from '../../memory/columns.ts'
import { type Evidence, partOf } from './evidence.ts'
import { type Endorsements, type KnownEndorsements, rowStarts } from './graph.ts'
import { type Convergence, type Masses, pageRank } from './pagerank.ts'

/** Larger priors of a topic count as the one at this percentile. */
const priorPercentile = 0.99

/** The members of each topic: row t holds arrivals and the weight of t in each one's own list. */
export interface Memberships {
  readonly starts: Uint32Array
  readonly members: Uint32Array
  readonly weights: Float64Array
}

export interface Ranking {
  /** Ordinals. */
  readonly ranked: Uint32Array
  /** Beside each its share in parts of 2³². */
  readonly shares: Uint32Array
}

interface RankedBy {
  readonly endorsements: KnownEndorsements
  /** Of each node; only its proportions count. */
  readonly prior: Float64Array
  readonly ordinals: Uint32Array
  /** 1 for each node that is vetted, of the first nodes; undefined where nothing says who is vetted. */
  readonly vetted?: Uint8Array | undefined
}

export function membershipsOf(
  topicStarts: Uint32Array,
  topics: Uint32Array,
  topicWeights: Float64Array,
  topicCount: number,
): Memberships {
  const counts = new Uint32Array(topicCount + 1)
  for (let index = 0; index < topics.length; index += 1) counts[topics[index]! + 1]! += 1
  const { starts, ends } = rowStarts(counts)
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
 * Shares less than a part of 2³² apart are equal, because the masses are not more exact; ties go to
 * the higher authority. O(connections of the members) a round.
 * @param evidence gets an entry for each, in the same order.
 */
export function rankMembers(
  memberships: Memberships,
  { endorsements, prior, ordinals, vetted }: RankedBy,
  evidence: Evidence,
  onTopic: (topic: number) => void = () => {},
): Ranking {
  const { starts, members, weights } = memberships
  const graphs = new TopicGraphs(endorsements)
  const ranked = new Uint32Array(members.length)
  const shares = new Uint32Array(members.length)
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    onTopic(topic)
    const start = starts[topic]!
    const row = members.subarray(start, starts[topic + 1]!)
    const rowWeights = weights.subarray(start, starts[topic + 1]!)
    const priors = new Float64Array(row.length)
    for (let index = 0; index < row.length; index += 1) priors[index] = prior[row[index]!]!
    const claimed = ownOf(priors, rowWeights)
    const graph = graphs.among(row, rowWeights)
    const isVetted = (index: number) => vetted?.[row[index]!] === 1
    const own = vetted === undefined ? claimed : boundByTrust(graph, claimed, isVetted)
    const masses = topicMasses(graph, own)
    const parts = new Uint32Array(row.length)
    const order = new Uint32Array(row.length)
    for (let index = 0; index < row.length; index += 1) {
      parts[index] = partOf(masses.mass[index]!)
      order[index] = index
    }
    const ordinalOf = (index: number) => ordinals[row[index]!]!
    order.sort((a, b) => parts[b]! - parts[a]! || ordinalOf(a) - ordinalOf(b))
    order.forEach((index, position) => {
      ranked[start + position] = ordinalOf(index)
      shares[start + position] = parts[index]!
      const areNamed = position < limits.membersExplainedMax
      const gapTo = (places: number) =>
        parts[index]! - (parts[order[position + places]!] ?? -Infinity)
      evidence.add({ graph, masses }, index, parts[index]!, ordinalOf, areNamed, gapTo)
    })
  }
  return { ranked, shares }
}

/**
 * Own value of each member of a topic, without endorsements, up to a factor: weight times prior. A prior counts at
 * most as the one at `priorPercentile` (nearest rank, so that 0.99 bounds topics of 100 or more): followers are a claim.
 */
function ownOf(priors: Float64Array, weights: Float64Array): Float64Array {
  const place = Math.ceil(priorPercentile * priors.length) - 1
  const most = place === priors.length - 1 ? Infinity : priors.toSorted()[place]!
  return weights.map((weight, index) => weight * Math.min(most, priors[index]!))
}

/**
 * Own value of each member of a topic that has vetted members: at most the share that the vetted
 * pass on to it in one step, so that invented people have none of their own to give. In a topic
 * without vetted members all keep the values that they claim.
 */
function boundByTrust(
  graph: Endorsements,
  own: Float64Array,
  isVetted: (member: number) => boolean,
): Float64Array {
  const seeds = own.map((value, member) => (isVetted(member) ? value : 0))
  if (!seeds.some((value) => value > 0)) return own
  // One step of one source is trust as well: how much a source carries is bounded behind it.
  const unbounded = { ...graph, origins: undefined }
  const { mass: trust } = topicMasses(unbounded, seeds, { ...topicPatience, roundsMax: 1 })
  const sum = own.reduce((total, value) => total + value, 0)
  return own.map((value, member) => Math.min(value / sum, trust[member]!))
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

/** For the graph of a topic: a part of 2³² is the least that a share can tell. */
const topicPatience: Convergence = { changeMin: 1e-9, roundsMax: 100 }

/**
 * The mass of each member, which is its share of the topic. In each round
 * `m_i ← d · (Σ_j m_j c_ji w_i / W_j + D · v_i) + (1 − d) · v_i`, where `c_ji` is the weight of the
 * connections by which j endorses i, `w_i` how much the topic is i's own, `W_j = Σ_k c_jk w_k`, D the
 * mass of the members that endorse no member, and `v_i ∝ w_i p_i` with the prior p. Without
 * endorsements it is v.
 * @param graph of `TopicGraphs`: c_ji w_i of every endorsement.
 * @param own `w_i p_i` of each member; only the proportions count.
 * @throws Refusal `build-limit` when the weights are too small or too large to be shared out.
 */
function topicMasses(graph: Endorsements, own: Float64Array, patience = topicPatience): Masses {
  const sum = own.reduce((total, value) => total + value, 0)
  const shares = own.map((value) => value / sum)
  return pageRank(graph, shares, undefined, patience)
}

/** The graphs of topics, one after the other in the same memory; members are numbered by their position. */
class TopicGraphs {
  readonly #endorsements: KnownEndorsements
  /** The position of each node among the members, counted from 1; 0 for others. */
  readonly #positions: Uint32Array
  readonly #sources = uint32Column()
  readonly #weights = float64Column()
  readonly #kinds = uint8Column()
  readonly #origins = uint32Column()

  constructor(endorsements: KnownEndorsements) {
    this.#endorsements = endorsements
    this.#positions = new Uint32Array(endorsements.totals.length)
  }

  /**
   * The endorsements among some nodes, valid until the next are asked for: each with its weight times
   * how much the topic is the endorsed one's own. O(endorsements of the members).
   */
  among(members: Uint32Array, own: Float64Array): KnownEndorsements {
    members.forEach((member, position) => {
      this.#positions[member] = position + 1
    })
    const starts = new Uint32Array(members.length + 1)
    const totals = new Float64Array(members.length)
    for (const column of [this.#sources, this.#weights, this.#kinds, this.#origins]) {
      column.length = 0
    }
    for (let position = 0; position < members.length; position += 1) {
      this.#addRow(members[position]!, own[position]!, totals)
      starts[position + 1] = this.#sources.length
    }
    for (const member of members) this.#positions[member] = 0
    const all = this.#endorsements.origins
    const origins = all && { ...all, of: this.#origins.view() }
    const [nodes, weights, kinds] = [this.#sources.view(), this.#weights.view(), this.#kinds.view()]
    return { starts, nodes, kinds, weights, totals, origins }
  }

  #addRow(member: number, own: number, totals: Float64Array): void {
    const { starts, nodes, weights, kinds, origins } = this.#endorsements
    const positions = this.#positions
    for (let index = starts[member]!; index < starts[member + 1]!; index += 1) {
      const position = positions[nodes[index]!]!
      if (position === 0) continue
      const weight = weights[index]! * own
      this.#sources.push(position - 1)
      this.#weights.push(weight)
      this.#kinds.push(kinds[index]!)
      if (origins) this.#origins.push(origins.of[index]!)
      totals[position - 1]! += weight
    }
  }
}
