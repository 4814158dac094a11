/** The PageRank on a topic's own graph: against an independent implementation, and by its properties. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import { priorOf } from '../../../../src/indexer/ranking/pagerank.ts'
import { TopicGraphs, topicMasses } from '../../../../src/indexer/ranking/topic-graph.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'
import fixture from './topic-graph.fixture.json' with { type: 'json' }

/** The shares of some members with these weights, in the order of the members. */
function sharesOf(
  graphs: TopicGraphs,
  members: readonly number[],
  weights: readonly number[],
  prior: Float64Array,
): number[] {
  const own = Float64Array.from(members, (member, index) => weights[index]! * prior[member]!)
  const graph = graphs.among(Uint32Array.from(members), Float64Array.from(weights))
  return [...topicMasses(graph, own).mass]
}

/** Graphs of the first of some nodes: distinct members, each with its weight, and edges among all. */
const nodes = 16
const cases = fc.record({
  members: fc.uniqueArray(fc.nat(nodes - 1), { minLength: 1 }),
  weights: fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), {
    minLength: nodes,
    maxLength: nodes,
  }),
  edges: fc.array(
    fc.tuple(
      fc.nat(nodes - 1),
      fc.nat(nodes - 1),
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.boolean(),
    ),
    { maxLength: 60 },
  ),
})
const prior = priorOf(
  Float64Array.from({ length: nodes }, (_, node) => node ** 4),
  nodes,
)

describe('the share of a member', () => {
  it('agrees with networkx to 1e-8 in every topic of one graph, one after the other', () => {
    const edges = fixture.edges as unknown as Edge[]
    const followers = Float64Array.from(fixture.followers)
    const graphs = new TopicGraphs(endorsementsOf(connectionsOf(followers.length, edges)))
    const sizes = fixture.topics.map((topic) => {
      const members = topic.map(({ node }) => node)
      const weights = topic.map(({ weight }) => weight)
      const shares = sharesOf(graphs, members, weights, priorOf(followers, followers.length))
      topic.forEach(({ node, share }, index) => {
        expect(Math.abs(shares[index]! - share), `node ${node}`).toBeLessThan(1e-8)
      })
      return topic.length
    })
    expect(sizes).toEqual([40, 9, 3, 1])
  })

  it('is never less for whom nobody stops endorsing and one more member endorses', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), ({ members, weights, edges }, from, to) => {
        const [source, target] = [members[from % members.length]!, members[to % members.length]!]
        fc.pre(source !== target && edges.every(([a, b]) => a !== source && b !== source))
        const shareOf = (all: readonly Edge[]) =>
          sharesOf(
            new TopicGraphs(endorsementsOf(connectionsOf(nodes, all))),
            members,
            weights,
            prior,
          )[to % members.length]!
        expect(shareOf([...edges, [source, target, 1, false]])).toBeGreaterThan(shareOf(edges))
      }),
    )
  })

  it('does not depend on what those outside the topic do', () => {
    fc.assert(
      fc.property(cases, ({ members, weights, edges }) => {
        const inside = edges.filter(([from, to]) => members.includes(from) && members.includes(to))
        const [all, within] = [edges, inside].map((each) =>
          sharesOf(
            new TopicGraphs(endorsementsOf(connectionsOf(nodes, each))),
            members,
            weights,
            prior,
          ),
        )
        expect(all).toEqual(within)
      }),
    )
  })
})
