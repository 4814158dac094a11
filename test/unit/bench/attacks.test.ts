/** Attacks on the ranks of a topic: the bounds end them or make them dearer, by formulas that are those of the ranking. */
import { describe, expect, test } from 'vitest'
import { leastCost, lyingSource } from '../../../bench/attacks/attacks.ts'
import { buyerIn, costsIn } from '../../../bench/attacks/bench.ts'
import { former, formulas, served } from '../../../bench/attacks/defences.ts'
import { type Formula, massesOf, orderOf, originsOf } from '../../../bench/attacks/formulas.ts'
import { type Topic, worlds } from '../../../bench/attacks/topics.ts'
import { Evidence } from '../../../src/indexer/ranking/evidence.ts'
import { endorsementsOf, type Origins } from '../../../src/indexer/ranking/graph.ts'
import { rankMembers } from '../../../src/indexer/ranking/topic-ranks.ts'
import { limits } from '../../../src/limits.ts'

const [topic] = worlds.communities!({ people: 60, topicsEach: 1, seed: 3 })
const costsWith = (formula: Formula) => costsIn(buyerIn(topic!, formula, 'last'), 10)
const [before, now] = [former, served].map((name) => costsWith(formulas[name]!))

describe('the bounds', () => {
  test('end what the own record buys with weights', () => {
    expect(before!['own weight']).toBe(1)
    expect(now!['own weight']).toBe(Number.POSITIVE_INFINITY)
  })

  test('make claims and followers of fakes dearer', () => {
    for (const attack of ['ties claimed', 'fakes with followers', 'verified fakes']) {
      expect(now![attack]).toBeGreaterThan(before![attack]!)
    }
  })
})

test('the formula that is called served is the one that ranks', () => {
  expect(orderOf(massesOf(topic!, formulas[served]!))).toEqual(rankedOf(topic!))
})

test('the formula that one step of trust bounds is the one that ranks with vetted members', () => {
  const vetted = Uint8Array.from(topic!.members, ({ lot }) => Number(lot < 0.2))
  const order = orderOf(massesOf(topic!, formulas['bound by one step of 20 %']!))
  expect(order).toEqual(rankedOf(topic!, vetted))
  expect(order).not.toEqual(rankedOf(topic!))
})

describe('a source that lies', () => {
  const [half, whole] = ['a source half at most', served].map((name) => formulas[name]!)

  test('is bound in the bench as in the ranking', () => {
    const order = orderOf(massesOf(topic!, half!))
    expect(order).toEqual(rankedOf(topic!, undefined, originsOf(topic!.ties, 0.5)))
    expect(order).not.toEqual(rankedOf(topic!))
  })

  test('lifts the last to the first place only where it may carry any share', () => {
    const costOfFirst = (formula: Formula) =>
      leastCost(lyingSource, buyerIn(topic!, formula, 'last'), 1)
    expect(costOfFirst(whole!)).toBeLessThan(topic!.members.length)
    expect(costOfFirst(half!)).toBe(Number.POSITIVE_INFINITY)
  })
})

/** The members as the product ranks them. */
function rankedOf({ members, ties }: Topic, vetted?: Uint8Array, origins?: Origins): number[] {
  const numbers = Uint32Array.from(members.keys())
  const endorsements = endorsementsOf({
    nodes: members.length,
    from: Uint32Array.from(ties, ({ from }) => from),
    to: Uint32Array.from(ties, ({ to }) => to),
    weights: Float64Array.from(ties, ({ weight }) => weight),
    kinds: Uint8Array.from(ties, ({ isSymmetric }) => Number(isSymmetric)),
    areSymmetric: [false, true],
    pairWeightMax: limits.pairWeightMax,
    origins,
  })
  const prior = Float64Array.from(members, ({ followers }) => 1 + Math.log(1 + followers))
  const { ranked } = rankMembers(
    {
      starts: Uint32Array.of(0, members.length),
      members: numbers,
      weights: Float64Array.from(members, ({ weight }) => weight),
    },
    { endorsements, prior, ordinals: numbers, vetted },
    new Evidence(members.length),
  )
  return [...ranked]
}
