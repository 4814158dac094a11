/** Evidence: what a rank is made of, with numbers that can be checked by hand, and for any graph. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Evidence, partOf } from '../../../../src/indexer/ranking/evidence.ts'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import { pageRank } from '../../../../src/indexer/ranking/pagerank.ts'
import { limits } from '../../../../src/limits.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

/** The evidence of every node of a graph with an even prior unless told otherwise; nodes are called by their numbers. */
function evidenceOf(
  nodes: number,
  edges: readonly Edge[],
  prior = new Float64Array(nodes).fill(1 / nodes),
) {
  const graph = endorsementsOf(connectionsOf(nodes, edges))
  const masses = pageRank(graph, prior)
  const evidence = new Evidence(nodes)
  for (let node = 0; node < nodes; node += 1) {
    evidence.add({ graph, masses }, node, partOf(masses.mass[node]!), (each) => each, true)
  }
  const { starts, values } = evidence.endorsers.view()
  return Array.from({ length: nodes }, (_, node) => ({
    share: partOf(masses.mass[node]!),
    own: evidence.ownShares.view()[node]!,
    count: evidence.endorserCounts.view()[node]!,
    endorsers: Array.from(values.subarray(starts[node], starts[node + 1]), (endorser, index) => ({
      endorser,
      share: evidence.endorserShares.view()[starts[node]! + index]!,
      kind: evidence.endorserKinds.view()[starts[node]! + index]!,
    })),
    given: masses.given,
  }))
}

describe('evidence', () => {
  it('names who gives most first, of equals the higher authority, five at most', () => {
    const edges = [1, 2, 3, 4, 5, 6].map((from): Edge => [from, 0, from === 4 ? 2 : 1, false])
    const more: Edge[] = [1, 2, 3, 5, 6].map((from) => [from, 7, 1, false])
    const [first] = evidenceOf(8, [...edges, ...more])
    expect(first!.count).toBe(6)
    expect(first!.endorsers.map(({ endorser }) => endorser)).toEqual([4, 1, 2, 3, 5])
  })

  it('takes several connections of one endorser together, as the kind of the heaviest', () => {
    const edges: Edge[] = [
      [1, 0, 1, false],
      [1, 0, 3, true],
      [1, 0, 2, false],
    ]
    const [first] = evidenceOf(2, edges)
    expect(first).toMatchObject({ count: 1, endorsers: [{ endorser: 1, kind: 1 }] })
    const { share, own, endorsers } = first!
    expect(Math.abs(endorsers[0]!.share - (share - own))).toBeLessThanOrEqual(1)
  })

  it('counts nobody who has nothing to give', () => {
    const edges: Edge[] = [
      [2, 0, 1, false],
      [2, 0, 1, false],
      [1, 0, 1, false],
    ]
    const [first] = evidenceOf(3, edges, Float64Array.of(0.5, 0.5, 0))
    expect(first).toMatchObject({ count: 1, endorsers: [{ endorser: 1 }] })
  })

  it('has all of a share for its own where nobody endorses', () => {
    const [, second] = evidenceOf(2, [[1, 0, 1, false]])
    expect(second).toMatchObject({ count: 0, endorsers: [] })
    expect(second!.own).toBe(second!.share)
  })

  it('has nothing of somebody whose rank has no share', () => {
    const evidence = new Evidence(1)
    evidence.addNone()
    expect([...evidence.ownShares.view()]).toEqual([0])
    expect([...evidence.endorsers.view().starts]).toEqual([0, 0])
  })

  it('is in every graph the own part, and all that is given by those who endorse', () => {
    const nodes = 9
    const edge = fc.tuple(
      fc.nat(nodes - 1),
      fc.nat(nodes - 1),
      fc.constantFrom(0.5, 1, 3),
      fc.boolean(),
    )
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 50 }), (all) => {
        const edges = all.filter(([from, to]) => from !== to)
        const arcs = edges.flatMap(([from, to, weight, isSymmetric]) => [
          { from, to, weight },
          ...(isSymmetric ? [{ from: to, to: from, weight }] : []),
        ])
        evidenceOf(nodes, edges).forEach(({ share, own, count, endorsers, given }, node) => {
          const gifts = new Map<number, number>()
          for (const { from, to, weight } of arcs) {
            if (to === node) gifts.set(from, (gifts.get(from) ?? 0) + given[from]! * weight)
          }
          expect(count).toBe(gifts.size)
          expect(endorsers.length).toBe(Math.min(limits.endorsersPerRankMax, gifts.size))
          for (const each of endorsers) {
            expect(Math.abs(each.share - partOf(gifts.get(each.endorser)!))).toBeLessThanOrEqual(1)
          }
          const total = [...gifts.values()].reduce((sum, gift) => sum + gift, 0)
          expect(Math.abs(share - own - partOf(total))).toBeLessThanOrEqual(2)
        })
      }),
    )
  })
})
