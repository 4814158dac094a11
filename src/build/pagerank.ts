/**
 * Weighted PageRank (Page, Brin, Motwani, Winograd 1999) with a prior: who is endorsed by those who
 * are endorsed. Deterministic: one order of summation, no randomness, no parallel reduction.
 */
import type { Endorsements } from './graph.ts'

/** The share of mass that follows endorsements; the rest is taken from the prior. */
export const damping = 0.85
/** Iteration stops when the masses moved by less than this in sum, or after so many rounds. */
export const changeMin = 1e-10
export const roundsMax = 200

/**
 * The prior: proportional to `1 + ln(1 + followers)` for an authority, to 1 for a handle that
 * nobody owns; sums to 1.
 * @param followers of each authority; nodes above are handles that nobody owns.
 */
export function priorOf(followers: Float64Array, nodes: number): Float64Array {
  const prior = new Float64Array(nodes).fill(1)
  for (let node = 0; node < followers.length; node += 1)
    prior[node] = 1 + Math.log(1 + followers[node]!)
  let sum = 0
  for (let node = 0; node < nodes; node += 1) sum += prior[node]!
  for (let node = 0; node < nodes; node += 1) prior[node]! /= sum
  return prior
}

/**
 * The PageRank mass of each node; sums to 1. It is the fixed point of
 * `π_i = d · (Σ_j π_j w_ji / W_j + D · p_i) + (1 − d) · p_i`, where `W_j` is the weight that j
 * passes on in all, D the mass of the nodes that pass on nothing, and p the prior. Each round takes
 * the masses that it has found so far (Gauss, Seidel), which needs half the rounds that taking those
 * of the round before needs (measured: 11 instead of 22 on a million nodes, 20 connections each).
 * O(connections) a round.
 */
export function pageRank(
  endorsements: Endorsements,
  prior: Float64Array,
  onRound: (round: number, change: number) => void = () => {},
): Float64Array {
  const { starts, nodes: sources, weights, totals } = endorsements
  const nodes = prior.length
  const mass = prior.slice()
  const shares = sharesOf(mass, totals)
  let dangling = danglingMass(mass, totals)
  for (let round = 1; round <= roundsMax; round += 1) {
    let change = 0
    for (let node = 0; node < nodes; node += 1) {
      let received = 0
      const end = starts[node + 1]!
      for (let index = starts[node]!; index < end; index += 1) {
        received += shares[sources[index]!]! * weights[index]!
      }
      const value = damping * (received + dangling * prior[node]!) + (1 - damping) * prior[node]!
      const gain = value - mass[node]!
      const total = totals[node]!
      change += Math.abs(gain)
      mass[node] = value
      if (total === 0) dangling += gain
      else shares[node] = value / total
    }
    onRound(round, change)
    if (change < changeMin) break
  }
  return normalized(mass)
}

/** What each node passes on for a weight of 1. */
function sharesOf(mass: Float64Array, totals: Float64Array): Float64Array {
  return mass.map((value, node) => (totals[node] === 0 ? 0 : value / totals[node]!))
}

/** The mass of the nodes that pass on nothing. */
function danglingMass(mass: Float64Array, totals: Float64Array): number {
  return mass.reduce((sum, value, node) => (totals[node] === 0 ? sum + value : sum), 0)
}

/** The same masses, summing to 1. */
function normalized(mass: Float64Array): Float64Array {
  const sum = mass.reduce((before, value) => before + value, 0)
  return mass.map((value) => value / sum)
}
