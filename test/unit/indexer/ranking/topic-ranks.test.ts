/** Ranks within topics: the order of the members, with numbers that can be checked by hand. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Evidence } from '../../../../src/indexer/ranking/evidence.ts'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import {
  coreRanks,
  membershipsOf,
  rankMembers,
} from '../../../../src/indexer/ranking/topic-ranks.ts'
import { wholeShare } from '../../../../src/snapshot/sections.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

/** The nodes 0, 1, … have topic 0 with these weights; the ordinal of each is its number. */
function rankingOf(
  weights: readonly number[],
  edges: readonly Edge[],
  prior: readonly number[] = weights.map(() => 1),
) {
  const members = membershipsOf(
    Uint32Array.from({ length: weights.length + 1 }, (_, member) => member),
    new Uint32Array(weights.length),
    Float64Array.from(weights),
    1,
  )
  const endorsements = endorsementsOf(connectionsOf(prior.length, edges))
  const ordinals = Uint32Array.from(weights, (_, member) => member)
  const by = { endorsements, prior: Float64Array.from(prior), ordinals }
  return rankMembers(members, by, new Evidence(prior.length))
}

function orderOf(...given: Parameters<typeof rankingOf>): number[] {
  return [...rankingOf(...given).ranked]
}

describe('the rank within a topic', () => {
  it('goes to whom members endorse, above one that is more the topic’s own', () => {
    // m(2) = 0.15 v(2) + D v(2) 0.85 + 0.85 m(0): more than m(1) unless 1 has far more of its own.
    const edges: Edge[] = [[0, 2, 1, false]]
    expect(orderOf([1, 1.2, 1], edges)).toEqual([2, 1, 0])
    expect(orderOf([1, 9, 1], edges)).toEqual([1, 2, 0])
  })

  it('is by weight times prior where nobody inside endorses anybody inside', () => {
    expect(orderOf([1, 1, 2.51], [], [0.5, 0.3, 0.2])).toEqual([2, 0, 1])
    expect(orderOf([1, 1, 2.49], [], [0.5, 0.3, 0.2])).toEqual([0, 2, 1])
  })

  it('takes the followers of the best hundredth as those of the next', () => {
    const prior = (size: number) => [1, ...Array.from({ length: size - 2 }, () => 1.2), 100]
    const weights = (size: number) => [1.5, ...Array.from({ length: size - 1 }, () => 1)]
    expect(orderOf(weights(100), [], prior(100)).slice(0, 2)).toEqual([0, 1])
    expect(orderOf(weights(99), [], prior(99)).slice(0, 2)).toEqual([98, 0])
  })

  it('goes to the higher authority among equals', () => {
    expect(orderOf([1, 1, 1], [], [0.2, 0.3, 0.2])).toEqual([1, 0, 2])
  })

  it('goes to the higher authority where shares differ by less than a part of 2³²', () => {
    const { ranked, shares } = rankingOf([1, 1 + 1e-12, 1], [])
    expect([...ranked]).toEqual([0, 1, 2])
    expect(new Set(shares).size).toBe(1)
  })

  it('follows the shares of all graphs, which are the whole of the topic', () => {
    const size = 12
    const edge = fc.tuple(
      fc.nat(size - 1),
      fc.nat(size - 1),
      fc.constantFrom(1e-9, 0.5, 1, 3, 1e9),
      fc.boolean(),
    )
    const weights = fc.array(fc.constantFrom(1e-9, 1 / 3, 0.5, 1, 1e9), {
      minLength: size,
      maxLength: size,
    })
    fc.assert(
      fc.property(weights, fc.array(edge, { maxLength: 40 }), (given, edges) => {
        const { ranked, shares } = rankingOf(
          given,
          edges.filter(([from, to]) => from !== to),
        )
        expect(new Set(ranked).size).toBe(size)
        const total = shares.reduce((sum, share) => sum + share, 0)
        expect(Math.abs(total - wholeShare)).toBeLessThanOrEqual(size)
        for (let at = 1; at < size; at += 1) {
          const [before, share] = [shares[at - 1]!, shares[at]!]
          expect(before > share || (before === share && ranked[at - 1]! < ranked[at]!)).toBe(true)
        }
      }),
    )
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
