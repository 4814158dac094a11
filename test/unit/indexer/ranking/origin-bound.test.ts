/** How much one source may carry, with numbers that can be checked by hand, and for any graph. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import { OriginBound } from '../../../../src/indexer/ranking/origin-bound.ts'
import { pageRank } from '../../../../src/indexer/ranking/pagerank.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

/** What node 0, which has a mass, receives of endorsers of weight 1, one for each gift, each from its own source. */
function received(gifts: readonly number[], mass: number, shareMax: number) {
  const nodes = gifts.length + 1
  const edges = gifts.map((_, index): Edge => [index + 1, 0, 1, false])
  const origins = { of: Uint32Array.from(gifts.keys()), count: gifts.length, shareMax }
  const rows = endorsementsOf({ ...connectionsOf(nodes, edges), origins })
  const sums = new Float64Array(nodes)
  sums[0] = gifts.reduce((sum, gift) => sum + gift, 0)
  const bound = new OriginBound(rows, origins)
  const masses = new Float64Array(nodes).fill(mass)
  const cut = bound.cut(Float64Array.of(0, ...gifts), masses, sums)
  return { kept: sums[0]!, cut, weights: [...bound.weights] }
}

describe('what a source carries', () => {
  it('is kept where it is no more than the share of the mass', () => {
    expect(received([0.2, 0.2], 0.4, 0.5)).toEqual({ kept: 0.4, cut: 0, weights: [1, 1] })
  })

  it('is cut to the share, and that of other sources is not', () => {
    const { kept, cut, weights } = received([0.9, 0.2], 0.6, 0.5)
    expect(kept).toBeCloseTo(0.5)
    expect(cut).toBeCloseTo(0.6)
    expect(weights[0]).toBeCloseTo(1 / 3)
    expect(weights[1]).toBe(1)
  })

  it('ends as its own allows for a node that one source endorses', () => {
    // Two nodes, one of which endorses the other: of m = own / (1 - s), the share s is from the source.
    const origins = { of: Uint32Array.of(0), count: 1, shareMax: 0.3 }
    const graph = endorsementsOf({ ...connectionsOf(2, [[0, 1, 1, false]]), origins })
    const { mass, endorsed } = pageRank(graph, Float64Array.of(0.5, 0.5))
    expect(mass[1]! * 0.7).toBeCloseTo(mass[0]!, 9)
    expect(endorsed[1]).toBeCloseTo(0.3 * mass[1]!, 9)
  })
})

const anyGraph = fc
  .array(fc.tuple(fc.nat(7), fc.nat(7), fc.double({ min: 0.1, max: 10, noNaN: true }), fc.nat(2)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => all.filter(([from, to]) => from !== to))

describe('PageRank where sources carry a share', () => {
  it('has masses that sum to 1, and no source gives anybody more than the share', () => {
    fc.assert(
      fc.property(anyGraph, fc.double({ min: 0.2, max: 0.9, noNaN: true }), (all, shareMax) => {
        const edges = all.map(([from, to, weight]): Edge => [from, to, weight, false])
        const origins = { of: Uint32Array.from(all, ([, , , of]) => of), count: 3, shareMax }
        const graph = endorsementsOf({ ...connectionsOf(8, edges), origins })
        const { mass, endorsed, given, weights } = pageRank(graph, new Float64Array(8).fill(1 / 8))
        expect(mass.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9)
        for (let node = 0; node < 8; node += 1) {
          const carried = [0, 0, 0]
          for (let index = graph.starts[node]!; index < graph.starts[node + 1]!; index += 1) {
            carried[graph.origins!.of[index]!]! += given[graph.nodes[index]!]! * weights[index]!
          }
          expect(carried.reduce((sum, each) => sum + each, 0)).toBeCloseTo(endorsed[node]!, 9)
          expect(Math.max(...carried)).toBeLessThanOrEqual(shareMax * mass[node]! + 1e-6)
        }
      }),
    )
  })

  it('is PageRank where the share is the whole', () => {
    fc.assert(
      fc.property(anyGraph, (all) => {
        const edges = all.map(([from, to, weight]): Edge => [from, to, weight, false])
        const of = Uint32Array.from(all, ([, , , origin]) => origin)
        const connections = connectionsOf(8, edges)
        const prior = new Float64Array(8).fill(1 / 8)
        const free = pageRank(endorsementsOf(connections), prior).mass
        const origins = { of, count: 3, shareMax: 1 }
        pageRank(endorsementsOf({ ...connections, origins }), prior).mass.forEach((mass, node) => {
          expect(mass).toBeCloseTo(free[node]!, 9)
        })
      }),
    )
  })
})
