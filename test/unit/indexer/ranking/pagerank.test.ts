/** PageRank against reference values of an independent implementation, and its edges by hand. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import { pageRank, patience, priorOf } from '../../../../src/indexer/ranking/pagerank.ts'
import { limits } from '../../../../src/limits.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'
import { Random } from '../../../support/random.ts'
import fixture from './pagerank.fixture.json' with { type: 'json' }

function massOf(edges: readonly Edge[], prior: Float64Array): Float64Array {
  return pageRank(endorsementsOf(connectionsOf(prior.length, edges)), prior).mass
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

describe('PageRank', () => {
  it('agrees with networkx to 1e-8 on a graph with dangling nodes and a prior', () => {
    const mass = massOf(fixture.edges as unknown as Edge[], Float64Array.from(fixture.prior))
    expect(fixture.mass.length).toBe(32)
    fixture.mass.forEach((reference, node) => {
      expect(Math.abs(mass[node]! - reference), `node ${node}`).toBeLessThan(1e-8)
    })
  })

  it.each([1e-320, 1e308, Number.POSITIVE_INFINITY])(
    'is refused where weights are %d',
    (weight) => {
      const edges: Edge[] = [
        [0, 1, weight, false],
        [0, 2, weight, false],
        [1, 0, 1, false],
      ]
      const prior = Float64Array.of(0.5, 0.25, 0.25)
      expect(() => massOf(edges, prior)).toThrow(/weights .* sum to/)
    },
  )

  it('sums to 1 with the least and the largest weight that a record may have', () => {
    const edges: Edge[] = Array.from({ length: 1_000 }, (_, index) => [
      index % 10,
      (index * 7 + 1) % 10,
      index % 3 === 0 ? limits.weightMin : limits.weightMax,
      index % 2 === 0,
    ])
    const mass = massOf(edges, new Float64Array(10).fill(0.1))
    expect(total(mass)).toBeCloseTo(1, 12)
    expect(Math.min(...mass)).toBeGreaterThan(0)
  })

  it('solves its equation on a graph that does not fit into one block of sources', () => {
    const nodes = 140_000
    const random = new Random(5, 0)
    const edges = Array.from(
      { length: 190_000 },
      (): Edge => [random.below(nodes), random.below(nodes), 1 + random.below(3), false],
    )
    const endorsements = endorsementsOf(connectionsOf(nodes, edges))
    const prior = new Float64Array(nodes).fill(1 / nodes)
    const { mass } = pageRank(endorsements, prior)
    const { totals } = endorsements
    const received = new Float64Array(nodes)
    for (const [from, to, weight] of edges) {
      received[to]! += (mass[from]! * weight) / totals[from]!
    }
    const dangling = total(mass.filter((_, node) => totals[node] === 0))
    const worst = mass.reduce((most, value, node) => {
      const expected = 0.85 * (received[node]! + dangling / nodes) + 0.15 / nodes
      return Math.max(most, Math.abs(value - expected))
    }, 0)
    expect(worst).toBeLessThan(1e-10)
  })

  it('stops when it moves by less than 1e-10, and after 200 rounds at the latest', () => {
    const changes: number[] = []
    const edges: Edge[] = [
      [0, 1, 1, false],
      [1, 0, 1, false],
    ]
    const prior = Float64Array.of(0.9, 0.1)
    pageRank(endorsementsOf(connectionsOf(2, edges)), prior, (_, change) => changes.push(change))
    expect(changes.at(-1)).toBeLessThan(1e-10)
    expect(changes.slice(0, -1).every((change) => change >= 1e-10)).toBe(true)
    expect(changes.length).toBeLessThanOrEqual(patience.roundsMax)
  })
})

describe('the prior', () => {
  it('is proportional to 1 + ln(1 + followers), and nothing for a handle that nobody owns', () => {
    const prior = priorOf(Float64Array.of(0, Math.E - 1, 1e9), 4)
    const unit = prior[0]!
    const expected = [1, 2, 1 + Math.log(1 + 1e9), 0]
    expected.forEach((value, node) => {
      expect(prior[node]! / unit).toBeCloseTo(value, 12)
    })
    expect(total(prior)).toBeCloseTo(1, 12)
  })

  it('is shared by all where there are handles only', () => {
    expect([...priorOf(new Float64Array(0), 2)]).toEqual([0.5, 0.5])
  })

  it('leaves every mass as it is, whatever handles that no authority endorses are connected with', () => {
    const [people, handles] = [12, 20]
    const followers = Float64Array.from({ length: people }, (_, person) => person ** 4)
    const edge = (from: number, to: number) =>
      fc.tuple(fc.constant(from), fc.constant(to), fc.double({ min: 0.01, max: 100, noNaN: true }))
    const among = fc
      .tuple(fc.nat(people - 1), fc.nat(people - 1))
      .chain(([from, to]) => edge(from, to))
    const farmed = fc
      .tuple(fc.integer({ min: people, max: people + handles - 1 }), fc.nat(people + handles - 1))
      .chain(([from, to]) => edge(from, to))
    fc.assert(
      fc.property(fc.array(among), fc.array(farmed), (honest, farm) => {
        const edges = (some: readonly (readonly [number, number, number])[]) =>
          some.map(([from, to, weight]): Edge => [from, to, weight, false])
        const before = massOf(edges(honest), priorOf(followers, people))
        const after = massOf(edges([...honest, ...farm]), priorOf(followers, people + handles))
        expect([...after.subarray(0, people)]).toEqual([...before])
      }),
    )
  })

  it('is the one that the reference values were computed with', () => {
    priorOf(Float64Array.from(fixture.followers), fixture.prior.length).forEach((value, node) => {
      expect(value).toBeCloseTo(fixture.prior[node]!, 14)
    })
  })
})
