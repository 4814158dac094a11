/** Evidence: what a rank is made of, with numbers that can be checked by hand, and for any graph. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Evidence, partOf } from '../../../../src/indexer/ranking/evidence.ts'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import { pageRank } from '../../../../src/indexer/ranking/pagerank.ts'
import { limits } from '../../../../src/limits.ts'
import { wholeShare } from '../../../../src/snapshot/sections.ts'
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
    const share = partOf(masses.mass[node]!)
    // Of everybody else, the place behind is that of the node with the next smaller share.
    const behind = Array.from(masses.mass, partOf)
      .filter((each) => each < share)
      .sort((a, b) => b - a)
    const gapTo = (places: number) => share - (behind[places - 1] ?? Number.NEGATIVE_INFINITY)
    evidence.add({ graph, masses }, node, share, (each) => each, true, gapTo)
  }
  const { starts, values } = evidence.endorsers.view()
  return Array.from({ length: nodes }, (_, node) => ({
    share: partOf(masses.mass[node]!),
    own: evidence.ownShares.view()[node]!,
    count: evidence.endorserCounts.view()[node]!,
    losses: evidence.losses.map((column) => column.view()[node]!),
    gaps: [1, 10].map((places) => {
      const shares = Array.from(masses.mass, partOf)
      const smaller = shares.filter((each) => each < shares[node]!).sort((a, b) => b - a)
      return shares[node]! - (smaller[places - 1] ?? Number.NEGATIVE_INFINITY)
    }),
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
        evidenceOf(nodes, edges).forEach((each, node) => {
          const { share, own, count, endorsers, given, losses, gaps } = each
          const gifts = new Map<number, number>()
          for (const { from, to, weight } of arcs) {
            if (to === node) gifts.set(from, (gifts.get(from) ?? 0) + given[from]! * weight)
          }
          expect(count).toBe(gifts.size)
          expect(endorsers.length).toBe(Math.min(limits.endorsersPerRankMax, gifts.size))
          for (const named of endorsers) {
            expect(Math.abs(named.share - partOf(gifts.get(named.endorser)!))).toBeLessThanOrEqual(
              1,
            )
          }
          const strongest = [...gifts.values()].sort((a, b) => b - a)
          losses.forEach((loss, step) => {
            const lost = (most: number) =>
              strongest.slice(0, most).reduce((sum, gift) => sum + gift * wholeShare, 0)
            // Sums of the same numbers in another order may differ by their last bits.
            const nearly = 1e-3
            if (loss === 0) expect(lost(strongest.length)).toBeLessThanOrEqual(gaps[step]! + nearly)
            else {
              expect(lost(loss)).toBeGreaterThan(gaps[step]! - nearly)
              expect(lost(loss - 1)).toBeLessThanOrEqual(gaps[step]! + nearly)
            }
          })
          const total = [...gifts.values()].reduce((sum, gift) => sum + gift, 0)
          expect(Math.abs(share - own - partOf(total))).toBeLessThanOrEqual(2)
        })
      }),
    )
  })
})
