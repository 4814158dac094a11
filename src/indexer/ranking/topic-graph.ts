/**
 * The part of the connection graph among the members of one topic, and PageRank on it (topic-sensitive
 * after Haveliwala 2002, here on the topic's own graph). Members are numbered by their position in the
 * topic.
 */
import type { Endorsements, KnownEndorsements } from './graph.ts'
import { type Convergence, type Masses, pageRank } from './pagerank.ts'

/** For the graph of a topic: a part of 2³² is the least that a share can tell. */
export const topicPatience: Convergence = { changeMin: 1e-9, roundsMax: 100 }

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
export function topicMasses(
  graph: Endorsements,
  own: Float64Array,
  patience = topicPatience,
): Masses {
  const sum = own.reduce((total, value) => total + value, 0)
  const ignore = () => {}
  return pageRank(
    graph,
    own.map((value) => value / sum),
    ignore,
    patience,
  )
}

export class TopicGraphs {
  readonly #endorsements: KnownEndorsements
  /** The position of each node among the members, counted from 1; 0 for others. */
  readonly #positions: Uint32Array
  #sources = new Uint32Array(1024)
  #weights = new Float64Array(1024)
  #kinds = new Uint8Array(1024)
  #origins = new Uint32Array(1024)

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
    for (let position = 0; position < members.length; position += 1) {
      const end = this.#addRow(members[position]!, own[position]!, starts[position]!, totals)
      starts[position + 1] = end
    }
    for (const member of members) this.#positions[member] = 0
    const end = starts[members.length]!
    const [nodes, kinds] = [this.#sources.subarray(0, end), this.#kinds.subarray(0, end)]
    const all = this.#endorsements.origins
    const origins = all && { ...all, of: this.#origins.subarray(0, end) }
    return { starts, nodes, kinds, weights: this.#weights.subarray(0, end), totals, origins }
  }

  #addRow(member: number, own: number, end: number, totals: Float64Array): number {
    const { starts, nodes, weights, kinds, origins } = this.#endorsements
    const [start, last] = [starts[member]!, starts[member + 1]!]
    this.#reserve(end + last - start)
    const positions = this.#positions
    const [ownSources, ownWeights, ownKinds] = [this.#sources, this.#weights, this.#kinds]
    let next = end
    for (let index = start; index < last; index += 1) {
      const position = positions[nodes[index]!]!
      if (position === 0) continue
      const weight = weights[index]! * own
      ownSources[next] = position - 1
      ownWeights[next] = weight
      ownKinds[next] = kinds[index]!
      if (origins) this.#origins[next] = origins.of[index]!
      totals[position - 1]! += weight
      next += 1
    }
    return next
  }

  #reserve(length: number): void {
    if (length <= this.#sources.length) return
    const room = Math.max(length, this.#sources.length * 2)
    const sources = new Uint32Array(room)
    sources.set(this.#sources)
    const weights = new Float64Array(room)
    weights.set(this.#weights)
    const kinds = new Uint8Array(room)
    kinds.set(this.#kinds)
    this.#sources = sources
    this.#weights = weights
    this.#kinds = kinds
    const origins = new Uint32Array(room)
    origins.set(this.#origins)
    this.#origins = origins
  }
}
