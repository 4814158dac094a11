/**
 * The formulas of recipes up to 6xx, kept to be compared with: the served ones have to be better.
 */
import type { KnownEndorsements } from '../../src/indexer/ranking/graph.ts'
import type { Memberships } from '../../src/indexer/ranking/topic-ranks.ts'

/** The prior when handles that nobody owns had one, as much as an authority without followers. */
export function formerPrior(followers: Float64Array, nodes: number): Float64Array {
  const prior = new Float64Array(nodes).fill(1)
  followers.forEach((count, node) => {
    prior[node] = 1 + Math.log(1 + count)
  })
  const sum = prior.reduce((total, value) => total + value, 0)
  return prior.map((value) => value / sum)
}

/** `100 · ln(1 + n π_i) / ln(1 + n π_max)` of each authority, when n was the number of all nodes. */
export function formerScores(mass: Float64Array, authorities: number): number[] {
  const logs = Array.from(mass.subarray(0, authorities), (value) =>
    Math.log(1 + mass.length * value),
  )
  const highest = logs.reduce((most, log) => Math.max(most, log), 0)
  return logs.map((log) => (100 * log) / highest)
}

/** How much the endorsements from within the topic counted against the mass from everywhere. */
const lambda = 0.7

/**
 * The members of each topic by `w(i,t) · ((1−λ) · π_i / Σ_{j∈t} π_j + λ · e(i,t) / Σ_{j∈t} e(j,t))`,
 * where `e(i,t)` is what members of t pass on to i in one step; λ is 0 where that is nothing at all.
 * @param rows of `memberships`.
 */
export function oneStep(
  rows: readonly (readonly number[])[],
  { starts, weights }: Memberships,
  mass: Float64Array,
  endorsements: KnownEndorsements,
): number[][] {
  const isMember = new Uint8Array(mass.length)
  return rows.map((row, topic) => {
    for (const member of row) isMember[member] = 1
    const inside = row.map((member) => endorsedInside(member, isMember, mass, endorsements))
    for (const member of row) isMember[member] = 0
    const massSum = row.reduce((sum, member) => sum + mass[member]!, 0)
    const insideSum = inside.reduce((sum, value) => sum + value, 0)
    const share = insideSum === 0 ? 0 : lambda
    const values = row.map((member, at) => {
      const endorsed = insideSum === 0 ? 0 : inside[at]! / insideSum
      const weight = weights[starts[topic]! + at]!
      return weight * ((1 - share) * (mass[member]! / massSum) + share * endorsed)
    })
    const order = [...row.keys()].sort(
      (a, b) => values[b]! - values[a]! || mass[row[b]!]! - mass[row[a]!]!,
    )
    return order.map((at) => row[at]!)
  })
}

/** `e(i,t)`: what somebody receives in one step from the members. */
function endorsedInside(
  member: number,
  isMember: Uint8Array,
  mass: Float64Array,
  { starts, nodes, weights, totals }: KnownEndorsements,
): number {
  let received = 0
  for (let index = starts[member]!; index < starts[member + 1]!; index += 1) {
    const source = nodes[index]!
    if (isMember[source] === 1) received += (mass[source]! / totals[source]!) * weights[index]!
  }
  return received
}
