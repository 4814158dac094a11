/**
 * The formulas that are attacked: the one up to 13xx, the bounds on what a record may claim one by one, and the
 * defences that were tried. All of them are made of the parts that the product ranks by.
 */
import {
  endorsementsOf,
  type KnownEndorsements,
  type Origins,
} from '../../src/indexer/ranking/graph.ts'
import { TopicGraphs, topicMasses } from '../../src/indexer/ranking/topic-graph.ts'
import { boundByTrust, ownOf } from '../../src/indexer/ranking/topic-ranks.ts'
import { Random, Sampler } from '../../test/support/random.ts'
import type { Tie, Topic } from './topics.ts'

/** What a formula does with what the records say; what is not given, it takes as it is. */
export interface Formula {
  /** Topic weights are at most 1. */
  readonly boundsOwn?: boolean
  /** What one gives another is at most this in all. */
  readonly pairMax?: number
  /** Followers count at most as those at this percentile. */
  readonly followersAt?: number
  /** What a symmetric tie counts that one end claims; with 0 it endorses the other end only. */
  readonly oneSided?: number
  /** The share of members whose symmetric ties count in full in any case, because a register says so. */
  readonly registered?: number
  /** The share of members who are vetted: trust begins with them. */
  readonly vetted?: number
  /** Trust goes so many steps; to its limit where it is not given. */
  readonly trustRounds?: number
  /** Whether trust only bounds the mass of one's own, from above; else it is the mass. */
  readonly isBound?: boolean
  /** Whether the order is that of SybilRank, which starts from the vetted alone. */
  readonly isSybilRank?: boolean
  /** Mass of one's own goes by the share of the strongest endorser in it (connectivity decay). */
  readonly decays?: boolean
  /** What a directed tie counts that is returned. */
  readonly returned?: number
  /** The share of the mass of a member that ties of one source may make up. */
  readonly sourceShareMax?: number
}

/** The share of ties that each source has which does not lie: one of three is a large register. */
const honestShares = [0.6, 0.3, 0.1]

/** The share of each member. */
export function massesOf({ members, ties }: Topic, formula: Formula): Float64Array {
  const claimed = Float64Array.from(members, ({ weight }) => weight)
  const weights = formula.boundsOwn ? claimed.map((weight) => Math.min(1, weight)) : claimed
  const priors = Float64Array.from(members, ({ followers }) => 1 + Math.log(1 + followers))
  const own =
    formula.followersAt !== undefined
      ? ownOf(priors, weights, formula.followersAt)
      : priors.map((prior, number) => prior * weights[number]!)
  const said = saidBy(ties, formula, (from) => members[from]!.lot < (formula.registered ?? 0))
  const endorsements = endorsementsOf({
    nodes: members.length,
    from: Uint32Array.from(said, ({ from }) => from),
    to: Uint32Array.from(said, ({ to }) => to),
    weights: Float64Array.from(said, ({ weight }) => weight),
    kinds: Uint8Array.from(said, ({ isSymmetric }) => Number(isSymmetric)),
    areSymmetric: [false, true],
    ...(formula.sourceShareMax && { origins: originsOf(said, formula.sourceShareMax) }),
    ...(formula.pairMax && { pairWeightMax: formula.pairMax }),
  })
  const everybody = Uint32Array.from(members.keys())
  const graph = new TopicGraphs(endorsements).among(everybody, weights)
  const { vetted, trustRounds = 100, isBound } = formula
  if (formula.decays) decay(graph, own)
  if (vetted === undefined) return topicMasses(graph, own).mass
  const isVetted = (number: number) => members[number]!.lot < vetted
  if (formula.isSybilRank)
    return sybilRank(
      graph,
      own.map((value, number) => (isVetted(number) ? value : 0)),
    )
  const trusted = isBound
    ? boundByTrust(graph, own, isVetted, trustRounds)
    : own.map((value, number) => (isVetted(number) ? value : 0))
  return topicMasses(graph, trusted).mass
}

/** The sources of ties: of those that are no lies, by lot. */
export function originsOf(ties: readonly Tie[], shareMax: number): Origins {
  const random = new Random(1, 9)
  const honest = new Sampler(honestShares)
  const lying = honestShares.length
  const of = Uint32Array.from(ties, ({ isLie }) => (isLie ? lying : honest.draw(random)))
  return { of, count: lying + 1, shareMax }
}

/**
 * SybilRank (Cao, Sirivianos, Yang, Pregueiro 2012): walks from the seeds end after log2(members) steps, before they
 * are everywhere, and each member's mass is divided by its degree. Those who endorse nobody give back to the seeds.
 */
function sybilRank(
  { starts, nodes, weights, totals }: KnownEndorsements,
  seeds: Float64Array,
): Float64Array {
  const sum = seeds.reduce((total, value) => total + value, 0)
  const start = seeds.map((value) => value / sum)
  const degrees = totals.slice()
  let mass = start
  for (let step = 0; step < Math.log2(seeds.length); step += 1) {
    const dangling = mass.reduce((lost, value, node) => lost + (totals[node] === 0 ? value : 0), 0)
    const next = start.map((value) => value * dangling)
    for (const node of next.keys()) {
      for (let at = starts[node]!; at < starts[node + 1]!; at += 1) {
        const giver = nodes[at]!
        next[node]! += (mass[giver]! * weights[at]!) / totals[giver]!
        if (step === 0) degrees[node]! += weights[at]!
      }
    }
    mass = next
  }
  return mass.map((value, node) => (degrees[node] === 0 ? value : value / degrees[node]!))
}

/** Takes of each one's own mass the share that the strongest endorser has in the whole. */
function decay(graph: KnownEndorsements, own: Float64Array): void {
  const { mass, given } = topicMasses(graph, own)
  for (const number of own.keys()) {
    let most = 0
    for (let at = graph.starts[number]!; at < graph.starts[number + 1]!; at += 1) {
      most = Math.max(most, given[graph.nodes[at]!]! * graph.weights[at]!)
    }
    own[number]! *= 1 - most / mass[number]!
  }
}

/** The ties as the formula reads them. */
function saidBy(
  ties: readonly Tie[],
  { oneSided = 1, returned = 1 }: Formula,
  isRegistered: (from: number) => boolean,
): readonly Tie[] {
  if (oneSided === 1 && returned === 1) return ties
  const keyOf = (from: number, to: number) => from * 1_000_000 + to
  const symmetric = new Set<number>()
  const directed = new Set<number>()
  for (const { from, to, isSymmetric } of ties)
    (isSymmetric ? symmetric : directed).add(keyOf(from, to))
  return ties.flatMap((tie) => {
    const { from, to, weight, isSymmetric } = tie
    if (!isSymmetric) {
      return directed.has(keyOf(to, from)) ? [{ ...tie, weight: weight * returned }] : [tie]
    }
    if (symmetric.has(keyOf(to, from)) || isRegistered(from)) return [tie]
    return [oneSided === 0 ? { ...tie, isSymmetric: false } : { ...tie, weight: weight * oneSided }]
  })
}

/** The numbers of the members, the first first; among equals the earlier. */
export function orderOf(masses: Float64Array): number[] {
  return [...masses.keys()].sort((a, b) => masses[b]! - masses[a]! || a - b)
}
