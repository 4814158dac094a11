/** Ranks within topics: the formula of DESIGN §5, with numbers that can be checked by hand. */
import { describe, expect, it } from 'vitest'
import { endorsementsOf } from '../../../src/indexer/ranking/graph.ts'
import { coreRanks, membershipsOf, rankMembers } from '../../../src/indexer/ranking/topic-ranks.ts'
import { connectionsOf, type Edge } from '../edges.ts'

/** Nodes 0, 1 and 2 are the members of the one topic; node 3 is outside. */
const mass = Float64Array.of(0.5, 0.3, 0.2, 0.1)

/** The order of the members when they have these weights; the ordinal of each is its number. */
function ranking(weights: readonly number[], edges: readonly Edge[], masses = mass): number[] {
  const members = membershipsOf(
    Uint32Array.of(0, 1, 2, 3),
    Uint32Array.of(0, 0, 0),
    Float64Array.from(weights),
    1,
  )
  const endorsements = endorsementsOf(connectionsOf(4, edges))
  return [...rankMembers(members, masses, endorsements, Uint32Array.of(0, 1, 2)).ranked]
}

describe('the rank within a topic', () => {
  it('weighs the mass from everywhere with 0.3 and endorsement from within with 0.7', () => {
    // All of e is 2's: T(0) = 0.3 · 0.5 = 0.15, T(2) = w · (0.3 · 0.2 + 0.7) = 0.76 w.
    const edges: Edge[] = [
      [0, 2, 1, false],
      [0, 3, 3, false],
    ]
    expect(ranking([1, 1, 0.198], edges)).toEqual([2, 0, 1])
    expect(ranking([1, 1, 0.197], edges)).toEqual([0, 2, 1])
  })

  it('counts of an endorsement the share of its source’s mass', () => {
    // e(1) = 0.5 · 1/4 = 0.125, e(2) = 0.3 · 1/2 = 0.15:
    // T(1) = 0.09 + 0.7 · 0.125 / 0.275 = 0.4082, T(2) = w · (0.06 + 0.7 · 0.15 / 0.275) = 0.4418 w.
    const edges: Edge[] = [
      [0, 1, 1, false],
      [0, 3, 3, false],
      [1, 2, 1, false],
      [1, 3, 1, false],
    ]
    expect(ranking([1, 1, 0.925], edges)).toEqual([2, 1, 0])
    expect(ranking([1, 1, 0.923], edges)).toEqual([1, 2, 0])
  })

  it('is by mass and weight alone when nobody inside endorses anybody inside', () => {
    // λ = 0: T(0) = 0.5, T(2) = 0.2 w; the endorsement of 2 comes from outside.
    const edges: Edge[] = [
      [3, 2, 9, false],
      [0, 3, 1, false],
    ]
    expect(ranking([1, 1, 2.51], edges)).toEqual([2, 0, 1])
    expect(ranking([1, 1, 2.49], edges)).toEqual([0, 2, 1])
  })

  it('goes to the higher authority among equals', () => {
    expect(ranking([1, 1, 1], [], Float64Array.of(0.2, 0.3, 0.2, 0.3))).toEqual([1, 0, 2])
  })
})

describe('memberships', () => {
  it('list the members of each topic with the weight that each one gives it', () => {
    const { starts, members, weights } = membershipsOf(
      Uint32Array.of(0, 2, 3),
      Uint32Array.of(2, 0, 2),
      Float64Array.of(1, 0.5, 7),
      3,
    )
    expect([...starts]).toEqual([0, 1, 1, 3])
    expect([...members]).toEqual([0, 0, 1])
    expect([...weights]).toEqual([0.5, 1, 7])
  })
})

describe('the rank of a match', () => {
  it('is the position in the core topic, not in another one', () => {
    // Topic 0: 2, 0, 1; topic 1: 1, 2. The core topic of 2 is 1.
    const ranks = coreRanks(
      Uint32Array.of(0, 3, 5),
      Uint32Array.of(2, 0, 1, 1, 2),
      Uint32Array.of(0, 0, 1),
    )
    expect([...ranks]).toEqual([2, 3, 2])
  })
})
