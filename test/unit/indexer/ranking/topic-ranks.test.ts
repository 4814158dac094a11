/** Ranks within topics: the shares that the model of the records gives, and what small sources do not show. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Evidence } from '../../../../src/indexer/ranking/evidence.ts'
import { endorsementsOf } from '../../../../src/indexer/ranking/graph.ts'
import { membershipsOf, rankMembers } from '../../../../src/indexer/ranking/topic-ranks.ts'
import { allTexts } from '../../../../src/memory/text-table.ts'
import { wholeShare } from '../../../../src/snapshot/sections.ts'
import { labelsOf } from '../../../../src/snapshot/text-tables.ts'
import { topicKey } from '../../../../src/text/analyzer.ts'
import { snapshotOf } from '../../../support/built.ts'
import { connectionsOf } from '../../../support/edges.ts'
import { Oracle } from '../../../support/oracle.ts'
import { authority, connection, smallSources, topic } from '../../../support/records.ts'

/** The nodes 0, 1, … have topic 0 with these weights, and nobody endorses; the ordinal of each is its number. */
function rankingOf(weights: readonly number[], prior: readonly number[]) {
  const ordinals = Uint32Array.from(weights, (_, member) => member)
  const topics = new Uint32Array(weights.length)
  const starts = Uint32Array.of(...ordinals, weights.length)
  const members = membershipsOf(starts, topics, Float64Array.from(weights), 1)
  const endorsements = endorsementsOf(connectionsOf(prior.length, []))
  const by = { endorsements, prior: Float64Array.from(prior), ordinals }
  const { ranked, shares } = rankMembers(members, by, new Evidence(prior.length))
  return { ranked: [...ranked], shares }
}

/** Ten members of one topic who endorse each other. */
const dense = fc
  .record({
    weights: fc.array(fc.constantFrom(0.1, 0.5, 1), { minLength: 10, maxLength: 10 }),
    ties: fc.array(
      fc.tuple(
        fc.nat(9),
        fc.nat(9),
        fc.constantFrom(0.5, 1, 3),
        fc.constantFrom('follows' as const, 'coauthor' as const),
      ),
      { minLength: 10, maxLength: 40 },
    ),
  })
  .map(({ weights, ties }) => ({
    authorities: weights.map((weight, person) =>
      authority({ sdu: String(person), topics: [topic('Go'), topic('Rust', weight)] }),
    ),
    connections: ties.map(([from, to, weight, kind]) =>
      connection(String(from), String(to), { weight, kind }),
    ),
  }))

describe('the rank within a topic', () => {
  it('has the share that the model of the records gives it', () => {
    fc.assert(
      fc.property(fc.oneof(smallSources, dense), (records) => {
        const model = new Oracle(records)
        fc.pre(model.people.length > 0)
        const { sections } = snapshotOf(records)
        const starts = sections['topic.member-starts']
        allTexts(labelsOf({ sections })).forEach((label, topic) => {
          const shares = sections['topic.shares'].subarray(starts[topic], starts[topic + 1])
          const expected = model.ranking(topicKey(label)).map(({ value }) => value)
          expect(shares.length).toBe(expected.length)
          expected.forEach((value, at) => {
            // After a hundred rounds 0.85¹⁰⁰ of a mass may still be on its way.
            expect(Math.abs(shares[at]! / wholeShare - value)).toBeLessThan(1e-6)
          })
        })
      }),
      { numRuns: 40 },
    )
  })

  it('takes the followers of the best hundredth as those of the next', () => {
    const prior = (size: number) => [1, ...Array.from({ length: size - 2 }, () => 1.2), 100]
    const weights = (size: number) => [1.5, ...Array.from({ length: size - 1 }, () => 1)]
    const firstOf = (size: number) => rankingOf(weights(size), prior(size)).ranked.slice(0, 2)
    expect(firstOf(100)).toEqual([0, 1])
    expect(firstOf(99)).toEqual([98, 0])
  })

  it('goes to the higher authority where shares differ by less than a part of 2³²', () => {
    const { ranked, shares } = rankingOf([1, 1 + 1e-12, 1], [1, 1, 1])
    expect(ranked).toEqual([0, 1, 2])
    expect(new Set(shares).size).toBe(1)
  })
})
